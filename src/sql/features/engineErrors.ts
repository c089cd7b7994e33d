import { lexBounded } from '../syntax/parser.ts';
import { unquoteName } from '../syntax/lexedText.ts';
import type { TextRange } from '../syntax/tree.ts';
import { toNameKey } from '../scope/symbols.ts';

/**
 * Finds the range of an error of the SQL engine. SQLite messages contain a name but no position (`no such column: o.x`,
 * `near "FROM"`), so the range is that of the first token with that name, or else the whole text.
 */
export function findEngineErrorRange(text: string, message: string): TextRange {
  return findReportedNameRange(text, message) ?? getTrimmedRange(text);
}

/** Finds the first token with the name in an engine's message; `undefined` if there is none. */
export function findReportedNameRange(text: string, message: string): TextRange | undefined {
  const nameInMessage = /near "(.+?)"/s.exec(message)?.[1] ?? /: (?:main\.)?([^:]+)$/s.exec(message)?.[1];
  const keys = new Set(
    [nameInMessage, nameInMessage?.split('.').at(-1)].map((name) => toNameKey(name?.trim() ?? '')),
  );
  keys.delete('');
  for (const token of lexBounded(text).tokens) {
    const isWord = token.kind === 'word' || token.kind === 'name';
    if (
      token.kind !== 'end' &&
      keys.has(toNameKey(isWord ? unquoteName(text, token) : text.slice(token.start, token.end)))
    ) {
      return { start: token.start, end: token.end };
    }
  }
  return undefined;
}

/** Returns the range of a text without the surrounding whitespace. */
export function getTrimmedRange(text: string): TextRange {
  const start = text.length - text.trimStart().length;
  return { start, end: Math.max(start, text.trimEnd().length) };
}
