import { FUNCTIONS, signatureOf } from '../functions/catalogue.ts';
import { isReserved } from '../syntax/keywords.ts';
import type { Lexed } from '../syntax/tokens.ts';
import type { CaretPlace } from './caret.ts';
import type { Draft } from './item.ts';

/** Functions with their signatures; parentheses come along unless they are already there. */
export function functionDrafts(place: CaretPlace): Draft[] {
  const hasParen = place.lexed.text.charAt(place.end) === '(';
  const drafts: Draft[] = [];
  for (const info of FUNCTIONS.values()) {
    if (info.name !== 'CAST') {
      const detail = info.verified ? signatureOf(info) : `${signatureOf(info)} — unverified`;
      drafts.push({
        label: info.name,
        insertText: hasParen ? info.name : `${info.name}()`,
        kind: 'function',
        detail,
      });
    }
  }
  return drafts;
}

/** True when keywords are to be written in lower case: the typed letters are, or else the text's own. */
function writesLowerCase(lexed: Lexed, prefix: string): boolean {
  if (prefix !== '') {
    return prefix === prefix.toLowerCase();
  }
  for (const { kind, text, start, end } of lexed.tokens) {
    if (kind === 'word' && isReserved(text)) {
      const word = lexed.text.slice(start, end);
      return word === word.toLowerCase();
    }
  }
  return false;
}

export function keywordDrafts(words: Iterable<string>, place: CaretPlace): Draft[] {
  const lower = writesLowerCase(place.lexed, place.prefix);
  const drafts: Draft[] = [];
  for (const word of words) {
    if (word !== '(') {
      drafts.push({ label: word, insertText: lower ? word.toLowerCase() : word, kind: 'keyword' });
    }
  }
  return drafts;
}

const DIRECTIONS: readonly string[] = ['ASC', 'DESC', 'NULLS FIRST', 'NULLS LAST'];

/** After a column of ORDER BY its direction is what most people want next. */
export const directionsFirst = (words: ReadonlySet<string>): readonly string[] => [
  ...DIRECTIONS.filter((word) => words.has(word)),
  ...[...words].filter((word) => !DIRECTIONS.includes(word)),
];
