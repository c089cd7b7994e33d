import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type ArrayNode, type JsonNode, getMembersByKey, type ObjectNode } from './jsonNode.ts';
import type { ParsedJson } from './parsedJson.ts';
import {
  getIndentation,
  type JsonLayout,
  detectLayout,
  formatSingleLine,
  formatMultiline,
} from './layout.ts';
import { type RewriteOptions, rewriteItems, type Slot } from './rewriteItems.ts';
import { pairItems } from './pairItems.ts';
import { sortAndMergeEdits, type TextEdit } from '../../base/textEdit.ts';

/**
 * Computes the text edits that change the text to `value`. Comments, order, number notation and layout of unchanged
 * parts are kept. A part is unchanged if it is identical (`===`) to a part of `json.value`, so `value` must be an
 * immutable update of `json.value`. The text must have no syntax errors. Comments beside a removed part are removed
 * with it, unless `keepsComments` is set.
 */
export function computeEdits(json: ParsedJson, value: JsonValue, keepsComments = false): readonly TextEdit[] {
  if (json.error !== undefined) {
    throw new Error('A text that is not JSON cannot be edited');
  }
  const layout = detectLayout(json.text);
  if (json.root === undefined || json.value === undefined) {
    const isBlank = json.text.replace('\uFEFF', '').trim() === '';
    const start = json.text.length;
    const lineBreakBefore = isBlank || json.text.endsWith('\n') ? '' : layout.endOfLine;
    return [
      {
        start,
        end: start,
        newText: `${lineBreakBefore}${formatMultiline(value, layout, '')}${layout.endOfLine}`,
      },
    ];
  }
  const edits: TextEdit[] = [];
  new ValueDiffer(json.text, { layout, keepsComments }, edits).diff(json.root, json.value, value);
  return sortAndMergeEdits(edits);
}

class ValueDiffer {
  readonly #text: string;
  readonly #options: RewriteOptions;
  readonly #edits: TextEdit[];

  constructor(text: string, options: RewriteOptions, edits: TextEdit[]) {
    this.#text = text;
    this.#options = options;
    this.#edits = edits;
  }

  diff(node: JsonNode, before: JsonValue, after: JsonValue): void {
    if (before === after) {
      return;
    }
    if (node.kind === 'object' && isJsonObject(before) && isJsonObject(after)) {
      this.#diffObjects(node, before, after);
    } else if (node.kind === 'array' && isArray(before) && isArray(after)) {
      this.#diffArrays(node, before, after);
    } else {
      this.#replace(node, after);
    }
  }

  #diffObjects(node: ObjectNode, before: JsonObject, after: JsonObject): void {
    const { members } = node;
    const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
    const keptSlots = members.flatMap(({ key }, keptIndex) =>
      Object.hasOwn(after, key) ? [{ keptIndex }] : [],
    );
    if (added.length > 0 || keptSlots.length < members.length) {
      this.#rewriteItems(node, [
        ...keptSlots,
        ...added.map((name) => ({ name, newValue: after[name] ?? null })),
      ]);
    }
    // If several properties have the same name, the last one counts, so only that one is changed.
    for (const [name, { value }] of getMembersByKey(node)) {
      if (value !== undefined && Object.hasOwn(after, name)) {
        this.diff(value, before[name] ?? null, after[name] ?? null);
      }
    }
  }

  #diffArrays(node: ArrayNode, before: readonly JsonValue[], after: readonly JsonValue[]): void {
    const oldIndexes = pairItems(before, after);
    if (before.length !== after.length || oldIndexes.some((oldIndex, index) => oldIndex !== index)) {
      const slots = oldIndexes.map((keptIndex, index) =>
        keptIndex === undefined ? { newValue: after[index] ?? null } : { keptIndex },
      );
      this.#rewriteItems(node, slots);
    }
    oldIndexes.forEach((oldIndex, index) => {
      const child = oldIndex === undefined ? undefined : node.items[oldIndex];
      if (child !== undefined && oldIndex !== undefined) {
        this.diff(child, before[oldIndex] ?? null, after[index] ?? null);
      }
    });
  }

  #rewriteItems(node: ObjectNode | ArrayNode, slots: readonly Slot[]): void {
    this.#edits.push(...rewriteItems(this.#text, node, slots, this.#options));
  }

  #replace(node: JsonNode, value: JsonValue): void {
    this.#edits.push(createReplacement(this.#text, node, value, this.#options.layout));
  }
}

/** Creates the edit that replaces the text of a node with another value. */
export function createReplacement(
  text: string,
  { start, end }: JsonNode,
  value: JsonValue,
  layout: JsonLayout = detectLayout(text),
): TextEdit {
  const newText = layout.isMultiline
    ? formatMultiline(value, layout, getIndentation(text, start))
    : formatSingleLine(value, layout);
  return { start, end, newText };
}

const isArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
