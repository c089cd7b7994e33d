import { FUNCTIONS } from '../functions/functionCatalog.ts';
import { isReserved } from '../syntax/keywords.ts';
import type { LexedText } from '../syntax/lexedText.ts';
import type { CaretPosition } from './caretPosition.ts';
import type { CompletionDraft } from './completionItem.ts';

/** Creates drafts for functions. Parentheses are added unless they follow the caret already. */
export function createFunctionDrafts(position: CaretPosition): CompletionDraft[] {
  const hasParen = position.lexed.text.charAt(position.end) === '(';
  const drafts: CompletionDraft[] = [];
  for (const info of FUNCTIONS.values()) {
    if (info.name !== 'CAST') {
      const detail = info.verified ? info.signature : `${info.signature} — unverified`;
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

/** True if keywords should be in lower case, like the typed letters or else the first keyword of the text. */
function usesLowerCase(lexed: LexedText, prefix: string): boolean {
  if (prefix !== '') {
    return prefix === prefix.toLowerCase();
  }
  for (const { kind, symbol, start, end } of lexed.tokens) {
    if (kind === 'word' && isReserved(symbol)) {
      const word = lexed.text.slice(start, end);
      return word === word.toLowerCase();
    }
  }
  return false;
}

export function createKeywordDrafts(words: Iterable<string>, position: CaretPosition): CompletionDraft[] {
  const isLowerCase = usesLowerCase(position.lexed, position.prefix);
  const drafts: CompletionDraft[] = [];
  for (const word of words) {
    if (word !== '(') {
      drafts.push({ label: word, insertText: isLowerCase ? word.toLowerCase() : word, kind: 'keyword' });
    }
  }
  return drafts;
}

const SORT_DIRECTIONS: readonly string[] = ['ASC', 'DESC', 'NULLS FIRST', 'NULLS LAST'];

/** Moves sort directions to the front, because they are the most likely keywords after a column of ORDER BY. */
export const sortDirectionsFirst = (words: ReadonlySet<string>): readonly string[] => [
  ...SORT_DIRECTIONS.filter((word) => words.has(word)),
  ...[...words].filter((word) => !SORT_DIRECTIONS.includes(word)),
];
