import { lex } from '../../src/sql/syntax/lexer.ts';
import { parseStatement } from '../../src/sql/syntax/parser.ts';
import type { Token } from '../../src/sql/syntax/token.ts';
import type { FromItem } from '../../src/sql/syntax/tree.ts';
import { walkTree } from '../../src/sql/syntax/walk.ts';

function lexTokens(text: string): readonly Token[] {
  return [...lex(text).tokens].filter(({ kind }) => kind !== 'end');
}

/** Returns one text per token, each without that token. */
export function createTokenDeletions(text: string): string[] {
  return lexTokens(text).map(({ start, end }) => text.slice(0, start) + text.slice(end));
}

/** Returns one text per token, each with ` o. ` inserted before that token. */
export function createTokenInsertions(text: string): string[] {
  return lexTokens(text).map(({ start }) => `${text.slice(0, start)} o. ${text.slice(start)}`);
}

/** Returns one text per quoted name and string, each without the closing quote of that name or string. */
export function createUnclosedQuotes(text: string): string[] {
  return lexTokens(text)
    .filter(({ kind }) => kind === 'quotedName' || kind === 'string')
    .map(({ end }) => text.slice(0, end - 1) + text.slice(end));
}

/** Returns the tables in the FROM clauses of a text with their aliases, as `table~alias`. */
export function getTableAliasPairs(text: string): Set<string> {
  const pairs = new Set<string>();
  const add = (items: readonly FromItem[]): void => {
    for (const { source, alias } of items) {
      if (source.kind === 'group') {
        add(source.items);
      } else if (source.kind === 'table') {
        const table = source.path.at(-1)?.text ?? '';
        pairs.add(`${table}~${alias?.text ?? table}`);
      } else {
        pairs.add(`( )~${alias?.text ?? ''}`);
      }
    }
  };
  for (const query of parseStatement(text).queries) {
    walkTree(query, (node) => {
      if (node.kind === 'select') {
        add(node.from);
      }
    });
  }
  return pairs;
}

/** Returns the share of a text's table–alias pairs that are still found in its edited version. */
export function getKeptPairsRatio(text: string, edited: string): number {
  const expectedPairs = getTableAliasPairs(text);
  const keptPairs = getTableAliasPairs(edited);
  return [...expectedPairs].filter((pair) => keptPairs.has(pair)).length / expectedPairs.size;
}
