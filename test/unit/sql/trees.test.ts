import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { definitionAt, type ExpressionContext } from '../../../src/sql/index.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { parseExpression, parseStatement } from '../../../src/sql/syntax/parser.ts';
import { CLEAN_EXPRESSIONS, CLEAN_STATEMENTS } from './cases/clean.ts';
import { scopedStatements } from './cases/scopedStatements.ts';
import { EXPRESSION_SYNTAX_ERRORS, SYNTAX_ERRORS } from './cases/syntaxErrors.ts';
import { formatTree } from './formatTree.ts';
import { columnContext, tableContext } from './model.ts';

const fixture = new URL('../../fixtures/sqlTrees.txt', import.meta.url);

const getLines = (lines: string): readonly string[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('⏎', '\n'));

/** The texts of invalid statements, without their errors. */
const getTexts = (lines: string): readonly string[] =>
  getLines(lines).map((line) => (line.split(' => ')[0] ?? '').replaceAll(/[‹›]/g, ''));

/** What each name refers to: a table, a column, or the declaration at an offset. */
function listMeanings(text: string, context: ExpressionContext): string {
  return [...lex(text).tokens]
    .filter(({ kind }) => kind === 'word' || kind === 'quotedName')
    .flatMap(({ start, end }) => {
      const definition = definitionAt(text, start, context);
      if (definition === undefined) {
        return [];
      }
      const { kind, table, column, start: declaration } = definition;
      const target = [table, column].filter((part) => part !== undefined).join('.');
      const place = declaration === undefined ? '' : `@${declaration}`;
      return [`${text.slice(start, end)}: ${[kind, target, place].filter((part) => part !== '').join(' ')}`];
    })
    .join(', ');
}

const formatStatement = (text: string): string =>
  parseStatement(text)
    .queries.map((query) => formatTree(query, text))
    .join('; ');
const formatExpression = (text: string): string => formatTree(parseExpression(text).expr, text);

const entries = [
  ...[...getLines(CLEAN_STATEMENTS), ...scopedStatements.flatMap(getLines)].map((text) => [
    text,
    formatStatement(text),
    listMeanings(text, tableContext),
  ]),
  ...getTexts(SYNTAX_ERRORS).map((text) => [text, formatStatement(text)]),
  ...getLines(CLEAN_EXPRESSIONS).map((text) => [
    text,
    formatExpression(text),
    listMeanings(text, columnContext),
  ]),
  ...getTexts(EXPRESSION_SYNTAX_ERRORS).map((text) => [text, formatExpression(text)]),
];

test('the trees and the meanings of names are those of the fixture; UPDATE=1 writes it', () => {
  const contents = entries
    .map((lines) => `${lines.map((line) => line.replaceAll('\n', '⏎')).join('\n  ')}\n`)
    .join('\n');
  if (process.env['UPDATE'] === '1') {
    writeFileSync(fixture, contents);
  }
  expect(contents).toBe(readFileSync(fixture, 'utf8'));
});
