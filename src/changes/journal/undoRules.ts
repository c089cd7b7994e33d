import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonObject } from '../../base/json.ts';
import { type RuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import { deniesAll, type HeldRule, toHeldRules, fulfills, getSpotKey } from '../rules/heldRule.ts';
import { createReverseTarget } from '../rules/reverseTarget.ts';
import { isRuleWrite, getRuleAction } from '../rules/ruleAction.ts';
import { getRemainingItems, RulesChangedError, RulesDifferError } from '../rules/ruleItems.ts';
import { type RuleTarget, createRuleTarget } from '../rules/ruleTarget.ts';
import { ruleIdentityFields } from '../../contract/rule.ts';
import { getWriteRuleSubjects } from '../model/ruleSubjects.ts';
import { isLiveReplacement, liveRuleReplacement } from '../rules/ruleWrites.ts';
import type { Write } from '../model/operation.ts';
import { getRuleEdits } from '../rules/ruleEdits.ts';
import { getRuleGroups } from '../rules/ruleGroup.ts';
import type { HistoryEntry } from './entry.ts';
import type { InverseWrites } from '../model/inverseWrites.ts';
import { findCreatedRules, getCreatedRuleKey } from './createdRules.ts';
import { getObjects, getText } from '../model/readJson.ts';
import { addReversalWrites, getRuleId, type RuleReversal } from '../rules/ruleReversal.ts';

/** Returns whether an operation changes only rules of known subjects; they are then undone as one change. */
export const isRuleChange = ({ operation: { writes } }: HistoryEntry): boolean =>
  writes.length > 0 && writes.every((write) => isRuleWrite(write) && getWriteRuleSubjects(write).length > 0);

/** Returns the subjects whose rules an entry changes. */
export function getEntryRuleSubjects({ operation, before }: HistoryEntry): readonly RuleSubject[] {
  const subjects = [
    ...operation.writes.filter(isRuleWrite).flatMap(getWriteRuleSubjects),
    ...before.flatMap(({ ref }) => ('subject' in ref ? [ref.subject] : [])),
  ];
  return subjects.filter(
    (subject, index) => subjects.findIndex((one) => isSameSubject(one, subject)) === index,
  );
}

/**
 * Undoes a rule change, even an incomplete one: deletes added rules that still exist, restores deleted rules that
 * don't, reverts changed ones, and deletes leftover temporary deny rules. The current rules show how much of an
 * unfinished write was done.
 */
export function undoRules(entry: HistoryEntry, inverse: InverseWrites): void {
  for (const subject of getEntryRuleSubjects(entry)) {
    undoRulesOfSubject(entry, subject, inverse);
  }
}

/** Adds the writes that undo the rule changes of one datamodel or cube set. */
export function undoRulesOfSubject(entry: HistoryEntry, subject: RuleSubject, inverse: InverseWrites): void {
  const reversal =
    entry.end === 'done' || deletesColumnRules(entry)
      ? getRuleReversal(entry, subject, inverse)
      : getStoppedReversal(entry, subject, inverse);
  if (!replacesLiveRule(entry, { subject, back: reversal }, inverse)) {
    addReversalWrites(subject, reversal, inverse);
  }
}

function getRuleReversal(entry: HistoryEntry, subject: RuleSubject, inverse: InverseWrites): RuleReversal {
  const old = getRulesBefore(entry, subject);
  const now = inverse.getRules(subject);
  const made = findCreatedRules(entry, { subject, now, old });
  for (const ruleId of made.missing) {
    inverse.addMissing({ kind: 'rule', subject, ruleId });
  }
  const touched = new Set(
    entry.operation.writes.flatMap((write, index) =>
      entry.writes[index]?.state === 'waiting' ? [] : getAffectedRules(write, old),
    ),
  );
  const claimed = new Set(made.rules.map(getRuleId));
  const restoredRules = new RestoredRules(
    entry,
    [...now.values()].filter((rule) => !old.has(getRuleId(rule)) && !claimed.has(getRuleId(rule))),
  );
  const before = [...old.values()].filter((rule) => touched.has(getRuleId(rule)));
  const missing = before.filter((rule) => !now.has(getRuleId(rule)) && !restoredRules.takes(rule));
  const changed = before.flatMap((rule) => {
    const is = now.get(getRuleId(rule));
    return is === undefined || isSameRule(is, rule) ? [] : [{ before: is, after: rule }];
  });
  // Live rules can't be updated: the current replacement is deleted, and the old rule is restored.
  const isLive = subject.kind === 'live';
  return {
    adds: [...missing, ...(isLive ? changed.map(({ after }) => after) : [])],
    deletes: [...made.rules, ...(isLive ? changed.map((one) => one.before) : [])],
    updates: isLive ? [] : changed,
  };
}

/** Returns whether an entry deletes all rules of a column: that is one request, so it is never partly done. */
const deletesColumnRules = ({ operation: { writes } }: HistoryEntry): boolean =>
  writes.some((write) => getRuleAction(write) === 'delete-many');

/** Computes how to reverse an unfinished change, based on the server's current rules. */
function getStoppedReversal(entry: HistoryEntry, subject: RuleSubject, inverse: InverseWrites): RuleReversal {
  const { writes } = entry.operation;
  const groups = getRuleGroups(writes).filter((group) => isSameSubject(group.subject, subject));
  const sent = groups
    .flatMap((group) => group.writes)
    .filter((index) => entry.writes[index]?.state !== 'waiting');
  const former = [...getRulesBefore(entry, subject).values()];
  const { edits, denied: ofWrites } = getRuleEdits({ subject, writes: sent }, writes, former);
  const target = createRuleTarget(subject.kind, former, edits);
  const denied = new Set([...entry.denied, ...ofWrites]);
  const current = toHeldRules([...inverse.getRules(subject).values()]);
  try {
    getRemainingItems(current, target, { denied, made: new Set(entry.made), sent: new Set(target.wanted) });
  } catch (error) {
    if (error instanceof RulesChangedError) {
      // Another user has changed the rule. Marking it as missing makes the undo stop with a conflict.
      inverse.addMissing({ kind: 'rule', subject, ruleId: getRuleId(error.rule) });
    } else if (!(error instanceof RulesDifferError)) {
      throw error;
    }
  }
  const reversal = createReverseTarget(current, target, denied, new Set(entry.made));
  const wanted = reversal.wanted.filter(({ isEdited }) => isEdited);
  const keptIds = new Set(reversal.wanted.flatMap((one) => one.previous?.id ?? []));
  const frozen = getDeniedInPlace(current, reversal, denied);
  const changed = [
    ...wanted.flatMap((one) =>
      one.previous === undefined || fulfills(one.previous, one.held)
        ? []
        : [{ before: one.previous.rule, after: one.held.rule }],
    ),
    ...frozen,
  ];
  const isLive = subject.kind === 'live';
  const frozenNow = new Set(frozen.map(({ before }) => before));
  const removedRules = [...reversal.previousById.values()]
    .filter(({ id, rule }) => !keptIds.has(id) && !frozenNow.has(rule))
    .map(({ rule }) => rule);
  return {
    adds: [
      ...wanted.filter((one) => one.previous === undefined).map(({ held }) => held.rule),
      ...(isLive ? changed.map(({ after }) => after) : []),
    ],
    deletes: [...removedRules, ...(isLive ? changed.map(({ before }) => before) : [])],
    updates: isLive ? [] : changed,
  };
}

/** Returns the restoring updates of rules that the operation did not change, but temporarily denied in place. */
function getDeniedInPlace(
  current: readonly HeldRule[],
  { wanted }: RuleTarget,
  denied: ReadonlySet<string>,
): RuleReversal['updates'] {
  const bySpot = Map.groupBy(current, getSpotKey);
  return wanted.flatMap(({ held, isEdited }) => {
    const rulesOnSpot = bySpot.get(getSpotKey(held)) ?? [];
    const now = rulesOnSpot.find((rule) => deniesAll(rule) && denied.has(getSpotKey(rule)));
    return isEdited || now === undefined || rulesOnSpot.some((rule) => fulfills(rule, held))
      ? []
      : [{ before: now.rule, after: held.rule }];
  });
}

/** Returns the rules of a subject that an entry recorded before the operation, by their IDs. */
function getRulesBefore({ before }: HistoryEntry, subject: RuleSubject): ReadonlyMap<string, JsonObject> {
  const kept = before.filter(({ ref }) => 'subject' in ref && isSameSubject(ref.subject, subject));
  const rules = kept.flatMap(({ ref, document }) =>
    getObjects(ref.kind === 'rule' && document !== undefined ? [document] : document),
  );
  return new Map(rules.map((rule) => [getRuleId(rule), rule]));
}

/** Returns the IDs of the existing rules that a write changes or deletes. */
function getAffectedRules(write: Write, old: ReadonlyMap<string, JsonObject>) {
  const { params, batch } = write;
  if (getRuleAction(write) === 'delete-many') {
    const { table, column } = params;
    return [...old.values()]
      .filter((rule) => rule['table'] === table && rule['column'] === column)
      .map(getRuleId);
  }
  return batch?.ids ?? [getText(params['ruleId'])];
}

/** Finds rules that were already restored under an unknown ID, for example by an interrupted undo. */
class RestoredRules {
  readonly #places: readonly string[];
  readonly #rules: ReadonlyMap<string, JsonObject[]>;

  /** @param rules current rules that did not exist before and that the operation did not create */
  constructor({ before }: HistoryEntry, rules: readonly JsonObject[]) {
    this.#rules = Map.groupBy(rules, getCreatedRuleKey);
    // On columns that were not read, a rule with the same content may have existed before.
    this.#places = before.flatMap(({ ref }) =>
      ref.kind === 'rules' ? [''] : ref.kind === 'columnRules' ? [getColumnKey(ref)] : [],
    );
  }

  /** Returns whether a rule was already restored, and removes the match so that it counts only once. */
  takes(rule: JsonObject): boolean {
    const isKnown = this.#places.includes('') || this.#places.includes(getColumnKey(rule));
    return isKnown && this.#rules.get(getCreatedRuleKey(rule))?.pop() !== undefined;
  }
}

