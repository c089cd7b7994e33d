import { type JsonValue, isJsonObject, getMember } from '../base/json.ts';
import { toCanonicalText } from '../base/canonicalJson.ts';

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
export function indexItems(
  lists: readonly (readonly JsonValue[])[],
): readonly [KeyedItems, KeyedItems, KeyedItems] | undefined {
  const all = lists.flat();
  if (all.every((item) => typeof item === 'string')) {
    return indexByKey(lists, (item) => toCanonicalText(item));
  }
  if (!all.every(isJsonObject)) {
    return undefined;
  }
  for (const names of keys) {
    if (all.some((item) => typeof getMember(item, names[0] ?? '') === 'string')) {
      const result = indexByKey(lists, (item) => getKey(item, names));
      if (result !== undefined) {
        return result;
      }
    }
  }
  return undefined;
}

function getKey(item: JsonValue, names: readonly string[]): string {
  return typeof getMember(item, names[0] ?? '') === 'string'
    ? JSON.stringify(names.map((name) => toCanonicalText(getMember(item, name) ?? null)))
    : toCanonicalText(item);
}

/** `undefined` where two items of one list have the same key. */
function indexByKey(
  lists: readonly (readonly JsonValue[])[],
  key: (item: JsonValue) => string,
): readonly [KeyedItems, KeyedItems, KeyedItems] | undefined {
  const [base, ours, theirs] = lists.map((list) => {
    const items = new Map(list.map((item) => [key(item), item]));
    return items.size === list.length ? items : undefined;
  });
  return base && ours && theirs ? [base, ours, theirs] : undefined;
}
