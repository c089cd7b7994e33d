import { expect, test } from 'vitest';
import { completionsAt, diagnose } from '../../../src/sql/index.ts';

const columns = Array.from({ length: 40 }, (_, index) => ({ name: `C${index}` }));
const context = {
  kind: 'table',
  catalog: { complete: true, tables: [{ name: 'Orders', columns }] },
} as const;

/** Each level joins the previous one with itself, so that the columns of its star double. */
function createDoublingQuery(levels: number): string {
  const ctes = Array.from(
    { length: levels },
    (_, level) => `c${level + 1} AS (SELECT * FROM c${level} a, c${level} b)`,
  );
  return `WITH c0 AS (SELECT * FROM Orders), ${ctes.join(', ')} SELECT nope FROM c${levels}`;
}

test('stars of stars terminate, however often they double, and then nothing is reported as unknown', () => {
  const text = createDoublingQuery(60);
  expect(diagnose(text, context)).toEqual([]);
  expect(completionsAt(text, text.length, context)).toBeInstanceOf(Array);
});

test('as long as the columns can be computed, unknown ones are reported', () => {
  expect(diagnose(createDoublingQuery(2), context).map(({ code }) => code)).toEqual(['unknown-column']);
});

test('a star over a table with more columns than an argument list can hold does not throw', () => {
  const wideColumns = Array.from({ length: 200_000 }, (_, index) => ({ name: `C${index}` }));
  const catalog = { complete: true, tables: [{ name: 'Wide', columns: wideColumns }] };
  expect(diagnose('SELECT a.C1 FROM (SELECT * FROM Wide) a', { kind: 'table', catalog })).toEqual([]);
});

test('a query that reads a column of a lateral query knows all columns, however many sources it has', () => {
  const names = ['Amount', 'Status'].map((name) => ({ name }));
  const catalog = {
    complete: true,
    tables: [
      { name: 'Orders', columns: names },
      { name: 'Shops', columns: [{ name: 'Region' }] },
    ],
  };
  for (let count = 0; count < 12; count += 1) {
    const orders = Array.from({ length: count }, (_, index) => `Orders o${index}, `).join('');
    const text = `SELECT l.x, y, Region FROM Shops s, ${orders}LATERAL (SELECT Region AS x, 1 AS y) l`;
    expect(diagnose(text, { kind: 'table', catalog })).toEqual([]);
    expect(diagnose(text.replace('l.x', 'z'), { kind: 'table', catalog }).map(({ code }) => code)).toEqual([
      'unknown-column',
    ]);
  }
});
