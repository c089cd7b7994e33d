import { expect, test } from 'vitest';
import { diagnose, withInferredColumns } from '../../../src/sql/index.ts';
import type { Catalog } from '../../../src/sql/index.ts';
import { CATALOG } from './model.ts';

const withIncompleteTables = (...names: string[]): Catalog => ({
  ...CATALOG,
  tables: [...CATALOG.tables, ...names.map((name) => ({ name, columns: [], open: true }))],
});

function infer(expressions: Readonly<Record<string, string>>) {
  const catalog = withInferredColumns(
    withIncompleteTables(...Object.keys(expressions)),
    new Map(Object.entries(expressions)),
  );
  return Object.fromEntries(
    catalog.tables
      .filter(({ name }) => name in expressions)
      .map((table) => [table.name, [table.columns.map(({ name }) => name).join(', '), table.open === true]]),
  );
}

test('a custom table has the columns of its query, through stars, CTEs and other custom tables', () => {
  expect(
    infer({
      last: 'SELECT * FROM middle m JOIN first f ON 1 = 1',
      middle: 'WITH c AS (SELECT Amount AS a, Status FROM Orders) SELECT a, c.Status FROM c',
      first: 'SELECT [Order Id] FROM Orders UNION ALL SELECT 1',
    }),
  ).toEqual({
    first: ['Order Id', false],
    middle: ['a, Status', false],
    last: ['a, Status, Order Id', false],
  });
});

test.each([
  ['a column without a name', 'SELECT Amount, 1 + 1 FROM Orders', 'Amount'],
  ['an unknown table', 'SELECT x, n.* FROM Nope n', 'x'],
  ['a star over itself', 'SELECT * FROM t', ''],
  ['no query', '', ''],
  ['half a query', 'SELECT o. FROM Orders o', ''],
])('the catalog stays incomplete with %s', (_name, text, columns) => {
  expect(infer({ t: text })).toEqual({ t: [columns, true] });
});

test('unknown columns are reported for complete tables only', () => {
  const texts = new Map([
    ['whole', 'SELECT Amount FROM Orders'],
    ['part', 'SELECT Amount, 1 FROM Orders'],
  ]);
  const catalog = withInferredColumns(withIncompleteTables('whole', 'part'), texts);
  const getCodes = (text: string) => diagnose(text, { kind: 'table', catalog }).map(({ code }) => code);
  expect(getCodes('SELECT Amount, Nope FROM whole')).toEqual(['unknown-column']);
  expect(getCodes('SELECT Amount, Nope FROM part')).toEqual([]);
});

test('known columns are left unchanged', () => {
  expect(withInferredColumns(CATALOG, new Map([['Orders', 'SELECT 1 AS x']]))).toBe(CATALOG);
});
