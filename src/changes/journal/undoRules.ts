import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonObject } from '../../base/json.ts';
import { type RuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import {
  deniesAll,
  type ParsedRuleDocument,
  parseRuleDocuments,
  fulfills,
  getScopeKey,
} from '../rules/parsedRuleDocument.ts';
import { createReverseTarget } from '../rules/reverseTarget.ts';
import { isRuleWrite, getRuleAction } from '../rules/ruleAction.ts';
import { getRemainingItems, RulesChangedError, RulesDifferError } from '../rules/ruleItems.ts';
import { type RuleTarget, createRuleTarget } from '../rules/ruleTarget.ts';
import { ruleIdentityFields } from '../../contract/rule.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import { isLiveReplacement, createLiveRuleReplacementWrites } from '../rules/ruleWrites.ts';
import type { Write } from '../model/operation.ts';
import { getRuleEdits } from '../rules/ruleEdits.ts';
import { type RuleWriteGroup, getRuleWriteGroups } from '../rules/ruleWriteGroup.ts';
import type { HistoryEntry } from './entry.ts';
import type { InverseWrites } from '../model/inverseWrites.ts';
import { findEffectiveWrites } from './stoppedOperation.ts';
import { applyRuleChoices, type RuleChoices } from './changedColumns.ts';
import { createRemovalCheck, mayHaveRemovedRules } from './removedRules.ts';
import { findRestoredNameRules, type RestoredNames, overwriteRestoredColumns } from './restoredNames.ts';
import { findCreatedRules, getRuleMeaningKey } from './createdRules.ts';
import { getObjects, getText } from '../model/jsonMembers.ts';
import {
  addReversalWrites,
  emptyReversal,
  filterReversal,
  getRuleId,
  type RuleReversal,
} from '../rules/ruleReversal.ts';

/** Returns whether an operation changes only rules; they are then undone as one change. */
export const isRuleChange = ({ operation: { writes } }: HistoryEntry): boolean => writes.every(isRuleWrite);

/** Returns the subjects of all rules that an entry changes, or that it has recorded because its writes rely on them. */
export function getEntryRuleSubjects({ operation, before }: HistoryEntry): readonly RuleSubject[] {
  const subjects = [
    ...operation.writes.flatMap((write) => getWriteRuleSubject(write) ?? []),
    ...before.flatMap(({ ref }) => ('subject' in ref ? [ref.subject] : [])),
  ];
  return subjects.filter(
    (subject, index) => subjects.findIndex((other) => isSameSubject(other, subject)) === index,
  );
}

/**
 * Undoes a rule change, even an incomplete one: deletes added rules that still exist, restores deleted rules that
 * don't, reverts changed ones, and deletes leftover temporary deny rules. The current rules show how much of an
 * unfinished write was done.
 */
export function undoRules(entry: HistoryEntry, inverse: InverseWrites, choices: RuleChoices): void {
  for (const subject of getEntryRuleSubjects(entry)) {
    const reversal = createRuleReversal(entry, subject, { inverse, choices });
    undoRuleGroup(entry, { subject, reversal }, inverse);
  }
}

/** How to undo the rule changes of one datamodel or cube set among other writes. */
export interface SplitRuleReversal {
  /** What comes before all other writes: the rules on names that the undo gives back. */
  readonly first: RuleReversal;
  /** The other changes, by the index of the last write of the group in whose place they come. */
  readonly byGroup: ReadonlyMap<number, RuleReversal>;
}

/**
 * Computes how to undo the rule changes of one datamodel or cube set among other writes. The rules on names that the
 * undo gives back come first, also those that others have deleted: while the name doesn't exist, they restrict nothing.
 * The rules of any other column are undone as one change, in place of the last group of writes that has changed them.
 * Since writes are undone in reverse order, a column is then never without rules, for example between the renaming of a
 * column and the deletion of the rules on its other name. If others have changed the rules on a name that the undo
 * gives back in another way, the undo gets a conflict.
 */
export function splitRuleReversal(
  entry: HistoryEntry,
  subject: RuleSubject,
  {
    inverse,
    choices,
    returned,
  }: {
    readonly inverse: InverseWrites;
    readonly choices: RuleChoices;
    /** The names that the undo gives back. */
    readonly returned: RestoredNames;
  },
): SplitRuleReversal {
  const isReturned = (rule: JsonObject): boolean => returned.has(rule, 'possibly');
  const { writes } = entry.operation;
  const groups = getRuleWriteGroups(writes).filter((group) => isSameSubject(group.subject, subject));
  const previousRules = [...getRulesBefore(entry, subject).values()];
  const getLastIndex = (group: RuleWriteGroup): number => group.writeIndices.at(-1) ?? 0;
  const effectiveWrites = findEffectiveWrites(entry);
  const indicesByColumn = new Map(
    groups
      .filter(({ writeIndices }) => writeIndices.some((index) => effectiveWrites.has(index)))
      .flatMap((group) =>
        getRuleEdits(group, writes, previousRules)
          .edits.flatMap(({ before, after }) => [before ?? [], after ?? []].flat())
          .map((rule) => [getColumnKey(rule), getLastIndex(group)] as const),
      ),
  );
  const reversal =
    groups.length === 0
      ? emptyReversal
      : createRuleReversal(entry, subject, {
          inverse,
          choices: overwriteRestoredColumns(choices, subject, previousRules, returned),
        });
  const currentRules = [...inverse.getRules(subject).values()];
  const { missing, conflicts } = findRestoredNameRules(previousRules, currentRules, reversal, returned);
  if (previousRules.some(isReturned)) {
    inverse.requireVersion({ kind: 'rules', subject });
  }
  for (const column of conflicts) {
    inverse.addConflict({ kind: 'columnRules', subject, ...column });
  }
  const first = filterReversal(reversal, isReturned);
  return {
    first: { ...first, adds: [...first.adds, ...missing] },
    byGroup: new Map(
      groups
        .map(getLastIndex)
        .map((groupIndex, _position, all) => [
          groupIndex,
          filterReversal(
            reversal,
            (rule) =>
              !isReturned(rule) && (indicesByColumn.get(getColumnKey(rule)) ?? all.at(-1)) === groupIndex,
          ),
        ]),
    ),
  };
}

function createRuleReversal(
  entry: HistoryEntry,
  subject: RuleSubject,
  { inverse, choices }: { readonly inverse: InverseWrites; readonly choices: RuleChoices },
): RuleReversal {
  const fullReversal =
    entry.end === 'done' || deletesColumnRules(entry)
      ? getRuleReversal(entry, subject, inverse)
      : getReversalOfStoppedChange(entry, subject, inverse);
  return applyRuleChoices(fullReversal, subject, choices, {
    previousRules: [...getRulesBefore(entry, subject).values()],
    currentRules: [...inverse.getRules(subject).values()],
  });
}

/** Adds the writes that undo the rule changes of one datamodel or cube set, or of some of its columns. */
export function undoRuleGroup(
  entry: HistoryEntry,
  group: { readonly subject: RuleSubject; readonly reversal: RuleReversal },
  inverse: InverseWrites,
): void {
  if (!tryReplaceLiveRule(entry, group, inverse)) {
    addReversalWrites(group.subject, group.reversal, inverse);
  }
}

function getRuleReversal(entry: HistoryEntry, subject: RuleSubject, inverse: InverseWrites): RuleReversal {
  const previousRules = getRulesBefore(entry, subject);
  const currentRules = inverse.getRules(subject);
  const created = findCreatedRules(entry, { subject, currentRules, previousRules });
  for (const ruleId of created.missingIds) {
    inverse.addConflict({ kind: 'rule', subject, ruleId });
  }
  const effectiveWrites = findEffectiveWrites(entry);
  const affectedIds = new Set(
    entry.operation.writes.flatMap((write, index) =>
      effectiveWrites.has(index) ? getAffectedRuleIds(write, previousRules) : [],
    ),
  );
  const createdIds = new Set(created.rules.map(getRuleId));
  const restoredRules = new RestoredRules(
    entry,
    [...currentRules.values()].filter(
      (rule) => !previousRules.has(getRuleId(rule)) && !createdIds.has(getRuleId(rule)),
    ),
  );
  const before = [...previousRules.values()].filter((rule) => affectedIds.has(getRuleId(rule)));
  const missing = before.filter(
    (rule) => !currentRules.has(getRuleId(rule)) && !restoredRules.takeMatch(rule),
  );
  const changed = before.flatMap((rule) => {
    const current = currentRules.get(getRuleId(rule));
    return current === undefined || isSameRule(current, rule) ? [] : [{ before: current, after: rule }];
  });
  // Live rules can't be updated: the current version is deleted, and the earlier one is created again.
  const isLive = subject.kind === 'live';
  return {
    adds: [...missing, ...(isLive ? changed.map(({ after }) => after) : [])],
    deletes: [...created.rules, ...(isLive ? changed.map((update) => update.before) : [])],
    updates: isLive ? [] : changed,
  };
}

/** Returns whether an entry deletes all rules of a column: that is one request, so it is never partly done. */
const deletesColumnRules = ({ operation: { writes } }: HistoryEntry): boolean =>
  writes.some((write) => getRuleAction(write) === 'delete-many');

/** Computes how to reverse an unfinished change, based on the server's current rules. */
function getReversalOfStoppedChange(
  entry: HistoryEntry,
  subject: RuleSubject,
  inverse: InverseWrites,
): RuleReversal {
  const { writes } = entry.operation;
  const writeIndices = getRuleWriteGroups(writes)
    .filter((group) => isSameSubject(group.subject, subject))
    .flatMap((group) => group.writeIndices);
  const effectiveWrites = findEffectiveWrites(entry);
  const previousRules = [...getRulesBefore(entry, subject).values()];
  const { edits, denyScopes: denyScopesOfWrites } = getRuleEdits(
    { subject, writeIndices: writeIndices.filter((index) => effectiveWrites.has(index)) },
    writes,
    previousRules,
  );
  const target = createRuleTarget(subject.kind, previousRules, edits);
  const denyScopes = new Set([...entry.denyScopes, ...denyScopesOfWrites]);
  const current = parseRuleDocuments([...inverse.getRules(subject).values()]);
  // Earlier versions recorded no requests.
  const requests = entry.requests?.filter(({ writeIndex }) => writeIndices.includes(writeIndex));
  if (
    !current.some(({ columnKey }) => target.columnKeys.has(columnKey)) &&
    requests !== undefined &&
    !requests.some(mayHaveRemovedRules)
  ) {
    // Others have deleted the rules, perhaps with the datamodel.
    return emptyReversal;
  }
  try {
    getRemainingItems(current, target, {
      denyScopes,
      createdIds: new Set(entry.createdRuleIds),
      sentRules: new Set(target.wantedRules),
    });
  } catch (error) {
    if (error instanceof RulesChangedError) {
      // Another user has changed the rule. Marking it as missing makes the undo stop with a conflict.
      inverse.addConflict({ kind: 'rule', subject, ruleId: getRuleId(error.rule) });
    } else if (!(error instanceof RulesDifferError)) {
      throw error;
    }
  }
  // The target of the undo: its `previous` rules are the current ones, and its `parsed` rules the earlier ones.
  const undoTarget = createReverseTarget(current, target, denyScopes, new Set(entry.createdRuleIds));
  const editedRules = undoTarget.wantedRules.filter(({ isEdited }) => isEdited);
  const keptIds = new Set(undoTarget.wantedRules.flatMap((wantedRule) => wantedRule.previous?.id ?? []));
  const deniedInPlace = getDeniedInPlace(current, undoTarget, denyScopes);
  const changed = [
    ...editedRules.flatMap((wantedRule) =>
      wantedRule.previous === undefined || fulfills(wantedRule.previous, wantedRule.parsed)
        ? []
        : [{ before: wantedRule.previous.document, after: wantedRule.parsed.document }],
    ),
    ...deniedInPlace,
  ];
  const isLive = subject.kind === 'live';
  const denyRulesInPlace = new Set(deniedInPlace.map(({ before }) => before));
  const removedRules = [...undoTarget.previousById.values()]
    .filter(({ id, document }) => !keptIds.has(id) && !denyRulesInPlace.has(document))
    .map(({ document }) => document);
  const mayHaveRemoved = createRemovalCheck(target, requests);
  return {
    adds: [
      ...editedRules
        .filter(({ previous, parsed }) => previous === undefined && mayHaveRemoved(parsed))
        .map(({ parsed }) => parsed.document),
      ...(isLive ? changed.map(({ after }) => after) : []),
    ],
    deletes: [...removedRules, ...(isLive ? changed.map(({ before }) => before) : [])],
    updates: isLive ? [] : changed,
  };
}

/**
 * Returns the updates that restore rules that the operation should not change, but has temporarily turned into deny
 * rules.
 */
function getDeniedInPlace(
  current: readonly ParsedRuleDocument[],
  { wantedRules }: RuleTarget,
  denyScopes: ReadonlySet<string>,
): RuleReversal['updates'] {
  const byScope = Map.groupBy(current, getScopeKey);
  return wantedRules.flatMap(({ parsed, isEdited }) => {
    const rulesInScope = byScope.get(getScopeKey(parsed)) ?? [];
    const denyRule = rulesInScope.find((rule) => deniesAll(rule) && denyScopes.has(getScopeKey(rule)));
    return isEdited || denyRule === undefined || rulesInScope.some((rule) => fulfills(rule, parsed))
      ? []
      : [{ before: denyRule.document, after: parsed.document }];
  });
}

/** Returns the rules of a subject that an entry recorded before the operation, by their IDs. */
function getRulesBefore({ before }: HistoryEntry, subject: RuleSubject): ReadonlyMap<string, JsonObject> {
  const documents = before.filter(({ ref }) => 'subject' in ref && isSameSubject(ref.subject, subject));
  const rules = documents.flatMap(({ ref, document }) =>
    getObjects(ref.kind === 'rule' && document !== undefined ? [document] : document),
  );
  return new Map(rules.map((rule) => [getRuleId(rule), rule]));
}

/** Returns the IDs of the existing rules that a write changes or deletes. */
function getAffectedRuleIds(write: Write, previousRules: ReadonlyMap<string, JsonObject>) {
  const { params, batch } = write;
  if (getRuleAction(write) === 'delete-many') {
    const { table, column } = params;
    return [...previousRules.values()]
      .filter((rule) => rule['table'] === table && rule['column'] === column)
      .map(getRuleId);
  }
  return batch?.ids ?? [getText(params['ruleId'])];
}

/** Finds rules that were already restored under an unknown ID, for example by an interrupted undo. */
class RestoredRules {
  readonly #columnKeys: readonly string[];
  readonly #rules: ReadonlyMap<string, JsonObject[]>;

  /** @param rules current rules that did not exist before and that the operation did not create */
  constructor({ before }: HistoryEntry, rules: readonly JsonObject[]) {
    this.#rules = Map.groupBy(rules, getRuleMeaningKey);
    // On columns that were not read, a rule with the same content may have existed before.
    this.#columnKeys = before.flatMap(({ ref }) =>
      ref.kind === 'rules' ? [''] : ref.kind === 'columnRules' ? [getColumnKey(ref)] : [],
    );
  }

  /** Returns whether a rule was already restored, and removes the match so that it counts only once. */
  takeMatch(rule: JsonObject): boolean {
    const wasRead = this.#columnKeys.includes('') || this.#columnKeys.includes(getColumnKey(rule));
    return wasRead && this.#rules.get(getRuleMeaningKey(rule))?.pop() !== undefined;
  }
}

