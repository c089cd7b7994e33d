import { appendToken } from '../compare/parts.ts';
import type { ExtraItem } from '../compare/itemChange.ts';
import { formatItemKey } from '../item.ts';
import type { PrunedKind } from '../plan/compareProject.ts';
import { type InstanceOnlyKind, allInstanceOnlyKinds } from '../plan/remainingDifferences.ts';
import type { Lock } from '../pull/lock.ts';
import { createDeferralCheck } from './deferredItems.ts';
import type { ProjectPlan } from './loadProjectPlan.ts';

/** The kinds of items that are deleted on the instance if the project doesn't have them. */
export type PrunedKinds = ReadonlySet<PrunedKind>;

/** What only the instance has, of one kind that an apply can delete. */
export interface DeletableKind {
  readonly kind: PrunedKind;
  /** Sorted by key, at least one. */
  readonly items: readonly ExtraItem[];
}

/** What a user has selected to delete, and what was listed for the selection. */
export interface SelectedDeletions {
  readonly kinds: PrunedKinds;
  /** The keys ({@link getExtraKey}) of the listed items of these kinds. The selection includes no other items. */
  readonly listed: ReadonlySet<string>;
}

/** Nothing is deleted. */
export const noDeletions: SelectedDeletions = { kinds: new Set(), listed: new Set() };

type ComparedPlan = Pick<ProjectPlan, 'lock' | 'operation'> & {
  readonly prepared: Pick<ProjectPlan['prepared'], 'comparison' | 'recompare'>;
};

/**
 * Lists what only the instance has and an apply can delete, by kind, whether or not the plan deletes it. What belongs
 * to a listed item isn't listed itself.
 */
export function listDeletableKinds({ lock, operation, prepared }: ComparedPlan): readonly DeletableKind[] {
  const { extraItems } =
    operation.project?.prunedKinds === undefined
      ? prepared.comparison
      : prepared.recompare({ lock, prunedKinds: new Set() });
  const byKind = Map.groupBy(extraItems, getExtraKind);
  return allInstanceOnlyKinds.filter(isPrunable).flatMap((kind) => {
    const items = byKind.get(kind) ?? [];
    return items.length === 0 ? [] : [{ kind, items }];
  });
}

/** Returns the selection of kinds from those that were listed. */
export const selectDeletions = (kinds: PrunedKinds, listed: readonly DeletableKind[]): SelectedDeletions => ({
  kinds,
  listed: new Set(
    listed.filter(({ kind }) => kinds.has(kind)).flatMap(({ items }) => items.map(getExtraKey)),
  ),
});

/**
 * Returns the selected kinds of which a plan would delete more than was listed for the selection, because the project
 * or the instance has changed since. The user hasn't seen these items.
 */
export const findExceededKinds = (
  plan: ComparedPlan,
  { kinds, listed }: SelectedDeletions,
): readonly PrunedKind[] =>
  kinds.size === 0
    ? []
    : listDeletableKinds(plan)
        .filter(({ kind, items }) => kinds.has(kind) && !items.every((item) => listed.has(getExtraKey(item))))
        .map(({ kind }) => kind);

/**
 * Returns a function that shows whether others have added or changed an item that only the instance has since the last
 * pull; it returns `undefined` if they have done neither. A change of what belongs to the item counts, too.
 */
export function createServerChangeFinder({
  lock,
  prepared,
}: ComparedPlan): (item: ExtraItem) => 'added' | 'changed' | undefined {
  const { changes } = prepared.recompare({
    lock,
    prunedKinds: new Set(allInstanceOnlyKinds.filter(isPrunable)),
  });
  const byKey = new Map(changes.map((change) => [formatItemKey(change.from ?? change.key), change]));
  return (item) => {
    if (!wasPulled(lock, item)) {
      return 'added';
    }
    const change = byKey.get(formatItemKey(item.key));
    const isChanged =
      item.column === undefined
        ? change?.isChangedOnServer === true
        : change?.serverPointers?.includes(appendToken('/columns', item.column)) === true;
    return isChanged ? 'changed' : undefined;
  };
}

/**
 * Why a plan keeps an item of a kind that it deletes:
 * - `column-kept`: the item is rules on a column that is kept. Without them, more of this column, which only the
 *   instance has, would be visible
 * - `unknown-rules`: a datamodel has rules that no file can contain, so their loss would not be shown
 */
export type KeepReason = 'column-kept' | 'unknown-rules';

/** Returns why a plan keeps an item; `undefined` if it doesn't delete items of its kind anyway. */
export function findKeepReason(
  { project }: Pick<ProjectPlan['operation'], 'project'>,
  extra: ExtraItem,
): KeepReason | undefined {
  const kind = getExtraKind(extra);
  if (project?.prunedKinds?.some((pruned) => pruned === kind) !== true) {
    return undefined;
  }
  return kind === 'rules' || kind === 'cubeSetRules'
    ? 'column-kept'
    : kind === 'datamodel'
      ? 'unknown-rules'
      : undefined;
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
  const isDeferred = createDeferralCheck({ comparison, compiled });
  return comparison.changes
    .filter((change) => !isDeferred(change))
    .flatMap(({ action, key, parts, deletedWith = [] }): readonly InstanceOnlyKind[] =>
      action === 'delete'
        ? [key.kind, ...deletedWith.map((item) => item.key.kind)]
        : parts.flatMap(({ pointer, after }) =>
            pointer.startsWith('/columns/') && after === undefined ? ['column'] : [],
          ),
    )
    .filter(isPrunable);
}

const getExtraKey = ({ key, column }: ExtraItem): string =>
  JSON.stringify([formatItemKey(key), column ?? null]);

const getExtraKind = ({ key, column }: ExtraItem): InstanceOnlyKind =>
  column === undefined ? key.kind : 'column';

const isPrunable = (kind: InstanceOnlyKind): kind is PrunedKind =>
  kind !== 'property' && kind !== 'tableExpression' && kind !== 'columnExpression';
