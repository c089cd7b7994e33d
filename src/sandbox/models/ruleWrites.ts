import { type JsonObject, stringify } from '../../base/json.ts';
import { getTimestamp } from '../context.ts';
import { parseDocument, getTextMember } from '../documents.ts';
import type { RouteServices } from '../routeServices.ts';
import { type RuleScope, getRuleScope } from '../store/ruleStore.ts';
import { updateRuleDocument, createStoredRuleDocument } from './ruleDocument.ts';
import { getSharesKey } from './ruleShares.ts';

/** A rule of a column, with the key of its shares (see `getSharesKey`). */
interface ColumnRule {
  readonly rule: JsonObject;
  readonly shares: string;
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
  kind: RuleScope['kind'],
  sent: readonly JsonObject[],
): JsonObject[] {
  const now = getTimestamp(clock);
  const { sameShares, checkLiveParties } = profile.rules;
  const insertRule = (rule: JsonObject): JsonObject => {
    const document = createStoredRuleDocument(rule, ids.createObjectId(), now, store.people);
    store.rules.insert(kind, document);
    return document;
  };
  const check = kind === 'live' ? checkLiveParties : undefined;
  if (sameShares === 'add' && check === undefined) {
    // In this mode rules do not depend on each other, so the existing ones need not be read.
    return store.transaction(() => sent.map(insertRule));
  }
  const columns = new Map<string, ColumnRule[]>();
  const writeRule = (rule: JsonObject): JsonObject => {
    const column = readColumnRules(store, columns, kind, rule);
    const shares = getSharesKey(rule);
    if (check !== undefined) {
      const others = column.filter((other) => other.shares !== shares);
      check(
        rule,
        others.map((other) => other.rule),
        store.people,
      );
    }
    const at = sameShares === 'add' ? -1 : column.findIndex((other) => other.shares === shares);
    const before = column[at]?.rule;
    if (before !== undefined && sameShares === 'overwrite') {
      const changed = updateRuleDocument(rule, before, now, store.people);
      store.rules.update(kind, changed);
      column[at] = { rule: changed, shares };
      return changed;
    }
    if (before !== undefined) {
      store.rules.delete(kind, getTextMember(before, '_id'));
      column.splice(at, 1);
    }
    const document = insertRule(rule);
    column.push({ rule: document, shares });
    return document;
  };
  return store.transaction(() => sent.map(writeRule));
}

/** Returns the rules of a rule's column, read once per column of a POST and cached in `rulesByColumn`. */
function readColumnRules(
  store: RouteServices['store'],
  columns: Map<string, ColumnRule[]>,
  kind: RuleScope['kind'],
  rule: JsonObject,
): ColumnRule[] {
  const scope = getRuleScope(kind, rule);
  const dimension = { table: getTextMember(rule, 'table'), column: getTextMember(rule, 'column') };
  const key = stringify([scope, dimension]);
  const known = columns.get(key);
  if (known !== undefined) {
    return known;
  }
  const read = store.rules
    .getTexts(scope, dimension)
    .map(parseDocument)
    .map((stored) => ({ rule: stored, shares: getSharesKey(stored) }));
  columns.set(key, read);
  return read;
}