const getColumnKey = ({ table, column }: { readonly table?: unknown; readonly column?: unknown }): string =>
  JSON.stringify([table, column]);

/**
 * Fields that {@link getRuleMeaningKey} compares by meaning, and fields that identify the rule or its datamodel or are
 * assigned by the server.
 */
const excludedFields: readonly string[] = [
  ...ruleIdentityFields,
  'members',
  'allMembers',
  'exclusionary',
  'shares',
];

/** Returns whether two versions of a rule are equal; their spelling may differ. */
const isSameRule = (a: JsonObject, b: JsonObject): boolean =>
  getRuleMeaningKey(a) === getRuleMeaningKey(b) && jsonEquals(a, b, (name) => excludedFields.includes(name));

/** Undoes the replacement of one live rule by another replacement; returns false if the reversal is anything else. */
function tryReplaceLiveRule(
  { operation }: HistoryEntry,
  { subject, reversal }: { readonly subject: RuleSubject; readonly reversal: RuleReversal },
  inverse: InverseWrites,
): boolean {
  const [[currentRule, ...otherDeletes], [restoredRule, ...otherAdds]] = [reversal.deletes, reversal.adds];
  if (
    subject.kind !== 'live' ||
    currentRule === undefined ||
    restoredRule === undefined ||
    otherDeletes.length + otherAdds.length > 0 ||
    getColumnKey(currentRule) !== getColumnKey(restoredRule) ||
    !isLiveReplacement(operation.writes)
  ) {
    return false;
  }
  const [created] = inverse.addAll(createLiveRuleReplacementWrites(subject, currentRule, restoredRule));
  if (created !== undefined) {
    inverse.addRestoredId(getRuleId(restoredRule), { write: created[0], from: [0, '_id'] });
  }
  inverse.addLoss({ code: 'new-rule-id', name: operation.subject.name });
  return true;
}
