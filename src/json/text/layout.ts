import { isJsonObject, stringify, type JsonValue } from '../../base/json.ts';

/** The layout of a text, so that additions look like the rest of it. */
export interface JsonLayout {
  readonly endOfLine: string;
  /** One level of indentation. */
  readonly unit: string;
  /** False if the whole document is on one line. */
  readonly hasLines: boolean;
  /** False for a text without whitespace, as machines write it. */
  readonly isSpaced: boolean;
}

const defaultIndentUnit = '  ';

/** Detects the layout of a text; an empty one gets the default. */
export function detectLayout(text: string): JsonLayout {
  const endOfLine = detectEndOfLine(text);
  const unit = /[{[,][ \t]*\r?\n([ \t]+)["{[\d/tfn-]/.exec(text)?.[1] ?? defaultIndentUnit;
  const hasLines = text.trim() === '' || /[\r\n]/.test(text.trim());
  return { endOfLine, unit, hasLines, isSpaced: hasLines || /"\s*:\s/.test(text) };
}

/** JSON text of a value on several lines; all but the first start with `indentation`. */
export function formatMultiline(
  value: JsonValue,
  { unit, endOfLine }: JsonLayout,
  indentation: string,
): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `${endOfLine}${indentation}`);
}

/** JSON text of a value on one line. */
export function formatSingleLine(value: JsonValue, layout: JsonLayout): string {
  if (!layout.isSpaced) {
    return stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${(value as readonly JsonValue[]).map((item) => formatSingleLine(item, layout)).join(', ')}]`;
  }
  if (!isJsonObject(value)) {
    return stringify(value);
  }
  const properties = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}: ${formatSingleLine(item, layout)}`,
  );
  return properties.length === 0 ? '{}' : `{ ${properties.join(', ')} }`;
}

/** The line ending of a text; an editor uses only one per text. */
export const detectEndOfLine = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** The start of the line that contains an offset. */
export function getLineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') {
    start -= 1;
  }
  return start;
}

/** The indentation of the line that contains an offset. */
export function getIndentation(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(getLineStart(text, offset), offset))?.[0] ?? '';
}
