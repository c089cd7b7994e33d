import { expect, test } from 'vitest';
import { completionsAt, diagnose } from '../../../src/sql/index.ts';

const columns = Array.from({ length: 40 }, (_, index) => ({ name: `C${index}` }));
const context = {
  kind: 'table',
  catalog: { complete: true, tables: [{ name: 'Orders', columns }] },
} as const;

/** Each level joins the one before with itself, so that the columns of its star double. */
function doubling(levels: number): string {
  const ctes = Array.from(
    { length: levels },
    (_, level) => `c${level + 1} AS (SELECT * FROM c${level} a, c${level} b)`,
  );
  return `WITH c0 AS (SELECT * FROM Orders), ${ctes.join(', ')} SELECT nope FROM c${levels}`;
}

test('stars of stars end, however often they double, and nothing is called unknown then', () => {
  const text = doubling(60);
  expect(diagnose(text, context)).toEqual([]);
  expect(completionsAt(text, text.length, context)).toBeInstanceOf(Array);
});

test('as long as a shape can be worked out, what it lacks is unknown', () => {
  expect(diagnose(doubling(2), context).map(({ code }) => code)).toEqual(['unknown-column']);
});

test('a star over a table of more columns than an argument list takes does not throw', () => {
  const wide = Array.from({ length: 200_000 }, (_, index) => ({ name: `C${index}` }));
  const catalog = { complete: true, tables: [{ name: 'Wide', columns: wide }] };
  expect(diagnose('SELECT a.C1 FROM (SELECT * FROM Wide) a', { kind: 'table', catalog })).toEqual([]);
});
