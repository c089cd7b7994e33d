import { toCanonicalText } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';

/** A rule of a list, and the rule of the file that it replaces; `undefined` if it's new. */
interface OrderedRule {
  readonly rule: JsonValue;
  readonly previous?: JsonValue;
}

/**
 * Sorts rules, their values, and their parties like in a file. Rules apply together, whatever their order
 * (platform-facts.md, 3.3), so another order is not a change. What the file doesn't have yet comes last.
 * @param previous the rules of the file
 */
export function keepRuleOrder(
  rules: readonly JsonValue[],
  previous: readonly JsonValue[],
): readonly OrderedRule[] {
  // Rules that have changed are still recognized: by some of their parties, or by what these see.
  return orderLike(rules, previous, [
    (rule) => [toCanonicalText(rule)],
    (rule) => [JSON.stringify(listShares(rule))],
    listShares,
    (rule) => [toCanonicalText(rule, (name) => name === 'shares')],
  ]).map(({ item, previousItem }) =>
    previousItem === undefined
      ? { rule: item }
      : {
          rule: isJsonObject(item) && isJsonObject(previousItem) ? keepListOrders(item, previousItem) : item,
          previous: previousItem,
        },
  );
}

const keepListOrders = (rule: JsonObject, previous: JsonObject): JsonObject => ({
  ...rule,
  ...Object.fromEntries(
    ['members', 'shares'].flatMap((name) => {
      const [list, previousList] = [rule[name], previous[name]];
      return isJsonArray(list) && isJsonArray(previousList)
        ? [[name, orderLike(list, previousList, [(item) => [toCanonicalText(item)]]).map(({ item }) => item)]]
        : [];
    }),
  ),
});

/** Returns a text for each party of a rule. */
function listShares(rule: JsonValue): readonly string[] {
  const shares = isJsonObject(rule) ? rule['shares'] : undefined;
  return isJsonArray(shares) ? shares.map((share) => toCanonicalText(share)).toSorted() : [];
}

interface OrderedItem {
  readonly item: JsonValue;
  /** What the item replaces; `undefined` if it's new. */
  readonly previousItem?: JsonValue;
}

/**
 * Sorts a list like a previous one. Items replace those that have a key in common.
 * @param passes return the keys of an item; a later pass only matches items that no earlier one has matched
 */
function orderLike(
  list: readonly JsonValue[],
  previous: readonly JsonValue[],
  passes: readonly ((item: JsonValue) => readonly string[])[],
): readonly OrderedItem[] {
  const indexes = new Map<number, number>();
  const paired = new Set<number>();
  for (const getKeys of passes) {
    const open = [...list.keys()].filter((index) => !paired.has(index));
    const indexesByKey = Map.groupBy(
      open.flatMap((index) => getKeys(list[index] ?? null).map((key) => ({ key, index }))),
      ({ key }) => key,
    );
    previous.forEach((item, previousIndex) => {
      const found = indexes.has(previousIndex)
        ? undefined
        : getKeys(item)
            .flatMap((key) => indexesByKey.get(key) ?? [])
            .find(({ index }) => !paired.has(index));
      if (found !== undefined) {
        indexes.set(previousIndex, found.index);
        paired.add(found.index);
      }
    });
  }
  return [
    ...previous.flatMap((previousItem, previousIndex) => {
      const index = indexes.get(previousIndex);
      return index === undefined ? [] : [{ item: list[index] ?? null, previousItem }];
    }),
    ...list.flatMap((item, index) => (paired.has(index) ? [] : [{ item }])),
  ];
}
