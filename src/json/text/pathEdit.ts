import { type JsonPath, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { computeEdits, createReplacement } from './computeEdits.ts';
import { type JsonMember, findNodeAtPath, type ObjectNode } from './jsonNode.ts';
import { type ParsedJson, toParsedJson } from './parsedJson.ts';
import { detectLayout } from './layout.ts';
import type { JsonDocument } from './parseJsonTree.ts';
import { isJsonArray, getProperty, withProperty } from './copyOnWrite.ts';
import { rewriteItems } from './rewriteItems.ts';
import { sortAndMergeEdits, type TextEdit } from '../../base/textEdit.ts';

/**
 * An edit of the value at a path; several edits are applied in sequence. `set` replaces or adds a value, `insert`
 * inserts an item before the one at the path, `remove` removes a value. `set` also creates the objects on the way to
 * its path. Any other edit whose path does not exist has no effect.
 */
export type PathEdit =
  | { readonly op: 'set' | 'insert'; readonly path: JsonPath; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: JsonPath };

/**
 * Converts path edits to text edits. All comments are kept, including those beside removed values. In a text with
 * syntax errors, existing values can be replaced; if any other edit is needed, there are no text edits.
 */
export function createPathTextEdits(document: JsonDocument, edits: readonly PathEdit[]): readonly TextEdit[] {
  const json = toParsedJson(document);
  if (json.error !== undefined) {
    return createReplacements(json, edits);
  }
  return json.value === undefined ? [] : computeEdits(json, applyPathEdits(json.value, edits), true);
}

/** Creates the edit that renames the key of the member at a path. Its value and its position do not change. */
export function createKeyEdits({ root }: JsonDocument, path: JsonPath, key: string): readonly TextEdit[] {
  const member = findNodeAtPath(root, path)?.member;
  return member === undefined
    ? []
    : [{ start: member.start, end: member.keyEnd, newText: JSON.stringify(key) }];
}

/**
 * Creates the edits that remove a member of an object, which may be one with a repeated key that no path can address.
 * The text must have no syntax errors.
 */
export function createRemoval(text: string, object: ObjectNode, member: JsonMember): readonly TextEdit[] {
  const slots = object.members.flatMap((candidate, keptIndex) =>
    candidate === member ? [] : [{ keptIndex }],
  );
  return sortAndMergeEdits(
    rewriteItems(text, object, slots, { layout: detectLayout(text), keepsComments: true }),
  );
}

/** Creates edits that replace existing values; none if any edit is of another kind. */
function createReplacements(json: ParsedJson, edits: readonly PathEdit[]): readonly TextEdit[] {
  const replacements = edits.map((edit) => {
    const node = edit.op === 'set' ? findNodeAtPath(json.root, edit.path)?.node : undefined;
    return node === undefined || edit.op !== 'set'
      ? undefined
      : createReplacement(json.text, node, edit.value as JsonValue);
  });
  return replacements.every((edit) => edit !== undefined) ? sortAndMergeEdits(replacements) : [];
}

/** Applies the edits to a value. Unchanged parts stay identical (`===`). */
export const applyPathEdits = (value: JsonValue, edits: readonly PathEdit[]): JsonValue =>
  edits.reduce((current, edit) => applyEditAtPath(current, edit.path, edit), value);

function applyEditAtPath(value: JsonValue, [step, ...rest]: JsonPath, edit: PathEdit): JsonValue {
  if (step === undefined) {
    return edit.op === 'set' ? (edit.value as JsonValue) : value;
  }
  if (typeof step === 'number') {
    return isJsonArray(value) ? applyItemEdit(value, step, rest, edit) : value;
  }
  return isJsonObject(value) ? applyMemberEdit(value, step, rest, edit) : value;
}

function applyItemEdit(
  items: readonly JsonValue[],
  index: number,
  rest: JsonPath,
  edit: PathEdit,
): readonly JsonValue[] {
  if (edit.op === 'insert' && rest.length === 0 && index <= items.length) {
    return items.toSpliced(index, 0, edit.value as JsonValue);
  }
  const item = items[index];
  if (item === undefined) {
    return items;
  }
  return edit.op === 'remove' && rest.length === 0
    ? items.toSpliced(index, 1)
    : items.with(index, applyEditAtPath(item, rest, edit));
}

function applyMemberEdit(object: JsonObject, key: string, rest: JsonPath, edit: PathEdit): JsonValue {
  const currentValue = getProperty(object, key);
  const canSetValue = rest.length === 0 || currentValue === undefined || currentValue === null;
  if (edit.op === 'set' && canSetValue && rest.every((step) => typeof step === 'string')) {
    const value = rest.reduceRight<unknown>((inner, step) => ({ [step]: inner }), edit.value);
    return withProperty(object, key, value as JsonValue);
  }
  const isRemoval = edit.op === 'remove' && rest.length === 0;
  return currentValue === undefined
    ? object
    : withProperty(object, key, isRemoval ? undefined : applyEditAtPath(currentValue, rest, edit));
}
