import { getRefKey } from '../../catalog/resourceRef.ts';
import type { Operation } from '../model/operation.ts';
import type { Plan, PlanSubject } from '../model/plan.ts';
import type { KeptPart } from './keptChange.ts';
import type { LaterChange, UndoForReview } from './planUndoForReview.ts';
import type { PlanOptions } from './runOptions.ts';

interface Planner {
  plan(
    operation: Operation,
    signal: AbortSignal | undefined,
    options: PlanOptions,
  ): Promise<{ readonly plan: Plan }>;
}

/**
 * Adds to an undo which parts of the change stay, and what doesn't work because of that: a viewpoint may use the former
 * name of a column that stays renamed.
 * @throws ApiError
 */
export async function addKeptParts(undo: UndoForReview, planner: Planner): Promise<UndoForReview> {
  const { keptChange, laterChanges } = undo;
  if (keptChange === undefined) {
    return undo;
  }
  const { operation, before } = keptChange;
  const { plan } = await planner.plan(operation, undefined, { checksRules: false, before });
  const tableNames = new Map(
    before.flatMap(({ ref, document }) => {
      const name = typeof document === 'object' && document !== null && 'name' in document && document.name;
      return ref.kind === 'table' && typeof name === 'string' ? [[getRefKey(ref), name] as const] : [];
    }),
  );
  const parts: readonly KeptPart[] = [
    ...plan.changed.map(({ fields, ...subject }) => ({ subject, action: 'changed', fields }) as const),
    ...plan.created.map((subject) => ({ subject, action: 'created', fields: [] }) as const),
    ...plan.deleted.map((subject) => ({ subject, action: 'deleted', fields: [] }) as const),
  ];
  const getParts = (change: LaterChange): readonly KeptPart[] =>
    change.isOverwritten
      ? []
      : parts.flatMap((part) =>
          isIn(part.subject, change.id, tableNames.get(change.id)) ? withoutLaterFields(part, change) : [],
        );
  return {
    ...undo,
    laterChanges: laterChanges.map((change) => {
      const keptParts = getParts(change);
      return keptParts.length === 0 ? change : { ...change, keptParts };
    }),
    keptEffects: { breaks: plan.breaks, unchecked: plan.unchecked },
  };
}

/** Returns whether a subject is a document, or a column of it. A new column has no resource, so its table is named. */
function isIn({ kind, resource, within }: PlanSubject, id: string, tableName: string | undefined): boolean {
  if (resource === undefined) {
    return kind === 'column' && tableName !== undefined && within.at(-1) === tableName;
  }
  if (resource.kind === 'column') {
    const { datamodelId, datasetId, tableId } = resource;
    return getRefKey({ kind: 'table', datamodelId, datasetId, tableId }) === id;
  }
  return getRefKey(resource) === id;
}

/** Leaves out the fields that others have changed since: the review shows them in any case. */
function withoutLaterFields(part: KeptPart, { id, fields: laterFields }: LaterChange): readonly KeptPart[] {
  const { subject, action, fields } = part;
  if (action !== 'changed' || subject.resource === undefined || getRefKey(subject.resource) !== id) {
    return [part];
  }
  const otherFields = fields.filter(({ field }) => laterFields.every((later) => later.field !== field));
  return otherFields.length === 0 ? [] : [{ ...part, fields: otherFields }];
}
