import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyEdits,
  type ExpressionContext,
  renameInCatalog,
  renameIn,
  renameSymbolAt,
  type TextEdit,
} from '../../../src/sql/index.ts';
import { getOccurrences } from '../../../src/sql/features/occurrences.ts';
import { canBeUnquoted } from '../../../src/sql/quoting.ts';
import { isTarget } from '../../../src/sql/rename/renameTarget.ts';
import { cleanTexts } from './generate.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { CATALOG, COLUMN, TABLE } from './model.ts';

/**
 * Renaming there and back is the identity, as far as a text allows:
 * - to a name that needs no quotes: always, position by position, however the text mixes its quotes;
 * - to a name that must be quoted: if the text writes its names of a kind one way, all unquoted or all in brackets,
 *   or the name itself in double quotes or backticks.
 * A rename does not restore: another case than the catalog's, dots between unquoted names (`orders.csv`), an unquoted
 * word that engines reserve, and the qualifier that a rename adds where its name would be ambiguous.
 */
const bareNames = ['Fresh', 'Date', 'Year', 'Größe', 'first', 'Поле', '名前'];
const oddNames = ['x y', 'a]b', 'a"b', 'a`b', 'Order', 'a.b', '2020', "it's", '😀 x', '[x]', 'a[b'];

const queries = [
  ...cleanTexts,
  'SELECT Date FROM [orders.csv]',
  'SELECT Date, total FROM [orders.csv] WHERE Date > 1 ORDER BY Date',
  'SELECT [Date], total FROM [orders.csv] ORDER BY Date',
  'SELECT Größe, Name FROM Products p WHERE p.Größe > 1',
  'SELECT [Amount], Status FROM Orders WHERE Amount > 1',
  'SELECT o.[Amount], o.[Status] FROM [Orders] o JOIN [Customers] c ON o.[Customer Id] = c.[Customer Id]',
  'WITH year AS (SELECT Amount AS month FROM Orders) SELECT year.month FROM year ORDER BY month',
  "SELECT Amount AS 'it''s', Status AS 's' FROM Orders ORDER BY s",
];

const targets = CATALOG.tables.flatMap(({ name, columns }) => [
  { table: name },
  ...columns.map((column) => ({ table: name, column: column.name })),
]);

