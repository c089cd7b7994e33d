import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyEdits,
  codeActionsAt,
  completionsAt,
  definitionAt,
  diagnose,
  getDocumentSymbols,
  type ExpressionContext,
  getFoldingRanges,
  format,
  hoverAt,
  referencesAt,
  renameInCatalog,
  renameIn,
  renameSymbolAt,
  getSemanticTokens,
  signatureHelpAt,
} from '../../../src/sql/index.ts';
import { formatWithLongLimit } from '../../../src/sql/format.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { parseExpression, parseStatement } from '../../../src/sql/syntax/parser.ts';
import { walkTree } from '../../../src/sql/syntax/walk.ts';
import { anyText, cleanTexts, spacedText } from './generate.ts';
import { getInputRuns, getPropertyRuns } from '../../support/soak.ts';
import { CATALOG, columnContext, tableContext } from './model.ts';

interface Range {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

function expectInside(text: string, ranges: readonly (Range | undefined)[]): void {
  for (const range of ranges) {
    if (range?.start !== undefined && range.end !== undefined) {
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.end).toBeGreaterThanOrEqual(range.start);
      expect(range.end).toBeLessThanOrEqual(text.length);
    }
  }
}

const context: fc.Arbitrary<ExpressionContext> = fc.constantFrom(tableContext, columnContext);

describe('any text at all', () => {
  test('tokens follow each other without overlap and leave out nothing but blanks', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { tokens, comments } = lex(text);
        const all = [...tokens, ...comments].toSorted((a, b) => a.start - b.start);
        let previousEnd = 0;
        for (const { start, end } of all) {
          expect(start).toBeGreaterThanOrEqual(previousEnd);
          expect(/^[\s\u0085\u200b\p{Cc}]*$/u.test(text.slice(previousEnd, start))).toBe(true);
          previousEnd = end;
        }
        expect(previousEnd).toBe(text.length);
      }),
      { numRuns: getPropertyRuns(600) },
    );
  });

  test('parsing never throws, nodes lie inside the text and inside their parents', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const statement = parseStatement(text);
        const expression = parseExpression(text);
        expectInside(text, [...statement.syntaxErrors, ...expression.syntaxErrors]);
        for (const query of statement.queries) {
          walkTree(query, (node) => expectInside(text, [node]));
        }
        if (expression.expr !== undefined) {
          walkTree(expression.expr, (node) => expectInside(text, [node]));
        }
      }),
      { numRuns: getInputRuns(600) },
    );
  });

  test('no feature throws, and every range lies inside the text', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), context, (text, position, parseContext) => {
        const offset = text.length === 0 ? 0 : position % (text.length + 1);
        const items = completionsAt(text, offset, parseContext);
        expectInside(text, items);
        for (const { start, end } of items) {
          expect(start <= offset && offset <= end).toBe(true);
        }
        expectInside(text, diagnose(text, parseContext));
        expectInside(text, [definitionAt(text, offset, parseContext), hoverAt(text, offset, parseContext)]);
        expectInside(text, referencesAt(text, offset, parseContext));
        const renamed = renameSymbolAt(text, offset, 'x y', parseContext);
        expectInside(text, [...(renamed?.edits ?? []), ...(renamed?.conflicts ?? [])]);
        expectInside(text, renameIn(text, { table: 'Orders', column: 'Amount' }, 'x y', parseContext));
        expectInside(text, getSemanticTokens(text, parseContext));
        expectInside(text, getFoldingRanges(text, parseContext));
        expectInside(text, getDocumentSymbols(text));
        expectInside(
          text,
          codeActionsAt(text, 0, text.length, parseContext).flatMap(({ edits }) => edits),
        );
        signatureHelpAt(text, offset, parseContext);
      }),
      { numRuns: getPropertyRuns(400) },
    );
  });

  test('format is idempotent, and only changes blanks between tokens', () => {
    const getPieces = (text: string): string[] => {
      const { tokens, comments } = lex(text);
      const pieces = [
        ...[...tokens].map(({ start, end }) => ({ start, text: text.slice(start, end) })),
        ...comments.map(({ start, end }) => ({
          start,
          text: text.slice(start, end).replaceAll(/\s+/g, ' '),
        })),
      ];
      return pieces.toSorted((a, b) => a.start - b.start).map((piece) => piece.text.trimEnd());
    };
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...cleanTexts), anyText, spacedText), (text) => {
        const formatted = format(text);
        expect(format(formatted)).toBe(formatted);
        expect(getPieces(formatted)).toEqual(getPieces(text));
      }),
      { numRuns: getPropertyRuns(1000) },
    );
  });

  test.each([
    ['comments between statements', 'SELECT 1; /* c */ a', 'SELECT\n  1;\n\n/* c */\na'],
    ['a text of another character set', "SELECT N'a  b'", "SELECT\n  N'a  b'"],
    ['an open name', 'SELECT [ [e  f]   ,  1', 'SELECT [ [e  f]   ,  1'],
    ['an open text', "SELECT 'a  b   ,  1", "SELECT 'a  b   ,  1"],
    ['an open comment', 'SELECT 1   /* a  b', 'SELECT 1   /* a  b'],
  ])('format of %s', (_what, text, expected) => {
    expect(format(text)).toBe(expected);
    expect(format(expected)).toBe(expected);
  });
});

