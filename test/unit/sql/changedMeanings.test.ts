import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyEdits,
  type Catalog,
  findMeaningChanges,
  type ExpressionContext,
  type ChangeSide,
  renameIn,
  type RenameTarget,
} from '../../../src/sql/index.ts';
import { alignTexts } from '../../../src/sql/rename/alignTexts.ts';
import { renameInContext } from '../../../src/sql/rename/renameInCatalog.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { cleanTexts } from './generate.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { CATALOG, columnContext, tableContext } from './model.ts';

const createSide = (text: string, context: ExpressionContext): ChangeSide => {
  const { tables }: Catalog = context.catalog;
  return {
    text,
    context,
    getIdentity: ({ table, column }) =>
      `${tables.indexOf(table)}.${column === undefined ? '' : table.columns.indexOf(column)}`,
  };
};

/** The changes of meaning by a rename in the datamodel, determined only from the texts before and after the rename. */
function findChanges(text: string, target: RenameTarget, newName: string, context = tableContext): string[] {
  const after = applyEdits(text, renameIn(text, target, newName, context));
  return findMeaningChanges(
    createSide(text, context),
    createSide(after, renameInContext(context, target, newName)),
  ).map(
    ({ kind, name, before: oldMeaning, after: newMeaning }) =>
      `${kind} ${name}: ${oldMeaning.kind} ${oldMeaning.name} > ${newMeaning.kind} ${newMeaning.name}`,
  );
}

const AMOUNT = { table: 'Orders', column: 'Amount' };
const ORDERS = { table: 'Orders' };

describe('the meanings that a rename in the datamodel changes', () => {
  test.each([
    [
      'a column, by an inner table of the same alias',
      'SELECT 1 FROM Orders o WHERE EXISTS (SELECT 1 FROM Customers o WHERE Amount > 1)',
      AMOUNT,
      'Name',
      ['captured Amount: column Amount > column Name'],
    ],
    [
      'a column of another table, by the renamed one',
      'SELECT Name FROM Orders o, Customers c',
      AMOUNT,
      'Name',
      ['captured Name: column Name > ambiguous '],
    ],
    [
      'a column of a table further out, by the renamed one',
      'SELECT 1 FROM Customers WHERE EXISTS (SELECT 1 FROM Orders WHERE Country = Status)',
      AMOUNT,
      'Country',
      ['captured Country: column Country > column Country'],
    ],
    [
      'an alias of the result in ORDER BY',
      'SELECT Status AS Total, Amount FROM Orders ORDER BY Total',
      AMOUNT,
      'Total',
      ['duplicate Total: nothing  > nothing '],
    ],
    [
      'a WITH query of the new name',
      'WITH Sales AS (SELECT 1 AS x) SELECT x FROM Orders, Sales',
      ORDERS,
      'Sales',
      [
        'captured x: result x > ambiguous ',
        'captured Orders: table Orders > cte Sales',
        'duplicate Sales: nothing  > nothing ',
      ],
    ],
    [
      'an alias of the new name',
      'SELECT Orders.Amount FROM Orders, Customers Sales',
      ORDERS,
      'Sales',
      ['duplicate Sales: nothing  > nothing '],
    ],
    [
      'a USING that the other side no longer matches',
      'SELECT 1 FROM Orders JOIN Customers USING ([Customer Id])',
      { table: 'Orders', column: 'Customer Id' },
      'Key',
      ['joined [Customer Id]: ambiguous  > nothing '],
    ],
    [
      'a NATURAL JOIN that would join more',
      'SELECT Country FROM Orders NATURAL JOIN Customers',
      AMOUNT,
      'Name',
      ['joined Customers: nothing  > nothing '],
    ],
    [
      'none, if the new name is used nowhere else',
      'SELECT Amount, o.Status FROM Orders o ORDER BY Amount',
      AMOUNT,
      'Net Amount',
      [],
    ],
    ['none in a text that does not name the column', 'SELECT Name FROM Customers', AMOUNT, 'Name', []],
  ] as [string, string, RenameTarget, string, string[]][])('%s', (_, text, target, newName, expected) =>
    expect(findChanges(text, target, newName)).toEqual(expected),
  );
});

test('only unchanged parts are compared, not newly written ones', () => {
  const before = createSide('SELECT Amount, Status FROM Orders o', tableContext);
  const after = createSide(
    'SELECT Amount, c.Name, Status FROM Orders o JOIN Customers c ON 1 = 1',
    tableContext,
  );
  expect(findMeaningChanges(before, after)).toEqual([]);
});

