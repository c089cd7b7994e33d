import { type JsonValue, isJsonObject, getMember } from '../base/json.ts';
import { toCanonicalText } from '../base/canonicalJson.ts';

/** The items of a list by their identifying key, in the order of the list. */
export type KeyedItems = ReadonlyMap<string, JsonValue>;

/**
 * The members that identify the items of a list: columns (`oid`), rules (`_id`), columns of a viewpoint (`dim`; a
 * column may occur once per aggregation and level) and parties of a rule.
 */
const identifyingMembers: readonly (readonly string[])[] = [
  ['oid'],
  ['_id'],
  ['dim'],
  ['dim', 'agg', 'level'],
  ['partyId'],
  ['party'],
];

/**
 * Indexes three versions of a list by the key of their items. Returns `undefined` if no key is unique within each
 * version. Items without a key, such as a new column, are identified by their whole content.
 */
export function indexItems(
  lists: readonly (readonly JsonValue[])[],
): readonly [KeyedItems, KeyedItems, KeyedItems] | undefined {
  const allItems = lists.flat();
  if (allItems.every((item) => typeof item === 'string')) {
    return indexByKey(lists, (item) => toCanonicalText(item));
  }
  if (!allItems.every(isJsonObject)) {
    return undefined;
  }
  for (const names of identifyingMembers) {
    if (allItems.some((item) => typeof getMember(item, names[0] ?? '') === 'string')) {
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

/** Indexes the lists; returns `undefined` if two items of one list have the same key. */
function indexByKey(
  lists: readonly (readonly JsonValue[])[],
  getItemKey: (item: JsonValue) => string,
): readonly [KeyedItems, KeyedItems, KeyedItems] | undefined {
  const [base, ours, theirs] = lists.map((list) => {
    const items = new Map(list.map((item) => [getItemKey(item), item]));
    return items.size === list.length ? items : undefined;
  });
  return base && ours && theirs ? [base, ours, theirs] : undefined;
}
