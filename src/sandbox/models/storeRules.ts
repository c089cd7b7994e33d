import { type JsonObject, stringify } from '../../base/json.ts';
import { getTimestamp } from '../editContext.ts';
import { parseDocument, getTextMember } from '../documents.ts';
import type { RouteServices } from '../routeServices.ts';
import { type StoredRuleSubject, getSubjectOfRule } from '../store/ruleStore.ts';
import { updateRuleDocument, createStoredRuleDocument } from './ruleDocument.ts';
import { getSharesKey } from './ruleShares.ts';

/** A rule of a column, with the key of its shares (see `getSharesKey`). */
interface ColumnRule {
  readonly rule: JsonObject;
  readonly sharesKey: string;
}

/**
 * Stores the rules of one POST in order, in one transaction (decisions.md, "Sandbox"). If the column already has a rule
 * with exactly the same shares, also one of the same POST, the profile decides whether the new rule is added or
 * overwrites it. A live rule is checked against the other rules of its column (decisions.md, "Two kinds of server").
 * @returns the stored document of each rule
 * @throws HttpProblem 400 when the profile rejects a live rule
 */
export function storeRules(
  { store, clock, ids, profile }: RouteServices,
  kind: StoredRuleSubject['kind'],
  inputs: readonly JsonObject[],
): JsonObject[] {
  const timestamp = getTimestamp(clock);
  const { sameShares, checkLiveParties } = profile.rules;
  const insertRule = (rule: JsonObject): JsonObject => {
    const document = createStoredRuleDocument(rule, ids.createObjectId(), timestamp, store.people);
    store.rules.insert(kind, document);
    return document;
  };
  const checkParties = kind === 'live' ? checkLiveParties : undefined;
  if (sameShares === 'add' && checkParties === undefined) {
    // In this mode rules do not depend on each other, so the existing ones need not be read.
    return store.transaction(() => inputs.map(insertRule));
  }
  const rulesByColumn = new Map<string, ColumnRule[]>();
  const writeRule = (rule: JsonObject): JsonObject => {
    const columnRules = readColumnRules(store, rulesByColumn, kind, rule);
    const sharesKey = getSharesKey(rule);
    if (checkParties !== undefined) {
      const otherRules = columnRules.filter((other) => other.sharesKey !== sharesKey);
      checkParties(
        rule,
        otherRules.map((other) => other.rule),
        store.people,
      );
    }
    const index = sameShares === 'add' ? -1 : columnRules.findIndex((other) => other.sharesKey === sharesKey);
    const existingRule = columnRules[index]?.rule;
    if (existingRule !== undefined && sameShares === 'overwrite') {
      const updatedRule = updateRuleDocument(rule, existingRule, timestamp, store.people);
      store.rules.update(kind, updatedRule);
      columnRules[index] = { rule: updatedRule, sharesKey };
      return updatedRule;
    }
    if (existingRule !== undefined) {
      store.rules.delete(kind, getTextMember(existingRule, '_id'));
      columnRules.splice(index, 1);
    }
    const document = insertRule(rule);
    columnRules.push({ rule: document, sharesKey });
    return document;
  };
  return store.transaction(() => inputs.map(writeRule));
}

/** Returns the rules of a rule's column, read once per column of a POST and cached in `rulesByColumn`. */
function readColumnRules(
  store: RouteServices['store'],
  rulesByColumn: Map<string, ColumnRule[]>,
  kind: StoredRuleSubject['kind'],
  rule: JsonObject,
): ColumnRule[] {
  const subject = getSubjectOfRule(kind, rule);
  const columnName = { table: getTextMember(rule, 'table'), column: getTextMember(rule, 'column') };
  const key = stringify([subject, columnName]);
  const cachedRules = rulesByColumn.get(key);
  if (cachedRules !== undefined) {
    return cachedRules;
  }
  const columnRules = store.rules
    .getTexts(subject, columnName)
    .map(parseDocument)
    .map((stored) => ({ rule: stored, sharesKey: getSharesKey(stored) }));
  rulesByColumn.set(key, columnRules);
  return columnRules;
}