test('an alias that keeps the name of a renamed column is not a change', () => {
  const before = createSide('SELECT Amount FROM Orders ORDER BY Amount', tableContext);
  const renamedContext = renameInContext(tableContext, AMOUNT, 'Net');
  expect(
    findMeaningChanges(
      before,
      createSide('SELECT Net AS Amount FROM Orders ORDER BY Amount', renamedContext),
    ),
  ).toEqual([]);
});

describe('the tokens of two versions of a text are matched', () => {
  test.each([
    ['a token is replaced', 'a + b * c', 'a - b * c', 'a > a, b > b, * > *, c > c'],
    ['a token is removed', 'a AND NOT b = c', 'a AND b = c', 'a > a, AND > AND, b > b, = > =, c > c'],
    ['a token is added', 'a AND b = c', 'a AND NOT b = c', 'a > a, AND > AND, b > b, = > =, c > c'],
    ['a qualifier is added', 'a + b', 'a + o.b', 'a > a, + > +, b > b'],
    [
      'an alias is added',
      'SELECT a, b FROM t',
      'SELECT a AS x, b FROM t',
      'SELECT > SELECT, a > a, , > ,, b > b, FROM > FROM, t > t',
    ],
    [
      'an alias is added, and a name after it is replaced',
      'SELECT a FROM t',
      'SELECT a AS x FROM u',
      'SELECT > SELECT, a > a, FROM > FROM, t > u',
    ],
    ['a name is replaced', 'a + b', 'a + x', 'a > a, + > +, b > x'],
    ['a name is replaced and has an alias', 'a, b', 'x AS a, b', 'a > x, , > ,, b > b'],
  ])('%s', (_, before, after, expected) => {
    const alignment = alignTexts(before, after);
    const newTokens = new Map([...lex(after).tokens].map((token) => [token.start, token]));
    const pairs = [...lex(before).tokens].flatMap((token) => {
      const newToken = newTokens.get(alignment.toAfter(token.start) ?? -1);
      if (token.kind === 'end' || newToken === undefined) {
        return [];
      }
      expect(alignment.toBefore(newToken.start)).toBe(token.start);
      return [`${before.slice(token.start, token.end)} > ${after.slice(newToken.start, newToken.end)}`];
    });
    expect(pairs.join(', ')).toBe(expected);
  });

  test('in the same way as by the edits of a rename', () => {
    const targets = CATALOG.tables.flatMap(({ name, columns }): RenameTarget[] => [
      { table: name },
      ...columns.map((column) => ({ table: name, column: column.name })),
    ]);
    let shiftedTokens = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...cleanTexts),
        fc.constantFrom(...targets),
        fc.constantFrom('Fresh', 'Name', 'x y', 'Select'),
        fc.constantFrom<ExpressionContext>(tableContext, columnContext),
        (text, target, newName, context) => {
          const edits = renameIn(text, target, newName, context);
          const after = applyEdits(text, edits);
          const alignment = alignTexts(text, after);
          const isEdited = (start: number): boolean =>
            edits.some((edit) => edit.start <= start && start < edit.end);
          for (const { start, kind } of lex(text).tokens) {
            const previousEdits = edits.filter((edit) => edit.end <= start);
            const shift = previousEdits.reduce(
              (sum, { newText, start: from, end }) => sum + newText.length - (end - from),
              0,
            );
            if (previousEdits.length > 0 && kind !== 'end' && !isEdited(start)) {
              expect(alignment.toAfter(start)).toBe(start + shift);
              expect(alignment.toBefore(start + shift)).toBe(start);
              shiftedTokens += 1;
            }
          }
        },
      ),
      { numRuns: getPropertyRuns(300) },
    );
    expect(shiftedTokens).toBeGreaterThan(10);
  });
});

/** Lists the offsets that the tokens of a text are mapped to; `-` for those without a counterpart. */
const listOffsets = (text: string, map: (offset: number) => number | undefined): string =>
  [...lex(text).tokens]
    .filter(({ kind }) => kind !== 'end')
    .map(({ start }) => map(start) ?? '-')
    .join(' ');

