import type { JsonValue } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { RestoredId } from './undoWrites.ts';
import { getValueAt } from './outputRefs.ts';
import { isPartOfReplacement } from './liveRuleReplacement.ts';
import type { Operation } from './operation.ts';

/** A rule whose `_id` has changed: it was replaced by another rule, or was deleted and restored. */
export interface RuleIdChange {
  readonly connectionId: string;
  readonly subject: RuleSubject;
  readonly oldId: string;
  readonly newId: string;
}

/**
 * Returns the rules whose `_id` an operation has changed, as far as responses are known. Live rules can't be updated,
 * so changing one creates another (rest-api.md, "Data security, live datamodels"); restoring a rule does so too. A rule
 * counts as replaced only once the old one is deleted.
 * @param isDone returns whether the write with this index has completed
 */
export function getRuleIdChanges(
  { connectionId, writes }: Operation,
  responses: readonly (JsonValue | undefined)[],
  {
    isDone,
    restoredIds = [],
  }: {
    readonly isDone: (index: number) => boolean;
    readonly restoredIds?: readonly RestoredId[] | undefined;
  },
): readonly RuleIdChange[] {
  const replaced = writes.flatMap((write, index): readonly RestoredId[] => {
    const { ruleId } = write.params;
    const creation = writes[index - 1];
    return ruleId !== undefined &&
      creation !== undefined &&
      [creation, write].every(isPartOfReplacement) &&
      isDone(index)
      ? [{ old: ruleId, write: index - 1, from: [0, '_id'] }]
      : [];
  });
  return [...replaced, ...restoredIds].flatMap(
    ({ old: oldId, write, from: path }): readonly RuleIdChange[] => {
      const target = writes[write]?.target;
      const newId = getValueAt(responses[write], path);
      return target?.kind === 'rules' && typeof newId === 'string' && newId !== '' && newId !== oldId
        ? [{ connectionId, subject: target.subject, oldId, newId }]
        : [];
    },
  );
}

/** Returns the old and new IDs of restored items, as far as responses contain the new ones. */
export const resolveRestoredIds = (
  restoredIds: readonly RestoredId[] = [],
  responses: readonly (JsonValue | undefined)[],
): readonly (readonly [oldId: string, newId: string])[] =>
  restoredIds.flatMap(({ old: oldId, write, from: path }) => {
    const newId = getValueAt(responses[write], path);
    return typeof newId === 'string' && newId !== oldId ? [[oldId, newId] as const] : [];
  });
