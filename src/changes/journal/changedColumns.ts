import type { JsonObject } from '../../base/json.ts';
import { getRefKey } from '../../catalog/resourceRef.ts';
import { isSameSubject, type RuleSubject } from '../../catalog/ruleSubject.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import type { CurrentDocuments } from '../model/inverseWrites.ts';
import type { Write } from '../model/operation.ts';
import { getObjects, getText } from '../model/jsonMembers.ts';
import type { RuleColumn } from '../rules/nameEffects.ts';
import { deniesAll, parseRuleDocuments } from '../rules/parsedRuleDocument.ts';
import { getRuleAction } from '../rules/ruleAction.ts';
import { getRuleWriteGroups } from '../rules/ruleWriteGroup.ts';
import { collectRules, getRuleEdits } from '../rules/ruleEdits.ts';
import { getRuleId, type RuleReversal } from '../rules/ruleReversal.ts';
import type { RuleEdit } from '../rules/ruleTarget.ts';
import { getRuleMeaningKey } from './createdRules.ts';
import type { HistoryEntry, WriteState } from './entry.ts';
import { mayTakeEffectLater } from './stoppedOperation.ts';
import { mayBeDone } from './writtenDocuments.ts';

/** A column whose rules were changed after an entry. */
export interface ChangedColumn {
  readonly subject: RuleSubject;
  readonly table: string;
  readonly column: string;
  /** Its rules after the entry. */
  readonly expectedRules: readonly JsonObject[];
  /** Its current rules. */
  readonly currentRules: readonly JsonObject[];
}

/** What to do with the rules of columns that were changed later, by {@link getRuleColumnKey}. */
export interface RuleChoices {
  /** The columns whose rules stay as they are. */
  readonly keptColumns: ReadonlySet<string>;
  /** The columns whose rules become exactly those from before the entry. */
  readonly overwrittenColumns: ReadonlySet<string>;
}

/** Returns the key of a column of a datamodel or cube set. */
export const getRuleColumnKey = (
  subject: RuleSubject,
  { table, column }: { readonly table?: unknown; readonly column?: unknown },
): string => JSON.stringify([subject, getText(table), getText(column)]);

/**
 * Finds the columns of a rule change whose rules were changed later. Rules are compared by their meaning, since undoing
 * and restoring changes their IDs.
 * @param ownEntries entries whose changes are not reported, oldest first: the entry itself, and for a restore the later
 *   ones
 */
export function findChangedColumns(
  subject: RuleSubject,
  ownEntries: readonly HistoryEntry[],
  currentDocuments: CurrentDocuments,
): readonly ChangedColumn[] {
  const [entry] = ownEntries;
  const key = getRefKey({ kind: 'rules', subject });
  const currentDocument = currentDocuments.find(({ ref }) => getRefKey(ref) === key);
  if (entry === undefined || currentDocument === undefined) {
    return [];
  }
  const expectedRules = replayWrites(subject, ownEntries);
  const getKey = (rule: JsonObject): string => getRuleColumnKey(subject, rule);
  const [expectedByColumn, currentByColumn] = [
    Map.groupBy(expectedRules, getKey),
    Map.groupBy(getObjects(currentDocument.document), getKey),
  ];
  return findRuleColumns(entry, subject).flatMap(({ table, column }) => {
    const columnKey = getRuleColumnKey(subject, { table, column });
    const changedColumn = {
      subject,
      table,
      column,
      expectedRules: expectedByColumn.get(columnKey) ?? [],
      currentRules: currentByColumn.get(columnKey) ?? [],
    };
    const isChanged =
      entry.end === 'done'
        ? getMeaningKey(changedColumn.expectedRules) !== getMeaningKey(changedColumn.currentRules)
        : hasUnexpectedRule(entry, changedColumn);
    return isChanged ? [changedColumn] : [];
  });
}

const getMeaningKey = (rules: readonly JsonObject[]): string =>
  JSON.stringify(rules.map(getRuleMeaningKey).sort());

