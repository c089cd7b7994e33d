import { lexBounded } from '../syntax/parser.ts';
import { unquoteName } from '../syntax/lexedText.ts';
import type { Token } from '../syntax/token.ts';
import type { TextRange } from '../syntax/tree.ts';
import { toNameKey } from '../scope/symbols.ts';

/**
 * Finds the range of an error of the SQL engine: the token that its message refers to, or else the whole text.
 */
export const findEngineErrorRange = (text: string, message: string): TextRange =>
  findReportedRange(text, message) ?? getTrimmedRange(text);

/**
 * Finds the token that an engine's message refers to, by name or position; `undefined` if there is none. SQLite reports
 * a name only (`no such column: o.x`, `near "FROM"`). A position is used only if the reported name is there, or if the
 * name is not in the text: an engine may count positions in SQL that it has rewritten.
 */
export function findReportedRange(text: string, message: string): TextRange | undefined {
  const tokens = [...lexBounded(text).tokens];
  const position = findReportedOffset(text, message);
  const positionedToken = tokens.find(
    ({ kind, start, end }) => kind !== 'end' && position !== undefined && start <= position && position < end,
  );
  const names = getReportedNames(message);
  const isNamed = (token: Token): boolean => token.kind !== 'end' && names.has(getTokenKey(text, token));
  const token =
    positionedToken !== undefined && isNamed(positionedToken)
      ? positionedToken
      : (tokens.find(isNamed) ?? positionedToken);
  return token && { start: token.start, end: token.end };
}

/** Returns whether a text contains a name from an engine's message. */
export function containsReportedName(text: string, message: string): boolean {
  const names = getReportedNames(message);
  return [...lexBounded(text).tokens].some(
    (token) => token.kind !== 'end' && names.has(getTokenKey(text, token)),
  );
}

/** Finds where a text uses the name of a table or column; the whole text if it doesn't. */
export function findNameRange(text: string, name: string): TextRange {
  const key = toNameKey(name);
  const token = [...lexBounded(text).tokens].find(
    (candidate) => candidate.kind !== 'end' && getTokenKey(text, candidate) === key,
  );
  return token === undefined ? getTrimmedRange(text) : { start: token.start, end: token.end };
}

const linePattern =
  /[\s,(]*\b(?:(?:at|in|on) )?line (\d+)(?:\s*[,:;]\s*|\s+)(?:(?:column|col|character|char|position) )?(\d+)\)?/i;
const positionPattern = /[\s,(]*\b(?:at )?(position|character|char|offset) (\d+)\)?/i;

/**
 * Returns the offset from an engine's message. Lines, columns, characters, and positions are counted from 1; an
 * `offset` is counted from 0.
 */
function findReportedOffset(text: string, message: string): number | undefined {
  const [, line, column] = linePattern.exec(message) ?? [];
  if (line !== undefined && column !== undefined) {
    const lineStarts = [
      0,
      ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: lineBreak, index }) => index + lineBreak.length),
    ];
    const lineStart = lineStarts[Number(line) - 1];
    return lineStart === undefined ? undefined : lineStart + Number(column) - 1;
  }
  const [, unit, count] = positionPattern.exec(message) ?? [];
  return count === undefined ? undefined : Number(count) - (unit?.toLowerCase() === 'offset' ? 0 : 1);
}

/** Returns the keys of the names in an engine's message, with and without a qualifier. */
function getReportedNames(message: string): ReadonlySet<string> {
  const withoutPosition = message.replace(linePattern, '').replace(positionPattern, '');
  const name =
    /near "(.+?)"/s.exec(withoutPosition)?.[1] ?? /: (?:main\.)?([^:]+)$/s.exec(withoutPosition)?.[1];
  const names = new Set([name, name?.split('.').at(-1)].map((part) => toNameKey(part?.trim() ?? '')));
  names.delete('');
  return names;
}

const getTokenKey = (text: string, token: Token): string =>
  toNameKey(
    token.kind === 'word' || token.kind === 'quotedName'
      ? unquoteName(text, token)
      : text.slice(token.start, token.end),
  );

/** Returns the range of a text without the surrounding whitespace. */
export function getTrimmedRange(text: string): TextRange {
  const start = text.length - text.trimStart().length;
  return { start, end: Math.max(start, text.trimEnd().length) };
}