/** Whether every edit replaces a name that is spelled as in the catalog, without adding a qualifier. */
function isExact(text: string, edits: readonly TextEdit[], name: string): boolean {
  const bare = (written: string): string =>
    written.replaceAll(/^[["`']|[\]"`']$/g, '').replaceAll(/([\]"`'])\1/g, '$1');
  return edits.every(
    ({ start, end, newText }) =>
      bare(text.slice(start, end)) === name &&
      !/^[\w\]"`]+\./.test(newText) &&
      (/^["'`[]/.test(text.slice(start, end)) || canBeUnquoted(name)),
  );
}

/** Writes all names that need no quotes without quotes, or those of the datamodel in brackets. */
function unifyQuotes(text: string, context: ExpressionContext, quoted: boolean): string {
  const edits = getOccurrences(text, context).flatMap(({ name, symbol }): TextEdit[] => {
    const isDotted = name.quote === '' && name.text.includes('.');
    if (!canBeUnquoted(name.text) || isDotted || text[name.start] === "'" || name.end === name.start) {
      return [];
    }
    const isOwn = symbol.kind === 'alias' || symbol.kind === 'cte' || symbol.kind === 'output';
    return [{ start: name.start, end: name.end, newText: quoted && !isOwn ? `[${name.text}]` : name.text }];
  });
  const places = new Map(edits.map((edit) => [edit.start, edit]));
  return applyEdits(text, [...places.values()]);
}

function renameAndRevert(
  text: string,
  target: { table: string; column?: string },
  newName: string,
  context: ExpressionContext,
) {
  const edits = renameIn(text, target, newName, context);
  const name = target.column ?? target.table;
  const columns = CATALOG.tables.find((table) => table.name === target.table)?.columns ?? [];
  fc.pre(
    target.column === undefined || !columns.some((own) => own.name.toLowerCase() === newName.toLowerCase()),
  );
  fc.pre(edits.length > 0 && isExact(text, edits, name));
  const there = applyEdits(text, edits);
  const catalog = renameInCatalog(CATALOG, target, newName);
  const isOwn = context.kind === 'column' && target.column === undefined && context.table === target.table;
  const now: ExpressionContext =
    context.kind === 'table'
      ? { kind: 'table', catalog }
      : { kind: 'column', catalog, table: isOwn ? newName : context.table };
  const back = target.column === undefined ? { table: newName } : { table: target.table, column: newName };
  const edited = renameIn(there, back, name, now);
  fc.pre(edited.length === edits.length);
  return { there, back: applyEdits(there, edited) };
}

const context: fc.Arbitrary<ExpressionContext> = fc.constantFrom(TABLE, COLUMN);

describe('there and back', () => {
  test('to a name that needs no quotes is the identity, whatever the text mixes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...queries),
        fc.constantFrom(...targets),
        fc.constantFrom(...bareNames),
        context,
        (text, target, newName, where) => {
          fc.pre(!text.toLowerCase().includes(newName.toLowerCase()));
          expect(renameAndRevert(text, target, newName, where).back).toBe(text);
        },
      ),
      { numRuns: getPropertyRuns(400) },
    );
  });

  test('to a name that must be quoted is the identity in a text that writes its names one way', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...queries),
        fc.constantFrom(...targets),
        fc.constantFrom(...oddNames),
        context,
        fc.boolean(),
        (written, target, newName, where, quoted) => {
          const text = unifyQuotes(written, where, quoted);
          const others = getOccurrences(text, where).filter(
            ({ name, symbol }) =>
              (symbol.kind === 'table' || symbol.kind === 'column') &&
              canBeUnquoted(name.text) &&
              !isTarget(symbol, target),
          );
          fc.pre(others.length > 0 || quoted === (where.kind === 'column'));
          expect(renameAndRevert(text, target, newName, where).back).toBe(text);
        },
      ),
      { numRuns: getPropertyRuns(400) },
    );
  });

  test('of a name declared in the text is the identity', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...queries),
        fc.nat(),
        fc.constantFrom(...bareNames, ...oddNames),
        (text, index, newName) => {
          const declared = getOccurrences(text, TABLE).filter(
            ({ symbol }) => symbol.kind !== 'table' && symbol.kind !== 'column',
          );
          const symbolName = declared[index % Math.max(1, declared.length)];
          fc.pre(symbolName !== undefined);
          const start = symbolName?.name.start ?? 0;
          const name = symbolName?.name.text ?? '';
          const areUnquoted = declared.every(
            (other) => !/^["`[]/.test(text.slice(other.name.start, other.name.end)),
          );
          const there = renameSymbolAt(text, start, newName, TABLE);
          fc.pre(there?.conflicts.length === 0 && isExact(text, there.edits, name));
          fc.pre(canBeUnquoted(newName) || areUnquoted);
          // A name that hides a table is not assigned again: a WITH query might then read itself.
          fc.pre(!CATALOG.tables.some((table) => table.name.toUpperCase() === name.toUpperCase()));
          const after = applyEdits(text, there?.edits ?? []);
          const earlierEdits = (there?.edits ?? []).filter((edit) => edit.start < start);
          const shift = earlierEdits.reduce(
            (sum, edit) => sum + edit.newText.length - (edit.end - edit.start),
            0,
          );
          const back = renameSymbolAt(after, start + shift, name, TABLE);
          expect(back?.conflicts).toEqual([]);
          expect(applyEdits(after, back?.edits ?? [])).toBe(text);
        },
      ),
      { numRuns: getPropertyRuns(400) },
    );
  });

  test.each([
    [
      'SELECT Date FROM [orders.csv]',
      { table: 'orders.csv', column: 'Date' },
      'SELECT [x y] FROM [orders.csv]',
    ],
    [
      'SELECT Date, total FROM [orders.csv]',
      { table: 'orders.csv', column: 'Date' },
      'SELECT [x y], total FROM [orders.csv]',
    ],
    ['SELECT Amount FROM Orders', { table: 'Orders', column: 'Amount' }, 'SELECT [x y] FROM Orders'],
    ['SELECT * FROM Orders', { table: 'Orders' }, 'SELECT * FROM [x y]'],
    ['SELECT [Amount] FROM [Orders]', { table: 'Orders', column: 'Amount' }, 'SELECT [x y] FROM [Orders]'],
    [
      'SELECT "Amount", Status FROM Orders',
      { table: 'Orders', column: 'Amount' },
      'SELECT "x y", Status FROM Orders',
    ],
  ])('%s', (text, target, there) => {
    const found = renameAndRevert(text, target, 'x y', TABLE);
    expect(found).toEqual({ there, back: text });
  });
});
