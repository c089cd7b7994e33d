import { describe, expect, test } from 'vitest';
import {
  completionsAt,
  type Definition,
  definitionAt,
  diagnose,
  type ExpressionContext,
} from '../../../src/sql/index.ts';
import { getOccurrences } from '../../../src/sql/features/occurrences.ts';
import type { Occurrence } from '../../../src/sql/scope/occurrence.ts';
import { isReserved } from '../../../src/sql/syntax/keywords.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { CLEAN_EXPRESSIONS, CLEAN_STATEMENTS } from './cases/clean.ts';
import { scopedStatements } from './cases/scopedStatements.ts';
import { columnContext, tableContext } from './model.ts';

const readLines = (lines: string): readonly string[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('⏎', '\n'));

const statements = [...readLines(CLEAN_STATEMENTS), ...scopedStatements.flatMap(readLines)];

/** The quotes that an editor closes at once, and the part of the name that is typed into them. */
const waysOfTyping: readonly (readonly [open: string, typedLength: number, close: string])[] = [
  ['', 0, ''],
  ['', 1, ''],
  ['[', 0, ']'],
  ['"', 2, '"'],
  ['`', 0, '`'],
];

/** Texts with a name that is deliberately not proposed. */
const unproposedTexts: readonly RegExp[] = [
  // The column's own table, and sub-queries, in the expression of a column.
  /^\[?Orders\]?\.\[?Amount\]?$/i,
  /^\(SELECT \[Amount\]\)$/,
  // A WITH query in itself, without RECURSIVE.
  /^WITH t AS \(SELECT 1 AS n UNION ALL SELECT n \+ 1 FROM t /,
];

const isDeclaration = ({ name, symbol }: Occurrence): boolean =>
  symbol.kind !== 'table' && symbol.kind !== 'column' && symbol.name.start === name.start;

const toMeaning = (definition: Definition | undefined) =>
  definition && { kind: definition.kind, table: definition.table, column: definition.column };

/** Types each name in a text again in several ways, and accepts its completion; returns what goes wrong. */
function findFailures(text: string, context: ExpressionContext): readonly string[] {
  const problemCount = diagnose(text, context).length;
  return getOccurrences(text, context)
    .filter((occurrence) => !isDeclaration(occurrence) && occurrence.name.end > occurrence.name.start)
    .flatMap(({ name }) =>
      waysOfTyping.flatMap(([open, typedLength, close]) => {
        const typed = open + name.text.slice(0, typedLength).replaceAll(/["`\]]/g, '');
        const before = text.slice(0, name.start) + typed;
        const typedText = before + close + text.slice(name.end);
        const item = completionsAt(typedText, before.length, context).find(
          ({ kind, label }) =>
            kind !== 'function' && kind !== 'keyword' && label.toLowerCase() === name.text.toLowerCase(),
        );
        if (item === undefined) {
          return [`${before}|${close}: ${name.text} isn't proposed`];
        }
        const after = typedText.slice(0, item.start) + item.insertText + typedText.slice(item.end);
        const end = item.start + item.insertText.length;
        const isSame =
          JSON.stringify(toMeaning(definitionAt(after, end, context))) ===
          JSON.stringify(toMeaning(definitionAt(text, name.start, context)));
        return isSame && diagnose(after, context).length <= problemCount ? [] : [`${typedText}: ${after}`];
      }),
    );
}

describe('a name that is deleted and typed again', () => {
  test.each<[string, readonly string[], ExpressionContext]>([
    ['queries', statements, tableContext],
    ['expressions of columns', readLines(CLEAN_EXPRESSIONS), columnContext],
  ])('is proposed, and means the same once it is accepted: %s', (_what, texts, context) => {
    const checkedTexts = texts.filter((text) => !unproposedTexts.some((pattern) => pattern.test(text)));
    expect(checkedTexts.flatMap((text) => findFailures(text, context))).toEqual([]);
  });
});

/** Keywords that aren't proposed where a text ends with this: rare ones, functions, and names like keywords. */
const unproposedKeywords: readonly RegExp[] = [
  / AS (?:From )?$/,
  /TIMESTAMP $/,
  /^SELECT (?:LEFT\(Status, 2\), )?$/,
  /GROUP_CONCAT\(DISTINCT Status $/,
  // Table hints, and ROLLUP.
  /(?:Orders|Orders o|Customers AS c|GROUP BY Status) $/,
  // Clauses after a select without FROM.
  /SELECT (?:2|1 AS one) $/,
];

/** Types the statement up to each of its keywords; returns the keywords that aren't proposed next. */
function findUnproposedKeywords(text: string): readonly string[] {
  return [...lex(text).tokens]
    .filter((token) => token.kind === 'word' && isReserved(token.symbol))
    .flatMap(({ start, symbol: keyword }) => {
      const before = text.slice(0, start);
      const isProposed = completionsAt(before, start, tableContext).some(
        ({ kind, label }) => kind === 'keyword' && label.split(' ').includes(keyword),
      );
      return isProposed || unproposedKeywords.some((pattern) => pattern.test(before))
        ? []
        : [`${before}| ${keyword}`];
    });
}

test('each keyword of a query is proposed where it is typed', () => {
  expect(statements.flatMap(findUnproposedKeywords)).toEqual([]);
});

test.each<[string, readonly string[]]>([
  ['SELECT TOP (10) | FROM Orders', ['Amount', 'CASE']],
  ["SELECT POSITION('a' IN |) FROM Orders", ['Status', 'CASE']],
  ['SELECT * FROM Orders WHERE Amount > ALL (|', ['SELECT']],
  ['SELECT * FROM Orders WHERE Amount = ANY(|', ['SELECT']],
  ['(SELECT Amount FROM Orders) |', ['UNION', 'UNION ALL', 'ORDER BY', 'LIMIT']],
  ['SELECT * FROM Orders o JOIN Customers c JOIN Products p ON p.Name = c.Name |', ['ON', 'USING', 'WHERE']],
])('%s: %j are proposed', (marked, expected) => {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const labels = completionsAt(text, offset, tableContext).map(({ label }) => label);
  expect(expected.filter((label) => !labels.includes(label))).toEqual([]);
});

test.each([
  'SELECT * FROM Orders o JOIN Customers c ON 1 = 1 |',
  'SELECT * FROM Orders o CROSS JOIN Customers c JOIN Products p ON 1 = 1 |',
  'SELECT * FROM Orders o NATURAL JOIN Customers c JOIN Products p USING (Name) |',
])('%s: no second condition is proposed', (marked) => {
  const offset = marked.indexOf('|');
  const labels = completionsAt(marked.slice(0, offset), offset, tableContext).map(({ label }) => label);
  expect(labels).toContain('WHERE');
  expect(labels.filter((label) => label === 'ON' || label === 'USING')).toEqual([]);
});
