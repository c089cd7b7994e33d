import { appendToken } from '../compare/parts.ts';
import type { ExtraItem } from '../compare/itemChange.ts';
import { formatItemKey } from '../item.ts';
import type { PrunedKind } from '../plan/compareProject.ts';
import { type ExtraKind, extraKinds } from '../plan/remainingDifferences.ts';
import type { Lock } from '../pull/lock.ts';
import type { ProjectPlan } from './loadProjectPlan.ts';

/** The kinds of items that are deleted on the instance if the project doesn't have them. */
export type PrunedKinds = ReadonlySet<PrunedKind>;

/** What only the instance has, of one kind that an apply can delete. */
export interface DeletableKind {
  readonly kind: PrunedKind;
  /** Sorted by key, at least one. */
  readonly items: readonly ExtraItem[];
}

type ComparedPlan = Pick<ProjectPlan, 'lock' | 'operation'> & {
  readonly prepared: Pick<ProjectPlan['prepared'], 'comparison' | 'recompare'>;
};

/**
 * Lists what only the instance has and an apply can delete, by kind, whether or not the plan deletes it. What belongs to
 * a listed item isn't listed itself.
 */
export function listDeletableKinds({ lock, operation, prepared }: ComparedPlan): readonly DeletableKind[] {
  const { extras } =
    operation.project?.prunedKinds === undefined
      ? prepared.comparison
      : prepared.recompare({ lock, prunedKinds: new Set() });
  const byKind = Map.groupBy(extras, getExtraKind);
  return extraKinds.filter(isPrunable).flatMap((kind) => {
    const items = byKind.get(kind) ?? [];
    return items.length === 0 ? [] : [{ kind, items }];
  });
}

/** Returns whether the last pull has seen what only the instance has: then it was deleted in the project since. */
export function wasPulled({ entries }: Pick<Lock, 'entries'>, { key, column }: ExtraItem): boolean {
  const entry = entries.get(formatItemKey(key));
  return entry !== undefined && (column === undefined || entry.parts.has(appendToken('/columns', column)));
}

/**
 * Returns the kinds of everything that a plan deletes, including all that a datamodel has. SQL doesn't count: it is a
 * part of its table or column.
 */
export function listDeletedKinds({
  comparison,
  compiled,
}: Pick<ProjectPlan['prepared'], 'comparison' | 'compiled'>): readonly PrunedKind[] {
  const deferred = new Set(compiled.deferred.map(({ key }) => formatItemKey(key)));
  return comparison.changes
    .filter(({ key }) => !deferred.has(formatItemKey(key)))
    .flatMap(({ action, key, parts, deletedWith = [] }): readonly ExtraKind[] =>
      action === 'delete'
        ? [key.kind, ...deletedWith.map((item) => item.key.kind)]
        : parts.flatMap(({ pointer, after }) =>
            pointer.startsWith('/columns/') && after === undefined ? ['column'] : [],
          ),
    )
    .filter(isPrunable);
}

const getExtraKind = ({ key, column }: ExtraItem): ExtraKind => (column === undefined ? key.kind : 'column');

const isPrunable = (kind: ExtraKind): kind is PrunedKind =>
  kind !== 'tableExpression' && kind !== 'columnExpression';