const getColumnKey = ({ table, column }: { readonly table?: unknown; readonly column?: unknown }): string =>
  JSON.stringify([table, column]);

/** Fields that {@link getCreatedRuleKey} compares by meaning, and fields that the server assigns. */
const readFields: readonly string[] = [
  ...ruleIdentityFields,
  'members',
  'allMembers',
  'exclusionary',
  'shares',
];

/** Returns whether two versions of a rule are equal; their spelling may differ. */
const isSameRule = (a: JsonObject, b: JsonObject): boolean =>
  getCreatedRuleKey(a) === getCreatedRuleKey(b) && jsonEquals(a, b, (name) => readFields.includes(name));

/** Undoes the replacement of one live rule by another replacement. Returns whether the reversal is such a case. */
function replacesLiveRule(
  { operation }: HistoryEntry,
  { subject, back: reversal }: { readonly subject: RuleSubject; readonly back: RuleReversal },
  inverse: InverseWrites,
): boolean {
  const [[next, ...others], [old, ...more]] = [reversal.deletes, reversal.adds];
  if (
    subject.kind !== 'live' ||
    next === undefined ||
    old === undefined ||
    others.length + more.length > 0 ||
    getColumnKey(next) !== getColumnKey(old) ||
    !isLiveReplacement(operation.writes)
  ) {
    return false;
  }
  const [created] = inverse.addAll(liveRuleReplacement(subject, next, old));
  if (created !== undefined) {
    inverse.addMovedId(getRuleId(old), { write: created[0], from: [0, '_id'] });
  }
  inverse.addLoss({ code: 'new-id', name: operation.subject.name });
  return true;
}
