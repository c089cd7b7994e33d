import { type JsonValue, isJsonObject, memberOf } from '../base/json.ts';
import { canonicalText } from '../base/canonicalJson.ts';

/** The items of a list by what tells them apart, in the order of the list. */
export type KeyedItems = ReadonlyMap<string, JsonValue>;

/**
 * What tells the items of a list apart: the identity of columns (`oid`), rules (`_id`), columns of a viewpoint
 * (`dim`; a column may be there once per aggregation and level) and parties of a rule.
 */
const keys: readonly (readonly string[])[] = [
  ['oid'],
  ['_id'],
  ['dim'],
  ['dim', 'agg', 'level'],
  ['partyId'],
  ['party'],
];

/**
 * Three versions of a list by the key of its items; `undefined` where nothing tells its items apart in each of them.
 * What has no key yet, such as a new column, is told by all that it says.
 */
export function keyedItems(
  lists: readonly (readonly JsonValue[])[],
): readonly [KeyedItems, KeyedItems, KeyedItems] | undefined {
  const all = lists.flat();
  if (all.every((item) => typeof item === 'string')) {
    return keyed(lists, (item) => canonicalText(item));
  }
  if (!all.every(isJsonObject)) {
    return undefined;
  }
  for (const names of keys) {
    if (all.some((item) => typeof memberOf(item, names[0] ?? '') === 'string')) {
      const result = keyed(lists, (item) => keyOf(item, names));
      if (result !== undefined) {
        return result;
      }
    }
  }
  return undefined;
}

function keyOf(item: JsonValue, names: readonly string[]): string {
  return typeof memberOf(item, names[0] ?? '') === 'string'
    ? JSON.stringify(names.map((name) => canonicalText(memberOf(item, name) ?? null)))
    : canonicalText(item);
}

/** `undefined` where two items of one list have the same key. */
function keyed(
  lists: readonly (readonly JsonValue[])[],
  key: (item: JsonValue) => string,
): readonly [KeyedItems, KeyedItems, KeyedItems] | undefined {
  const [base, ours, theirs] = lists.map((list) => {
    const items = new Map(list.map((item) => [key(item), item]));
    return items.size === list.length ? items : undefined;
  });
  return base && ours && theirs ? [base, ours, theirs] : undefined;
}
