import { type FormattingOptions, applyEdits, modify } from 'jsonc-parser';
import { type JsonValue, isJsonObject, stringify } from '../base/json.ts';
import { sameJson } from '../base/canonicalJson.ts';
import { memberOf } from './canonical.ts';
import type { JsonPath } from './merge.ts';
import { parseText } from './jsonText.ts';

/** How documents are laid out. */
const layout: FormattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };

/** A document as text: two blanks a level, and a line end at the end. */
export const documentText = (value: JsonValue): string => `${stringify(value, 2)}\n`;

/**
 * The text with as little changed as it takes to say `to`: comments and layout of what stays are kept. A text that
 * cannot be read is written anew.
 */
export function editedText(text: string, to: JsonValue): string {
  const parsed = parseText(text, { comments: true });
  if (!('value' in parsed)) {
    return documentText(to);
  }
  let edited = text;
  for (const { path, value } of changes(parsed.value, to, [])) {
    const edits = modify(edited, [...path], value, { formattingOptions: layout });
    edited = applyEdits(edited, edits);
  }
  return edited;
}

interface Change {
  readonly path: JsonPath;
  /** `undefined` takes it away. */
  readonly value: JsonValue | undefined;
}

function changes(from: JsonValue, to: JsonValue, path: JsonPath): readonly Change[] {
  if (sameJson(from, to)) {
    return [];
  }
  if (isJsonObject(from) && isJsonObject(to) && path.length + Object.keys(from).length > 0) {
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return names.flatMap((name) => change(memberOf(from, name), memberOf(to, name), [...path, name]));
  }
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
    return from.flatMap((item: JsonValue, index) =>
      change(item, (to as JsonValue[])[index], [...path, index]),
    );
  }
  return [{ path, value: to }];
}

function change(from: JsonValue | undefined, to: JsonValue | undefined, path: JsonPath): readonly Change[] {
  return from === undefined || to === undefined
    ? from === to
      ? []
      : [{ path, value: to }]
    : changes(from, to, path);
}
