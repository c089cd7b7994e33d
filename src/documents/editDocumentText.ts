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
export function editDocumentText(text: string, newValue: JsonValue): string {
  const json = parseJsonc(text);
  if (json.error !== undefined) {
    return formatDocument(newValue);
  }
  return applyEdits(
    text,
    computeEdits(json, json.value === undefined ? newValue : reuseUnchanged(json.value, newValue)),
  );
}

/** Returns `newValue` with its unchanged parts taken from `oldValue`: `computeEdits` compares parts by identity. */
function reuseUnchanged(oldValue: JsonValue, newValue: JsonValue): JsonValue {
  if (Array.isArray(oldValue) && Array.isArray(newValue)) {
    return reuseUnchangedItems(oldValue, newValue);
  }
  if (isJsonObject(oldValue) && isJsonObject(newValue)) {
    return reuseUnchangedMembers(oldValue, newValue);
  }
  return jsonEquals(oldValue, newValue) ? oldValue : newValue;
}

function reuseUnchangedMembers(oldObject: JsonObject, newObject: JsonObject): JsonObject {
  const members = Object.entries(newObject).map(([name, value]): [string, JsonValue] => {
    const oldMember = Object.hasOwn(oldObject, name) ? oldObject[name] : undefined;
    return [name, oldMember === undefined ? value : reuseUnchanged(oldMember, value)];
  });
  const isSame =
    members.length === Object.keys(oldObject).length &&
    members.every(([name, value]) => oldObject[name] === value);
  return isSame ? oldObject : Object.fromEntries(members);
}

function reuseUnchangedItems(
  oldItems: readonly JsonValue[],
  newItems: readonly JsonValue[],
): readonly JsonValue[] {
  // The function takes three versions, as for a merge. Here, the third is only a repetition.
  const keyedLists = indexItems([oldItems, newItems, newItems]);
  const previousItems =
    keyedLists === undefined ? getPreviousItems(oldItems, newItems) : pairByKey(keyedLists[0], keyedLists[1]);
  const items = newItems.map((item, index) => {
    const previousItem = previousItems[index];
    return previousItem === undefined ? item : reuseUnchanged(previousItem, item);
  });
  return items.length === oldItems.length && items.every((item, index) => item === oldItems[index])
    ? oldItems
    : items;
}

/** Returns the old item for each new item. Relies on the maps keeping the order of the lists. */
const pairByKey = (oldItems: ReadonlyMap<string, JsonValue>, newItems: ReadonlyMap<string, JsonValue>) =>
  [...newItems.keys()].map((key) => oldItems.get(key));

/**
 * Returns the old item for each new item in lists without keys: the one with equal content, or else, if the lists have
 * the same length, the one at the same position.
 */
function getPreviousItems(
  oldItems: readonly JsonValue[],
  newItems: readonly JsonValue[],
): readonly (JsonValue | undefined)[] {
  const previousIndexes = matchItems(oldItems, newItems);
  const matchedItems = new Set(previousIndexes);
  return previousIndexes.map((previousIndex, index) => {
    const hasSamePosition = oldItems.length === newItems.length && !matchedItems.has(index);
    return previousIndex === undefined
      ? hasSamePosition
        ? oldItems[index]
        : undefined
      : oldItems[previousIndex];
  });
}
