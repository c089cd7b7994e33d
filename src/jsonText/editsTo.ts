import type { Node } from 'jsonc-parser';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { type JsonText, propertiesOf } from './jsonText.ts';
import { indentationAt, type Layout, layoutOf, onOneLine, overLines } from './layout.ts';
import { rewriteItems, type Slot } from './rewrite.ts';
import { pairItems } from './pairItems.ts';
import { inOrder, type TextEdit } from './textEdit.ts';

/**
 * The edits that make the text say `value`, and touch nothing else: comments, order, spelling of numbers and layout
 * of what is the same stay. What is the same is what is identical (`===`) to a part of the value that was read, so
 * `value` must be made from it by copying only what changes. The text must be free of errors.
 */
export function editsTo(json: JsonText, value: JsonValue): readonly TextEdit[] {
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
  new Difference(json.text, layout, edits).between(json.root, json.value, value);
  return inOrder(edits);
}

class Difference {
  readonly #text: string;
  readonly #layout: Layout;
  readonly #edits: TextEdit[];

  constructor(text: string, layout: Layout, edits: TextEdit[]) {
    this.#text = text;
    this.#layout = layout;
    this.#edits = edits;
  }

  between(node: Node, before: JsonValue, after: JsonValue): void {
    if (before === after) {
      return;
    }
    if (isJsonObject(before) && isJsonObject(after)) {
      this.#objects(node, before, after);
    } else if (isArray(before) && isArray(after)) {
      this.#arrays(node, before, after);
    } else {
      this.#replace(node, after);
    }
  }

  #objects(node: Node, before: JsonObject, after: JsonObject): void {
    const properties = propertiesOf(node);
    const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
    const stays = properties.flatMap(({ name }, keep) => (Object.hasOwn(after, name) ? [{ keep }] : []));
    if (added.length > 0 || stays.length < properties.length) {
      const slots: Slot[] = [...stays, ...added.map((name) => ({ name, add: after[name] ?? null }))];
      this.#edits.push(...rewriteItems(this.#text, node, slots, this.#layout));
    }
    // Of several properties of one name the last counts, so it is the one that changes.
    const counting = new Map(properties.map(({ name, value }) => [name, value]));
    for (const [name, value] of counting) {
      if (Object.hasOwn(after, name)) {
        this.between(value, before[name] ?? null, after[name] ?? null);
      }
    }
  }

  #arrays(node: Node, before: readonly JsonValue[], after: readonly JsonValue[]): void {
    const pairs = pairItems(before, after);
    if (before.length !== after.length || pairs.some((old, index) => old !== index)) {
      const slots = pairs.map((keep, index) =>
        keep === undefined ? { add: after[index] ?? null } : { keep },
      );
      this.#edits.push(...rewriteItems(this.#text, node, slots, this.#layout));
    }
    const children = node.children ?? [];
    pairs.forEach((old, index) => {
      const child = old === undefined ? undefined : children[old];
      if (child !== undefined && old !== undefined) {
        this.between(child, before[old] ?? null, after[index] ?? null);
      }
    });
  }

  #replace({ offset, length }: Node, value: JsonValue): void {
    const indentation = indentationAt(this.#text, offset);
    const newText = this.#layout.hasLines
      ? overLines(value, this.#layout, indentation)
      : onOneLine(value, this.#layout);
    this.#edits.push({ start: offset, end: offset + length, newText });
  }
}

const isArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
