import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listFindables } from '../../../src/catalog/findables.ts';
import { findBestMatches, scoreName } from '../../../src/catalog/finder.ts';
import type { KnownResources } from '../../../src/catalog/instanceCatalog.ts';

const known: KnownResources = {
  datamodels: [
    {
      oid: 'model-0001',
      title: 'Retail',
      datasets: [
        {
          oid: 'dataset-1',
          name: 'Sales',
          schema: {
            tables: [
              {
                oid: 'table-orders',
                name: 'Orders',
                columns: [
                  { oid: 'column-date', name: 'Order Date' },
                  { oid: 'column-id', name: 'Order ID' },
                ],
              },
              { oid: 'table-items', name: 'Order Items', columns: [{ oid: 'item-id', name: 'Order ID' }] },
            ],
          },
        },
      ],
      relations: [{ oid: 'relation-77' }],
    },
  ],
  rules: [
    {
      subject: { kind: 'live', title: 'Desk' },
      rules: [
        { _id: 'rule-0001', table: 'Orders', column: 'Region', shares: [{ type: 'user', party: 'ada' }] },
        { table: 'Orders', column: 'Nameless' },
      ],
    },
  ],
  viewpoints: [{ id: 'viewpoint-1', name: 'Orders by month' }],
};

const findIds = (typed: string, limit = 10): readonly string[] =>
  findBestMatches(listFindables(known), typed, limit).map(({ id }) => id);

test('an exact match comes first, then prefixes, then substrings and letters in order', () => {
  expect(findIds('orders')).toEqual(['table-orders', 'viewpoint-1', 'rule-0001', 'table-items']);
});

test('a few letters in order are enough', () => {
  expect(findIds('orddt')).toEqual(['column-date']);
});

test('Table.Column finds the column of that table', () => {
  expect(findIds('orders.order id')[0]).toBe('column-id');
  expect(findIds('items.order id')).toEqual(['item-id']);
  expect(findIds('order items.')).toEqual(['item-id']);
});

test('each item is found by its ID, or at least six characters of the ID; a relation is found by nothing else', () => {
  for (const id of ['model-0001', 'dataset-1', 'table-orders', 'item-id', 'relation-77', 'rule-0001']) {
    expect(findIds(id.toUpperCase())[0]).toBe(id);
  }
  expect(findIds('relati')).toEqual(['relation-77']);
  expect(findIds('rela')).not.toContain('relation-77');
});

test('a search returns no more than the limit, and everything for an empty query', () => {
  expect(findIds('order', 2)).toHaveLength(2);
  expect(findIds(' ', 100)).toHaveLength([...listFindables(known)].length);
});

test('property: a name is found by its full text, its start and its letters', () => {
  const name = fc.string({ minLength: 1 }).map((text) => text.toLowerCase());
  fc.assert(
    fc.property(name, fc.nat(), fc.infiniteStream(fc.boolean()), (text, prefixChoice, keepChoices) => {
      expect(scoreName(text, text)).toBe(1000);
      expect(scoreName(text, text.slice(0, 1 + (prefixChoice % text.length)))).toBeGreaterThan(0);
      const keptLetters = Array.from(text)
        .filter(() => keepChoices.next().value)
        .join('');
      expect(scoreName(text, keptLetters)).toBeGreaterThan(0);
    }),
  );
});