/**
 * Returns whether a column has a rule that an unfinished change neither found nor requested. How much of the change is
 * done is unknown, so missing rules prove nothing.
 */
function hasUnexpectedRule(entry: HistoryEntry, { subject, currentRules }: ChangedColumn): boolean {
  const expectedKeys = new Set(
    [...collectRules(entry.before, subject), ...getRequestedRules(entry, subject)].map(getRuleMeaningKey),
  );
  return parseRuleDocuments(currentRules).some(
    (rule) => !deniesAll(rule) && !expectedKeys.has(getRuleMeaningKey(rule.document)),
  );
}

/**
 * Finds the columns whose rules a stopped change has changed, or may have changed, and whose current rules are exactly
 * what it has left: those from before, without what it has deleted and with what it has added. If the outcome of a
 * write is unknown, its rule may be as before the write or as after it; a rule that it may have updated must exist in
 * one of the two states. Rules are compared by their meaning and data type.
 */
export function findUnchangedColumns(
  entry: HistoryEntry,
  subject: RuleSubject,
  currentRules: readonly JsonObject[],
): readonly RuleColumn[] {
  const previousRules = collectRules(entry.before, subject);
  const doneEdits = getEdits(entry, subject, previousRules, isDone);
  const possibleEdits = getEdits(entry, subject, previousRules, mayBeDone);
  return getColumns([...doneEdits, ...possibleEdits]).filter(({ table, column }) => {
    const getKeys = (rules: readonly (JsonObject | undefined)[]): readonly string[] =>
      rules
        .filter((rule) => rule !== undefined)
        .filter((rule) => getText(rule['table']) === table && getText(rule['column']) === column)
        .map((rule) => JSON.stringify([getRuleMeaningKey(rule), rule['datatype']]));
    const possibleStates = possibleEdits.map(({ before, after }) => [getKeys([before]), getKeys([after])]);
    const deleted = getKeys(doneEdits.map(({ before }) => before));
    const requiredKeys = [
      ...subtract(getKeys(previousRules), [...deleted, ...possibleStates.flatMap(([before = []]) => before)])
        .rest,
      ...getKeys(doneEdits.map(({ after }) => after)),
    ];
    let { rest, missing } = subtract(getKeys(currentRules), requiredKeys);
    for (const states of possibleStates) {
      // A rule that may have been deleted or added can also be absent. If neither state fits, the empty text counts as
      // one missing rule.
      const [state = { rest, missing: [''] }] = states
        .toSorted((a, b) => b.length - a.length)
        .map((keys) => subtract(rest, keys))
        .filter((found) => found.missing.length === 0);
      rest = state.rest;
      missing = [...missing, ...state.missing];
    }
    return missing.length + rest.length === 0;
  });
}

/**
 * Returns whether a later change of rules has replaced what a stopped one has left. If the stopped change also affects
 * columns that the later one doesn't change, these columns must have been finished when the later one began: they had
 * exactly the rules that the stopped change wants, or exactly the rules from before it and none of its requests may
 * still take effect.
 */
export const supersedesRuleChange = (later: HistoryEntry, stopped: HistoryEntry): boolean =>
  getRuleWriteGroups(stopped.operation.writes).every(({ subject }) => {
    const current = collectRules(later.before, subject);
    const previous = collectRules(stopped.before, subject);
    const edits = getEdits(stopped, subject, previous);
    const replacedKeys = new Set(
      getColumns(getEdits(later, subject, current)).map((column) => getRuleColumnKey(subject, column)),
    );
    const otherKeys = new Set(
      getColumns(edits)
        .map((column) => getRuleColumnKey(subject, column))
        .filter((key) => !replacedKeys.has(key)),
    );
    if (otherKeys.size === 0) {
      return true;
    }
    const getKeys = (rules: readonly (JsonObject | undefined)[]): readonly string[] =>
      rules
        .filter((rule) => rule !== undefined)
        .filter((rule) => otherKeys.has(getRuleColumnKey(subject, rule)))
        .map(getRuleMeaningKey);
    const wantedKeys = [
      ...subtract(getKeys(previous), getKeys(edits.map(({ before }) => before))).rest,
      ...getKeys(edits.map(({ after }) => after)),
    ];
    const isKnown = later.before.some(({ ref }) => getRefKey(ref) === getRefKey({ kind: 'rules', subject }));
    const mayChangeLater = stopped.writeStates.some((_state, index) => mayTakeEffectLater(stopped, index));
    return (
      isKnown &&
      (isSameList(getKeys(current), wantedKeys) ||
        (!mayChangeLater && isSameList(getKeys(current), getKeys(previous))))
    );
  });

