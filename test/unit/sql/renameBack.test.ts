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
import { CATALOG, columnContext, tableContext } from './model.ts';

/**
 * Renaming to a new name and back restores the text, as far as the text allows:
 * - for a new name that needs no quotes: always, however the text mixes its quotes;
 * - for one that must be quoted: if the text quotes its names consistently, all unquoted or all in brackets, or writes
 *   the renamed one in double quotes or backticks.
 * It does not restore: another letter case than the catalog's, dots between unquoted names (`orders.csv`), an unquoted
 * word that engines reserve, and the qualifier that a rename adds where its name would be ambiguous.
 */
const namesWithoutQuotes = ['Fresh', 'Date', 'Year', 'Größe', 'first', 'Поле', '名前'];
const namesThatNeedQuotes = [
  'x y',
  'a]b',
  'a"b',
  'a`b',
  'Order',
  'a.b',
  '2020',
  "it's",
  '😀 x',
  '[x]',
  'a[b',
];

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
  const unquote = (written: string): string =>
    written.replaceAll(/^[["`']|[\]"`']$/g, '').replaceAll(/([\]"`'])\1/g, '$1');
  return edits.every(
    ({ start, end, newText }) =>
      unquote(text.slice(start, end)) === name &&
      !/^[\w\]"`]+\./.test(newText) &&
      (/^["'`[]/.test(text.slice(start, end)) || canBeUnquoted(name)),
  );
}

/** Writes all names that need no quotes without quotes, or those of the datamodel in brackets. */
function unifyQuotes(text: string, context: ExpressionContext, isBracketed: boolean): string {
  const edits = getOccurrences(text, context).flatMap(({ name, symbol }): TextEdit[] => {
    const isDotted = name.quote === '' && name.text.includes('.');
    if (!canBeUnquoted(name.text) || isDotted || text[name.start] === "'" || name.end === name.start) {
      return [];
    }
    const isDeclaredInText = symbol.kind === 'alias' || symbol.kind === 'cte' || symbol.kind === 'output';
    return [
      {
        start: name.start,
        end: name.end,
        newText: isBracketed && !isDeclaredInText ? `[${name.text}]` : name.text,
      },
    ];
  });
  const editsByStart = new Map(edits.map((edit) => [edit.start, edit]));
  return applyEdits(text, [...editsByStart.values()]);
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
    target.column === undefined ||
      !columns.some((column) => column.name.toLowerCase() === newName.toLowerCase()),
  );
  fc.pre(edits.length > 0 && isExact(text, edits, name));
  const renamedText = applyEdits(text, edits);
  const catalog = renameInCatalog(CATALOG, target, newName);
  const renamesOwnTable =
    context.kind === 'column' && target.column === undefined && context.table === target.table;
  const renamedContext: ExpressionContext =
    context.kind === 'table'
      ? { kind: 'table', catalog }
      : { kind: 'column', catalog, table: renamesOwnTable ? newName : context.table };
  const reverseTarget =
    target.column === undefined ? { table: newName } : { table: target.table, column: newName };
  const reverseEdits = renameIn(renamedText, reverseTarget, name, renamedContext);
  return { renamed: renamedText, restored: applyEdits(renamedText, reverseEdits) };
}

const context: fc.Arbitrary<ExpressionContext> = fc.constantFrom(tableContext, columnContext);

describe('renaming and renaming back', () => {
  test('restores the text if the new name needs no quotes, however the text mixes its quotes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...queries),
        fc.constantFrom(...targets),
        fc.constantFrom(...namesWithoutQuotes),
        context,
        (text, target, newName, parseContext) => {
          fc.pre(!text.toLowerCase().includes(newName.toLowerCase()));
          expect(renameAndRevert(text, target, newName, parseContext).restored).toBe(text);
        },
      ),
      { numRuns: getPropertyRuns(400) },
    );
  });

  test('restores a text that quotes its names consistently, if the new name must be quoted', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...queries),
        fc.constantFrom(...targets),
        fc.constantFrom(...namesThatNeedQuotes),
        context,
        fc.boolean(),
        (written, target, newName, parseContext, isBracketed) => {
          const text = unifyQuotes(written, parseContext, isBracketed);
          const others = getOccurrences(text, parseContext).filter(
            ({ name, symbol }) =>
              (symbol.kind === 'table' || symbol.kind === 'column') &&
              canBeUnquoted(name.text) &&
              !isTarget(symbol, target),
          );
          // Without another name as an example, a rename writes brackets in columns, and none in tables.
          fc.pre(others.length > 0 || isBracketed === (parseContext.kind === 'column'));
          expect(renameAndRevert(text, target, newName, parseContext).restored).toBe(text);
        },
      ),
      { numRuns: getPropertyRuns(400) },
    );
  });

  test('restores the text for a name that it declares', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...queries),
        fc.nat(),
        fc.constantFrom(...namesWithoutQuotes, ...namesThatNeedQuotes),
        (text, index, newName) => {
          const declaredNames = getOccurrences(text, tableContext).filter(
            ({ symbol }) => symbol.kind !== 'table' && symbol.kind !== 'column',
          );
          const symbolName = declaredNames[index % Math.max(1, declaredNames.length)];
          fc.pre(symbolName !== undefined);
          const start = symbolName?.name.start ?? 0;
          const name = symbolName?.name.text ?? '';
          const areUnquoted = declaredNames.every(
            (other) => !/^["`[]/.test(text.slice(other.name.start, other.name.end)),
          );
          const renaming = renameSymbolAt(text, start, newName, tableContext);
          fc.pre(renaming?.conflicts.length === 0 && isExact(text, renaming.edits, name));
          fc.pre(canBeUnquoted(newName) || areUnquoted);
          // A name that hides a table is not assigned again: a WITH query might then read itself.
          fc.pre(!CATALOG.tables.some((table) => table.name.toUpperCase() === name.toUpperCase()));
          const after = applyEdits(text, renaming?.edits ?? []);
          const earlierEdits = (renaming?.edits ?? []).filter((edit) => edit.start < start);
          const shift = earlierEdits.reduce(
            (sum, edit) => sum + edit.newText.length - (edit.end - edit.start),
            0,
          );
          const reverseRenaming = renameSymbolAt(after, start + shift, name, tableContext);
          expect(reverseRenaming?.conflicts).toEqual([]);
          expect(applyEdits(after, reverseRenaming?.edits ?? [])).toBe(text);
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
  ])('uses the quotes of the text, and restores %s', (text, target, renamed) => {
    const found = renameAndRevert(text, target, 'x y', tableContext);
    expect(found).toEqual({ renamed, restored: text });
  });
});