test.each<[string, string, string, string]>([
  ['SELECT a FROM t', 'SELECT a FROM t', '0 7 9 14', '0 7 9 14'],
  ['SELECT a FROM t', 'SELECT b FROM t', '0 7 9 14', '0 7 9 14'],
  ['SELECT a, b FROM t', 'SELECT x, y FROM u', '0 7 8 10 12 17', '0 7 8 10 12 17'],
  ['SELECT a FROM t', 'SELECT t.a FROM t', '0 9 11 16', '0 - - 7 9 14'],
  ['SELECT a FROM t', 'SELECT b AS a FROM t', '0 7 14 19', '0 7 - - 9 14'],
  ['SELECT a FROM t', 'SELECT t.b AS a FROM t', '0 9 16 21', '0 - - 7 - - 9 14'],
  ['SELECT a FROM t o', 'SELECT o.b AS a FROM u o', '0 9 16 21 23', '0 - - 7 - - 9 14 16'],
  ['SELECT a, b FROM t', 'SELECT b FROM t', '0 - - 7 9 14', '0 10 12 17'],
  ['SELECT b FROM t', 'SELECT a, b FROM t', '0 10 12 17', '0 - - 7 9 14'],
  ['SELECT a FROM t', 'SELECT a + 1 FROM t', '0 7 13 18', '0 7 - - 9 14'],
  ['SELECT a + 1 FROM t', 'SELECT a FROM t', '0 7 - - 9 14', '0 7 13 18'],
  ['SELECT a FROM t WHERE x = 1', 'SELECT a FROM t', '0 7 9 14 - - - -', '0 7 9 14'],
  ['SELECT a FROM t', 'SELECT a FROM t WHERE x = 1', '0 7 9 14', '0 7 9 14 - - - -'],
  ['SELECT [a b] FROM t', 'SELECT c FROM t', '0 7 9 14', '0 7 13 18'],
  ['SELECT a FROM t', 'SELECT [a b] FROM t', '0 7 13 18', '0 7 9 14'],
  ["SELECT 'a' FROM t", 'SELECT b FROM t', '0 - 9 14', '0 - 11 16'],
  ['a', 'b', '0', '0'],
  ['a', '', '-', ''],
  ['', 'a', '', '-'],
  ['a b', 'b a', '- -', '- -'],
  ['a b c', 'c b a', '0 2 4', '0 2 4'],
  ['a.b', 'a.c', '0 1 2', '0 1 2'],
  ['a.b', 'x.a.b', '0 1 4', '0 1 - - 2'],
  ['a', 'x.a', '2', '- - 0'],
  ['a', 'a AS b', '0', '0 - -'],
  ['a', 'AS a', '3', '- 0'],
  ['a x', 'b AS x x', '0 7', '0 - - 2'],
  ['f(a)', 'f(b)', '0 1 2 3', '0 1 2 3'],
  ['f(a)', 'g(a)', '0 1 2 3', '0 1 2 3'],
  ['f(a)', 'h(b)', '0 1 2 3', '0 1 2 3'],
  ['a, b, c', 'a, c', '0 1 - - 3', '0 1 6'],
  ['a, b, c', 'a, x, b, c', '0 1 3 4 9', '0 1 3 4 - - 6'],
  ['a, b, c', 'c, a, b', '0 1 3 4 6', '0 1 3 4 6'],
  ['a + b', 'b + a', '0 2 4', '0 2 4'],
  ['1 + a', '2 + a', '- 2 4', '- 2 4'],
  ['a = 1', 'a = 2', '0 2 -', '0 2 -'],
  [
    'SELECT a FROM t JOIN u ON t.x = u.x',
    'SELECT a FROM v JOIN u ON v.x = u.x',
    '0 7 9 14 16 21 23 26 27 28 30 32 33 34',
    '0 7 9 14 16 21 23 26 27 28 30 32 33 34',
  ],
  [
    'SELECT a FROM t JOIN u USING (x)',
    'SELECT a FROM t JOIN u ON t.x = u.x',
    '0 7 9 14 16 21 - - - -',
    '0 7 9 14 16 21 - - - - - - - -',
  ],
  [
    'a a a b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b c d',
    'a a a c d',
    '0 2 4 - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -',
    '0 2 4 - -',
  ],
  [
    'a a a b b b b b b b b b b b b b b b b b b b b b b c d',
    'a a a c d',
    '0 2 4 - - - - - - - - - - - - - - - - - - - - - - 6 8',
    '0 2 4 50 52',
  ],
])('the tokens of %j are aligned with those of %j', (before, after, newOffsets, oldOffsets) => {
  const mapping = alignTexts(before, after);
  expect(listOffsets(before, (offset) => mapping.toAfter(offset))).toBe(newOffsets);
  expect(listOffsets(after, (offset) => mapping.toBefore(offset))).toBe(oldOffsets);
});