/** Returns whether two lists contain the same texts in any order. */
function isSameList(a: readonly string[], b: readonly string[]): boolean {
  const { rest, missing } = subtract(a, b);
  return rest.length + missing.length === 0;
}

/** Removes texts from a list, each once. Returns what is left, and what the list didn't contain. */
function subtract(
  list: readonly string[],
  removed: readonly string[],
): { readonly rest: readonly string[]; readonly missing: readonly string[] } {
  const rest = [...list];
  const missing = removed.filter((text) => {
    const index = rest.indexOf(text);
    if (index !== -1) {
      rest.splice(index, 1);
    }
    return index === -1;
  });
  return { rest, missing };
}

const isDone = ({ state }: WriteState): boolean => state === 'done';

/** Returns the rules after the completed writes of some entries, as far as the entries contain them. */
function replayWrites(subject: RuleSubject, entries: readonly HistoryEntry[]): readonly JsonObject[] {
  const items = new Set<{ readonly rule: JsonObject }>();
  const itemsByKey = new Map<string, { readonly rule: JsonObject }[]>();
  const add = (rule: JsonObject): void => {
    const key = getRuleMeaningKey(rule);
    const itemsOfKey = itemsByKey.get(key) ?? [];
    const item = { rule };
    items.add(item);
    itemsOfKey.push(item);
    itemsByKey.set(key, itemsOfKey);
  };
  const remove = (rule: JsonObject): void => {
    const item = itemsByKey.get(getRuleMeaningKey(rule))?.shift();
    if (item !== undefined) {
      items.delete(item);
    }
  };
  collectRules(entries[0]?.before ?? [], subject).forEach(add);
  for (const entry of entries) {
    const before = collectRules(entry.before, subject);
    for (const { before: removed, after: added } of getEdits(entry, subject, before, isDone)) {
      if (removed !== undefined) {
        remove(removed);
      }
      if (added !== undefined) {
        add(added);
      }
    }
  }
  return [...items].map(({ rule }) => rule);
}

const getRequestedRules = (entry: HistoryEntry, subject: RuleSubject): readonly JsonObject[] =>
  getEdits(entry, subject, collectRules(entry.before, subject))
    .map(({ after }) => after)
    .filter((rule) => rule !== undefined);

/** A rule that a write removes or adds, or both if it changes one. */
type Edit = Pick<RuleEdit, 'before' | 'after'>;

/** Returns the rules that the writes of an entry remove and add. */
function getEdits(
  { operation, writeStates }: HistoryEntry,
  subject: RuleSubject,
  before: readonly JsonObject[],
  isCounted: (state: WriteState) => boolean = () => true,
): readonly Edit[] {
  const indices = operation.writes.flatMap((write, index) => {
    const written = getWriteRuleSubject(write);
    return written !== undefined &&
      isSameSubject(written, subject) &&
      isCounted(writeStates[index] ?? { state: 'waiting' })
      ? [index]
      : [];
  });
  const { edits } = getRuleEdits(
    {
      subject,
      writeIndices: indices.filter((index) => !deletesMany(operation.writes[index])),
    },
    operation.writes,
    before,
  );
  const editsByWrite = Map.groupBy(edits, ({ writeIndex }) => writeIndex);
  return indices.flatMap((index): readonly Edit[] => {
    const write = operation.writes[index];
    if (write !== undefined && deletesMany(write)) {
      const { table, column } = write.params;
      return before
        .filter((rule) => rule['table'] === table && rule['column'] === column)
        .map((rule) => ({ before: rule }));
    }
    return (editsByWrite.get(index) ?? []).map((edit) =>
      edit.before !== undefined && edit.after !== undefined
        ? { before: edit.before, after: { ...edit.before, ...edit.after } }
        : edit,
    );
  });
}

