import { sameJson } from '../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { editsTo } from '../json/text/editsTo.ts';
import { readJsonText } from '../json/text/jsonText.ts';
import { sameItems } from '../json/text/sameItems.ts';
import { applyEdits } from '../json/text/textEdit.ts';
import { documentText } from './jsonText.ts';
import { keyedItems } from './mergeKeys.ts';

/**
 * The text with as little changed as it takes to say `to`: comments and layout of what stays are kept. A text that
 * cannot be read is written anew.
 */
export function editedText(text: string, to: JsonValue): string {
  const json = readJsonText(text);
  if (json.error !== undefined) {
    return documentText(to);
  }
  return applyEdits(text, editsTo(json, json.value === undefined ? to : madeOf(json.value, to)));
}

/** `to`, with those parts of `from` in it that say the same: what edits leave alone is told by identity. */
function madeOf(from: JsonValue, to: JsonValue): JsonValue {
  if (Array.isArray(from) && Array.isArray(to)) {
    return listMadeOf(from, to);
  }
  if (isJsonObject(from) && isJsonObject(to)) {
    return objectMadeOf(from, to);
  }
  return sameJson(from, to) ? from : to;
}

function objectMadeOf(from: JsonObject, to: JsonObject): JsonObject {
  const members = Object.entries(to).map(([name, value]): [string, JsonValue] => {
    const before = Object.hasOwn(from, name) ? from[name] : undefined;
    return [name, before === undefined ? value : madeOf(before, value)];
  });
  const isSame =
    members.length === Object.keys(from).length && members.every(([name, value]) => from[name] === value);
  return isSame ? from : Object.fromEntries(members);
}

function listMadeOf(from: readonly JsonValue[], to: readonly JsonValue[]): readonly JsonValue[] {
  const known = keyedItems([from, to, to]);
  const before = known === undefined ? itemsBefore(from, to) : byKey(known[0], known[1]);
  const items = to.map((item, index) => {
    const old = before[index];
    return old === undefined ? item : madeOf(old, item);
  });
  return items.length === from.length && items.every((item, index) => item === from[index]) ? from : items;
}

/** The key map keeps the order of the list. */
const byKey = (from: ReadonlyMap<string, JsonValue>, to: ReadonlyMap<string, JsonValue>) =>
  [...to.keys()].map((key) => from.get(key));

/** What nothing tells apart is what says the same, or else, where no item came or went, what stands in its place. */
function itemsBefore(
  from: readonly JsonValue[],
  to: readonly JsonValue[],
): readonly (JsonValue | undefined)[] {
  const same = sameItems(from, to);
  const taken = new Set(same);
  return same.map((old, index) => {
    const isInPlace = from.length === to.length && !taken.has(index);
    return old === undefined ? (isInPlace ? from[index] : undefined) : from[old];
  });
}
