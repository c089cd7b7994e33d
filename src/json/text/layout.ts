import { isJsonObject, stringify, type JsonValue } from '../../base/json.ts';

/** How a text is laid out, so that what is added looks like the rest of it. */
export interface JsonLayout {
  readonly endOfLine: string;
  /** One level of indentation. */
  readonly unit: string;
  /** False where the whole document stands on one line. */
  readonly hasLines: boolean;
  /** False in a text without blanks, as machines write it. */
  readonly isSpaced: boolean;
}

const defaultIndentUnit = '  ';

/** Reads the layout off a text; an empty one gets the usual. */
export function detectLayout(text: string): JsonLayout {
  const endOfLine = detectEndOfLine(text);
  const unit = /[{[,][ \t]*\r?\n([ \t]+)["{[\d/tfn-]/.exec(text)?.[1] ?? defaultIndentUnit;
  const hasLines = text.trim() === '' || /[\r\n]/.test(text.trim());
  return { endOfLine, unit, hasLines, isSpaced: hasLines || /"\s*:\s/.test(text) };
}

/** JSON text of a value over lines; all lines but the first begin with `indentation`. */
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

/** How the lines of a text end; an editor knows only one way in each. */
export const detectEndOfLine = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Where the line of an offset begins. */
export function getLineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') {
    start -= 1;
  }
  return start;
}

/** The blanks that the line of an offset begins with. */
export function getIndentation(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(getLineStart(text, offset), offset))?.[0] ?? '';
}
