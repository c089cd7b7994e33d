import { jsonEquals } from '../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { computeEdits } from '../json/text/computeEdits.ts';
import { parseJsonc } from '../json/text/parsedJson.ts';
import { matchItems } from '../json/text/matchItems.ts';
import { applyEdits } from '../base/textEdit.ts';
import { formatDocument } from './jsonText.ts';
import { indexItems } from './mergeKeys.ts';

/**
 * Changes the text as little as possible to represent `newValue`: comments and formatting of unchanged parts are kept.
 * A text that can't be parsed is rewritten.
 */
export function editDocumentText(text: string, to: JsonValue): string {
  const json = parseJsonc(text);
  if (json.error !== undefined) {
    return formatDocument(to);
  }
  return applyEdits(text, computeEdits(json, json.value === undefined ? to : reuseUnchanged(json.value, to)));
}

/** Returns `newValue` with its unchanged parts taken from `oldValue`: `computeEdits` compares parts by identity. */
function reuseUnchanged(from: JsonValue, to: JsonValue): JsonValue {
  if (Array.isArray(from) && Array.isArray(to)) {
    return reuseUnchangedItems(from, to);
  }
  if (isJsonObject(from) && isJsonObject(to)) {
    return reuseUnchangedMembers(from, to);
  }
  return jsonEquals(from, to) ? from : to;
}

function reuseUnchangedMembers(from: JsonObject, to: JsonObject): JsonObject {
  const members = Object.entries(to).map(([name, value]): [string, JsonValue] => {
    const before = Object.hasOwn(from, name) ? from[name] : undefined;
    return [name, before === undefined ? value : reuseUnchanged(before, value)];
  });
  const isSame =
    members.length === Object.keys(from).length && members.every(([name, value]) => from[name] === value);
  return isSame ? from : Object.fromEntries(members);
}

function reuseUnchangedItems(from: readonly JsonValue[], to: readonly JsonValue[]): readonly JsonValue[] {
  const known = indexItems([from, to, to]);
  const before = known === undefined ? getPreviousItems(from, to) : pairByKey(known[0], known[1]);
  const items = to.map((item, index) => {
    const old = before[index];
    return old === undefined ? item : reuseUnchanged(old, item);
  });
  return items.length === from.length && items.every((item, index) => item === from[index]) ? from : items;
}

/** Returns the old item for each new item. Relies on the maps keeping the order of the lists. */
const pairByKey = (from: ReadonlyMap<string, JsonValue>, to: ReadonlyMap<string, JsonValue>) =>
  [...to.keys()].map((key) => from.get(key));

/**
 * Returns the old item for each new item in lists without keys: the one with equal content, or else, if the lists have
 * the same length, the one at the same position.
 */
function getPreviousItems(
  from: readonly JsonValue[],
  to: readonly JsonValue[],
): readonly (JsonValue | undefined)[] {
  const same = matchItems(from, to);
  const matchedItems = new Set(same);
  return same.map((old, index) => {
    const isInPlace = from.length === to.length && !matchedItems.has(index);
    return old === undefined ? (isInPlace ? from[index] : undefined) : from[old];
  });
}