describe('texts that are too complex for the formatter', () => {
  const createColumnsQuery = (count: number): string =>
    `SELECT ${Array.from({ length: count }, (_, index) => `[Column ${index}]`).join(', ')} FROM Orders`;
  const createNestedQuery = (depth: number): string => `SELECT ${'('.repeat(depth)}1${')'.repeat(depth)}`;

  test.each([
    ['20,000 columns', createColumnsQuery(20_000)],
    ['1,000 parentheses', createNestedQuery(1000)],
    ['200 nested calls', `SELECT ${'f('.repeat(200)}1${')'.repeat(200)}`],
    ['a very long text', `SELECT 1 -- ${'x'.repeat(400_000)}`],
  ])('%s: the text is left unchanged', (_, text) => {
    expect(format(text)).toBe(text);
  });

  test('realistic texts are not too complex', () => {
    for (const text of [createColumnsQuery(2000), createNestedQuery(50)]) {
      expect(format(text)).toBe(formatWithLongLimit(text));
      expect(format(text)).not.toBe(text);
    }
  });
});

describe('rename', () => {
  const names = fc.oneof(
    fc.constantFrom('Fresh', 'New Name', 'a]b', 'a"b', 'a`b', 'Select', 'Größe 2', '2020', 'x.y'),
    fc
      .string({ minLength: 1, maxLength: 12 })
      .filter((name) => name.trim() === name && !/[\r\n\u2028\u2029\p{Cc}]/u.test(name)),
  );
  const targets = CATALOG.tables.flatMap(({ name, columns }) => [
    { table: name, column: undefined },
    ...columns.map((column) => ({ table: name, column: column.name })),
  ]);

  test('after a rename every reference to the target still refers to it, and nothing else does', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...cleanTexts),
        fc.constantFrom(...targets),
        names,
        context,
        (text, target, newName, parseContext) => {
          const isTaken = CATALOG.tables.some((table) =>
            [table.name, ...table.columns.map(({ name }) => name)].some(
              (name) => name.toLowerCase() === newName.toLowerCase(),
            ),
          );
          fc.pre(
            !isTaken &&
              !new RegExp(`(^|\\W)${newName.replaceAll(/[^\w\s]/g, String.raw`\$&`)}(\\W|$)`, 'i').test(text),
          );
          const { table, column } = target;
          const renameTarget = column === undefined ? { table } : { table, column };
          const edits = renameIn(text, renameTarget, newName, parseContext);
          const after = applyEdits(text, edits);
          const catalog = renameInCatalog(CATALOG, renameTarget, newName);
          const ownTable =
            parseContext.kind === 'column' && column === undefined && parseContext.table === table
              ? newName
              : undefined;
          const renamedContext: ExpressionContext =
            parseContext.kind === 'table'
              ? { kind: 'table', catalog }
              : { kind: 'column', table: ownTable ?? parseContext.table, catalog };
          const reverseEdits = renameIn(
            after,
            column === undefined ? { table: newName } : { table, column: newName },
            'Back',
            renamedContext,
          );
          expect(reverseEdits.length).toBe(edits.length);
          // A clean text stays clean with the renamed catalog.
          if (diagnose(text, parseContext).length === 0 && !/USING|NATURAL/.test(text)) {
            expect(diagnose(after, renamedContext)).toEqual([]);
          }
        },
      ),
      { numRuns: getPropertyRuns(600) },
    );
  });
});

