import { isJsonObject, stringify, type JsonValue } from '../../base/json.ts';
import { findLineStart } from '../../base/findLineStart.ts';

/** The formatting style of a text, so that added text looks like the rest of it. */
export interface JsonLayout {
  readonly endOfLine: string;
  /** One level of indentation. */
  readonly indentUnit: string;
  /** True unless the whole document is on one line. */
  readonly isMultiline: boolean;
  /** True unless the text is minified. */
  readonly isSpaced: boolean;
}

const defaultIndentUnit = '  ';

/** Detects the layout of a text; returns the default layout for an empty text. */
export function detectLayout(text: string): JsonLayout {
  const endOfLine = detectEndOfLine(text);
  const indentUnit = /[{[,][ \t]*\r?\n([ \t]+)["{[\d/tfn-]/.exec(text)?.[1] ?? defaultIndentUnit;
  const isMultiline = text.trim() === '' || /[\r\n]/.test(text.trim());
  return { endOfLine, indentUnit, isMultiline, isSpaced: isMultiline || /"\s*:\s/.test(text) };
}

/** Formats a value as JSON on several lines; all lines but the first start with `indentation`. */
export function formatMultiline(
  value: JsonValue,
  { indentUnit, endOfLine }: JsonLayout,
  indentation: string,
): string {
  return JSON.stringify(value, undefined, indentUnit).replaceAll('\n', `${endOfLine}${indentation}`);
}

/** Formats a value as JSON on one line. */
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

/** Detects the line ending of a text, assuming that it uses only one kind, as in VS Code. */
export const detectEndOfLine = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Returns the indentation of the line that contains an offset. */
export function getIndentation(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(findLineStart(text, offset), offset))?.[0] ?? '';
}
