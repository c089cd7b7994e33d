import { lexBounded } from '../syntax/parser.ts';
import { unquote } from '../syntax/tokens.ts';
import type { Extent } from '../syntax/tree.ts';
import { toNameKey } from '../scope/symbols.ts';

/**
 * Returns the place of an engine's error: SQLite names what is wrong but not where (`no such column: o.x`,
 * `near "FROM"`). It is the first token with that name, otherwise the whole text.
 */
export function findEngineErrorExtent(text: string, message: string): Extent {
  return findNamedExtent(text, message) ?? getTrimmedExtent(text);
}

/** Returns the first token that an engine's message names; `undefined` if the text has none. */
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

/** Returns the extent of a text without the surrounding blanks. */
export function getTrimmedExtent(text: string): Extent {
  const start = text.length - text.trimStart().length;
  return { start, end: Math.max(start, text.trimEnd().length) };
}