const deletesMany = (write: Write | undefined): boolean =>
  write !== undefined && getRuleAction(write) === 'delete-many';

/** Returns the columns whose rules an entry changes, or its writes in some states, each once. */
export const findRuleColumns = (
  entry: HistoryEntry,
  subject: RuleSubject,
  isCounted?: (state: WriteState) => boolean,
): readonly RuleColumn[] =>
  getColumns(getEdits(entry, subject, collectRules(entry.before, subject), isCounted));

/** Returns the columns whose rules some edits change, each once. */
function getColumns(edits: readonly Edit[]): readonly RuleColumn[] {
  const rules = edits.flatMap(({ before, after }) => [before, after]).filter((rule) => rule !== undefined);
  const columns = rules.map((rule) => ({ table: getText(rule['table']), column: getText(rule['column']) }));
  return [...new Map(columns.map((column) => [JSON.stringify(column), column])).values()];
}

/**
 * Applies what the user has decided about columns that were changed later to the reversal of a rule change.
 * @param previousRules the rules before the change; all those of the affected columns
 */
export function applyRuleChoices(
  reversal: RuleReversal,
  subject: RuleSubject,
  { keptColumns: kept, overwrittenColumns: overwritten }: RuleChoices,
  {
    previousRules,
    currentRules,
  }: { readonly previousRules: readonly JsonObject[]; readonly currentRules: readonly JsonObject[] },
): RuleReversal {
  const isUndecided = (rule: JsonObject): boolean => {
    const key = getRuleColumnKey(subject, rule);
    return !kept.has(key) && !overwritten.has(key);
  };
  const isOverwritten = (rule: JsonObject): boolean => overwritten.has(getRuleColumnKey(subject, rule));
  const exactReversal = getExactReversal(subject, {
    previousRules: previousRules.filter(isOverwritten),
    currentRules: currentRules.filter(isOverwritten),
  });
  return {
    adds: [...reversal.adds.filter(isUndecided), ...exactReversal.adds],
    deletes: [...reversal.deletes.filter(isUndecided), ...exactReversal.deletes],
    updates: [...reversal.updates.filter(({ after }) => isUndecided(after)), ...exactReversal.updates],
  };
}

/** Returns the changes that turn the current rules into the previous ones, no matter who has changed them. */
function getExactReversal(
  subject: RuleSubject,
  {
    previousRules,
    currentRules,
  }: { readonly previousRules: readonly JsonObject[]; readonly currentRules: readonly JsonObject[] },
): RuleReversal {
  const currentById = new Map(currentRules.map((rule) => [getRuleId(rule), rule]));
  const changed = previousRules.flatMap((after) => {
    const before = currentById.get(getRuleId(after));
    return before === undefined ? [] : [{ before, after }];
  });
  const matchedIds = new Set(changed.map(({ after }) => getRuleId(after)));
  const unmatchedRules = Map.groupBy(
    currentRules.filter((rule) => !matchedIds.has(getRuleId(rule))),
    getRuleMeaningKey,
  );
  const adds = previousRules.filter(
    (rule) =>
      !matchedIds.has(getRuleId(rule)) && unmatchedRules.get(getRuleMeaningKey(rule))?.pop() === undefined,
  );
  const updates = changed.filter(
    ({ before, after }) => getRuleMeaningKey(before) !== getRuleMeaningKey(after),
  );
  // Live rules can't be updated: the current rule is deleted, and the old one is restored.
  const isLive = subject.kind === 'live';
  return {
    adds: [...adds, ...(isLive ? updates.map(({ after }) => after) : [])],
    deletes: [...[...unmatchedRules.values()].flat(), ...(isLive ? updates.map(({ before }) => before) : [])],
    updates: isLive ? [] : updates,
  };
}
