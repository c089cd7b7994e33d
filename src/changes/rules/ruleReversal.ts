import type { JsonObject } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { getRuleAction } from './ruleAction.ts';
import { type RuleChange, createRuleWrites } from './ruleWrites.ts';
import type { Write } from '../model/operation.ts';
import type { UndoWrites } from '../model/undoWrites.ts';
import { getObjects, getText } from '../model/jsonMembers.ts';

/** The changes that restore the earlier rules of a datamodel or cube set. */
export interface RuleReversal {
  /** Rules to restore, under new IDs (rest-api.md, "Data security rule"). */
  readonly adds: readonly JsonObject[];
  /** Rules to delete, in their current version. */
  readonly deletes: readonly JsonObject[];
  readonly updates: NonNullable<RuleChange['updates']>;
}

export const emptyReversal: RuleReversal = { adds: [], deletes: [], updates: [] };

/** Returns the changes of some of the rules. */
export const filterReversal = (
  { adds, deletes, updates }: RuleReversal,
  isIncluded: (rule: JsonObject) => boolean,
): RuleReversal => ({
  adds: adds.filter(isIncluded),
  deletes: deletes.filter(isIncluded),
  updates: updates.filter(({ before }) => isIncluded(before)),
});

/** Adds the writes that restore rules, split into batches. */
export function addReversalWrites(
  subject: RuleSubject,
  { adds, deletes, updates }: RuleReversal,
  undoWrites: UndoWrites,
): void {
  const writes = createRuleWrites(subject, {
    adds,
    deletes: deletes.map((rule, index) => ({ rule, index })),
    updates,
  });
  const remainingAdds = adds.values();
  for (const [index, write] of undoWrites.addAll(isSingleRuleWrite(writes) ? writes.map(unbatch) : writes)) {
    if (getRuleAction(write) === 'create') {
      for (const position of getObjects(write.body).keys()) {
        undoWrites.addRestoredId(getRuleId(remainingAdds.next().value ?? {}), {
          write: index,
          from: [position, '_id'],
        });
      }
    }
  }
  for (const { table, column } of adds) {
    undoWrites.addLoss({ code: 'new-rule-id', name: `${getText(table)}.${getText(column)}` });
  }
}

/** Returns the ID of a rule; empty if it has none. */
export const getRuleId = ({ _id: id }: JsonObject): string => getText(id);

/** Returns whether a change consists of one write for one rule. */
const isSingleRuleWrite = (writes: readonly Write[]): boolean =>
  writes.length === 1 && (writes[0]?.batch?.ids?.length ?? getObjects(writes[0]?.body).length) <= 1;

/** Converts a batch of one rule into a plain write, which is a single request. */
function unbatch({ batch, ...write }: Write): Write {
  const [ruleId] = batch?.ids ?? [];
  return ruleId === undefined || write.target?.kind !== 'rules'
    ? write
    : { ...write, params: { ruleId }, target: { kind: 'rule', subject: write.target.subject, ruleId } };
}