/** The timeout catches hangs and quadratic growth; benchmarks measure speed. */
describe('hostile texts finish', () => {
  const LONG = 20_000;
  test.each([
    ['open parentheses', '('.repeat(LONG)],
    ['sub-selects', '(SELECT '.repeat(LONG)],
    ['nested functions', 'f('.repeat(LONG)],
    ['signs', '- '.repeat(LONG)],
    ['NOT', 'NOT '.repeat(LONG)],
    ['CASE', 'CASE WHEN '.repeat(LONG)],
    ['a long sum', `SELECT ${'Amount + '.repeat(LONG)}1 FROM Orders`],
    ['a long OR', `SELECT 1 FROM Orders WHERE ${'Amount = 1 OR '.repeat(LONG)}1 = 1`],
    ['many unions', 'SELECT 1 UNION ALL '.repeat(LONG)],
    [
      'many CTEs',
      `WITH ${Array.from({ length: 3000 }, (_, i) => `c${i} AS (SELECT * FROM ${i === 0 ? 'Orders' : `c${i - 1}`})`).join(', ')} SELECT * FROM c2999 WHERE Amount = 1`,
    ],
    ['derived in derived', `SELECT * FROM ${'(SELECT * FROM '.repeat(2000)}Orders`],
    ['open quotes', `SELECT ${'"a '.repeat(LONG)}`],
    ['open brackets', `SELECT ${'[a '.repeat(LONG)}`],
    ['odd strings', `SELECT ${"'a FROM \n".repeat(LONG)}'`],
    ['joins', `SELECT 1 FROM Orders ${'JOIN Orders '.repeat(LONG)}`],
    ['dots', `SELECT ${'a.'.repeat(LONG)}`],
    ['commas', ','.repeat(LONG)],
    ['closing parentheses', `SELECT ${')'.repeat(LONG)}`],
    ['open comments', '/*'.repeat(LONG)],
    ['groups', `SELECT * FROM ${'('.repeat(LONG)}`],
    ...[157, 158, 159, 160].map((depth): [string, string] => [
      `missing operands of UNION, ${depth} levels deep`,
      `${'('.repeat(depth)}SELECT 1 ${'UNION '.repeat(LONG)}`,
    ]),
  ])('%s', (_, text) => {
    const found = diagnose(text, tableContext);
    completionsAt(text, text.length, tableContext);
    completionsAt(text, text.length >> 1, tableContext);
    expect(found.filter(({ start, end }) => start < 0 || end > text.length)).toEqual([]);
  });

  test('a text over the limit is not parsed, and a warning reports it', () => {
    const text = `SELECT Nope FROM Orders ${' '.repeat(1_000_001)}`;
    for (const context of [tableContext, columnContext]) {
      expect(diagnose(`SELECT 1\n${text}`, context)).toMatchObject([
        { code: 'syntax', severity: 'warning', reason: 'too-long', start: 0, end: 8 },
      ]);
    }
    expect(completionsAt(text, 7, tableContext).length).toBeLessThan(10);
  });
});
