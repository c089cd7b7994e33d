import { toCanonicalText } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';

/**
 * Sorts rules, their values, and their parties like in a file. Rules apply together, whatever their order
 * (platform-facts.md, 3.3), so another order is not a change. What the file doesn't have yet comes last.
 * @param previous the rules of the file
 */
export function keepRuleOrder(rules: JsonValue, previous: JsonValue): JsonValue {
  if (!isJsonArray(rules) || !isJsonArray(previous)) {
    return rules;
  }
  return orderLike(rules, previous, formatParties).map(({ item, previousItem }) =>
    isJsonObject(item) && isJsonObject(previousItem) ? keepListOrders(item, previousItem) : item,
  );
}

const keepListOrders = (rule: JsonObject, previous: JsonObject): JsonObject => ({
  ...rule,
  ...Object.fromEntries(
    ['members', 'shares'].flatMap((name) => {
      const [list, previousList] = [rule[name], previous[name]];
      return isJsonArray(list) && isJsonArray(previousList)
        ? [[name, orderLike(list, previousList, (item) => toCanonicalText(item)).map(({ item }) => item)]]
        : [];
    }),
  ),
});

/** Returns a text that is the same for rules that apply to the same parties. */
function formatParties(rule: JsonValue): string {
  const shares = isJsonObject(rule) ? rule['shares'] : undefined;
  return isJsonArray(shares) ? JSON.stringify(shares.map((share) => toCanonicalText(share)).toSorted()) : '';
}

interface OrderedItem {
  readonly item: JsonValue;
  /** What the item replaces; `undefined` if it's new. */
  readonly previousItem?: JsonValue;
}

/** Sorts a list like a previous one. Items with the same key correspond to each other. */
function orderLike(
  list: readonly JsonValue[],
  previous: readonly JsonValue[],
  getKey: (item: JsonValue) => string,
): readonly OrderedItem[] {
  const indexesByKey = Map.groupBy(list.keys(), (index) => getKey(list[index] ?? null));
  const indexes = new Map<number, JsonValue>();
  for (const previousItem of previous) {
    const index = indexesByKey.get(getKey(previousItem))?.shift();
    if (index !== undefined) {
      indexes.set(index, previousItem);
    }
  }
  return [
    ...[...indexes].map(([index, previousItem]) => ({ item: list[index] ?? null, previousItem })),
    ...list.flatMap((item, index) => (indexes.has(index) ? [] : [{ item }])),
  ];
}
