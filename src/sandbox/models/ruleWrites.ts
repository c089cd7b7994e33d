import { type JsonObject, stringify } from '../../base/json.ts';
import { timestamp } from '../context.ts';
import { parseDocument, textIn } from '../documents.ts';
import type { Services } from '../services.ts';
import { type RuleScope, scopeOf } from '../store/ruleStore.ts';
import { changedRule, newRule } from './ruleDocument.ts';
import { sharesKey } from './ruleShares.ts';

/** A rule of a column, with the key of its shares at hand. */
interface Neighbour {
  readonly rule: JsonObject;
  readonly shares: string;
}

/**
 * Stores the rules of one POST in their order, all of them or none (design.md, section 5). Each meets what those before
 * it left: one with exactly the shares of a rule of its table and column is added or overwrites that one, as the
 * profile says; only then is a live one held against the other rules of the column (design.md, section 14).
 * @returns what is stored of each
 * @throws HttpProblem 400 where the profile refuses a live rule
 */
export function writeRules(
  { store, clock, ids, profile }: Services,
  kind: RuleScope['kind'],
  sent: readonly JsonObject[],
): JsonObject[] {
  const now = timestamp(clock);
  const { sameShares, checkLiveParties } = profile.rules;
  const added = (rule: JsonObject): JsonObject => {
    const document = newRule(rule, ids.objectId(), now, store.people);
    store.rules.insert(kind, document);
    return document;
  };
  const check = kind === 'live' ? checkLiveParties : undefined;
  if (sameShares === 'add' && check === undefined) {
    // None bears on another, so none is read.
    return store.transaction(() => sent.map(added));
  }
  const columns = new Map<string, Neighbour[]>();
  const write = (rule: JsonObject): JsonObject => {
    const column = neighbours(store, columns, kind, rule);
    const shares = sharesKey(rule);
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
      const changed = changedRule(rule, before, now, store.people);
      store.rules.update(kind, changed);
      column[at] = { rule: changed, shares };
      return changed;
    }
    if (before !== undefined) {
      store.rules.delete(kind, textIn(before, '_id'));
      column.splice(at, 1);
    }
    const document = added(rule);
    column.push({ rule: document, shares });
    return document;
  };
  return store.transaction(() => sent.map(write));
}

/** The rules of the column of a rule, read once for each column of a POST. */
function neighbours(
  store: Services['store'],
  columns: Map<string, Neighbour[]>,
  kind: RuleScope['kind'],
  rule: JsonObject,
): Neighbour[] {
  const scope = scopeOf(kind, rule);
  const dimension = { table: textIn(rule, 'table'), column: textIn(rule, 'column') };
  const key = stringify([scope, dimension]);
  const known = columns.get(key);
  if (known !== undefined) {
    return known;
  }
  const read = store.rules
    .texts(scope, dimension)
    .map(parseDocument)
    .map((stored) => ({ rule: stored, shares: sharesKey(stored) }));
  columns.set(key, read);
  return read;
}
