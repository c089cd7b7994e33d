import { lexBounded } from '../syntax/parser.ts';
import { unquote } from '../syntax/tokens.ts';
import type { Extent } from '../syntax/tree.ts';
import { toNameKey } from '../scope/symbols.ts';

/**
 * Finds the range of an error of the SQL engine. SQLite messages contain a name but no position (`no such column: o.x`,
 * `near "FROM"`), so the range is that of the first token with that name, or else the whole text.
 */
export function findEngineErrorExtent(text: string, message: string): Extent {
  return findNamedExtent(text, message) ?? getTrimmedExtent(text);
}

/** Finds the first token with the name in an engine's message; `undefined` if there is none. */
export function findNamedExtent(text: string, message: string): Extent | undefined {
  const named = /near "(.+?)"/s.exec(message)?.[1] ?? /: (?:main\.)?([^:]+)$/s.exec(message)?.[1];
  const keys = new Set([named, named?.split('.').at(-1)].map((name) => toNameKey(name?.trim() ?? '')));
  keys.delete('');
  for (const token of lexBounded(text).tokens) {
    const isWord = token.kind === 'word' || token.kind === 'name';
    if (
      token.kind !== 'end' &&
      keys.has(toNameKey(isWord ? unquote(text, token) : text.slice(token.start, token.end)))
    ) {
      return { start: token.start, end: token.end };
    }
  }
  return undefined;
}

/** Returns the range of a text without the surrounding whitespace. */
export function getTrimmedExtent(text: string): Extent {
  const start = text.length - text.trimStart().length;
  return { start, end: Math.max(start, text.trimEnd().length) };
}
