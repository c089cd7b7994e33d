import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type ArrayNode, type JsonNode, lastMembers, type ObjectNode } from './jsonNode.ts';
import type { JsonText } from './jsonText.ts';
import { indentationAt, type Layout, layoutOf, onOneLine, overLines } from './layout.ts';
import { type Manner, rewriteItems, type Slot } from './rewrite.ts';
import { pairItems } from './pairItems.ts';
import { inOrder, type TextEdit } from './textEdit.ts';

/**
 * The edits that make the text say `value`, and touch nothing else: comments, order, spelling of numbers and layout
 * of what is the same stay. What is the same is what is identical (`===`) to a part of the value that was read, so
 * `value` must be made from it by copying only what changes. The text must be free of errors.
 * What goes takes the comments beside it along, unless `keepsRemarks` says otherwise.
 */
export function editsTo(json: JsonText, value: JsonValue, keepsRemarks = false): readonly TextEdit[] {
  if (json.error !== undefined) {
    throw new Error('A text that is no JSON cannot be edited');
  }
  const layout = layoutOf(json.text);
  if (json.root === undefined || json.value === undefined) {
    const isBlank = json.text.replace('\uFEFF', '').trim() === '';
    const start = json.text.length;
    const before = isBlank || json.text.endsWith('\n') ? '' : layout.endOfLine;
    return [{ start, end: start, newText: `${before}${overLines(value, layout, '')}${layout.endOfLine}` }];
  }
  const edits: TextEdit[] = [];
  new Difference(json.text, { layout, keepsRemarks }, edits).between(json.root, json.value, value);
  return inOrder(edits);
}

class Difference {
  readonly #text: string;
  readonly #manner: Manner;
  readonly #edits: TextEdit[];

  constructor(text: string, manner: Manner, edits: TextEdit[]) {
    this.#text = text;
    this.#manner = manner;
    this.#edits = edits;
  }

  between(node: JsonNode, before: JsonValue, after: JsonValue): void {
    if (before === after) {
      return;
    }
    if (node.kind === 'object' && isJsonObject(before) && isJsonObject(after)) {
      this.#objects(node, before, after);
    } else if (node.kind === 'array' && isArray(before) && isArray(after)) {
      this.#arrays(node, before, after);
    } else {
      this.#replace(node, after);
    }
  }

  #objects(node: ObjectNode, before: JsonObject, after: JsonObject): void {
    const { members } = node;
    const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
    const stays = members.flatMap(({ key }, keep) => (Object.hasOwn(after, key) ? [{ keep }] : []));
    if (added.length > 0 || stays.length < members.length) {
      this.#rewrite(node, [...stays, ...added.map((name) => ({ name, add: after[name] ?? null }))]);
    }
    // Of several properties of one name the last counts, so it is the one that changes.
    for (const [name, { value }] of lastMembers(node)) {
      if (value !== undefined && Object.hasOwn(after, name)) {
        this.between(value, before[name] ?? null, after[name] ?? null);
      }
    }
  }

  #arrays(node: ArrayNode, before: readonly JsonValue[], after: readonly JsonValue[]): void {
    const pairs = pairItems(before, after);
    if (before.length !== after.length || pairs.some((old, index) => old !== index)) {
      const slots = pairs.map((keep, index) =>
        keep === undefined ? { add: after[index] ?? null } : { keep },
      );
      this.#rewrite(node, slots);
    }
    pairs.forEach((old, index) => {
      const child = old === undefined ? undefined : node.items[old];
      if (child !== undefined && old !== undefined) {
        this.between(child, before[old] ?? null, after[index] ?? null);
      }
    });
  }

  #rewrite(node: ObjectNode | ArrayNode, slots: readonly Slot[]): void {
    this.#edits.push(...rewriteItems(this.#text, node, slots, this.#manner));
  }

  #replace(node: JsonNode, value: JsonValue): void {
    this.#edits.push(replacement(this.#text, node, value, this.#manner.layout));
  }
}

/** Puts a value in the place of another. */
export function replacement(
  text: string,
  { start, end }: JsonNode,
  value: JsonValue,
  layout: Layout = layoutOf(text),
): TextEdit {
  const newText = layout.hasLines
    ? overLines(value, layout, indentationAt(text, start))
    : onOneLine(value, layout);
  return { start, end, newText };
}

const isArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
