import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NameFilter, emptyNameFilter } from '../../../src/catalog/nameFilter.ts';
import type { Table } from '../../../src/contract/table.ts';

const createTable = (name: string, ...columns: string[]): Table => ({
  oid: name,
  name,
  columns: columns.map((column) => ({ oid: column, name: column })),
});
const orders = createTable('Orders', 'Order ID', 'Order Date');
const customers = createTable('Customers', 'Customer ID', 'Name');

test('every word must occur in the name, in any letter case and order', () => {
  const filter = new NameFilter(' date  ORD ');
  expect(filter.matches('Order Date')).toBe(true);
  expect(filter.matches('Order ID')).toBe(false);
});

test('a blank filter is no filter', () => {
  expect(new NameFilter('  ').isActive).toBe(false);
  expect(emptyNameFilter.filterTables([orders, customers])).toEqual([orders, customers]);
});

test('a table is shown if its own name or a column matches, with the matching columns', () => {
  const filter = new NameFilter('order date');
  expect(filter.filterTables([orders, customers])).toEqual([orders]);
  expect(filter.filterColumns(orders.columns ?? []).map(({ name }) => name)).toEqual(['Order Date']);
});

test('all columns of a matching table are shown, and all tables if only their parent matches', () => {
  const filter = new NameFilter('Customers');
  expect(filter.filterColumns(customers.columns ?? [])).toEqual(customers.columns);
  expect(new NameFilter('Retail').filterTables([orders, customers])).toEqual([orders, customers]);
});

test('property: any part of a name finds it', () => {
  const word = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(fc.string(), word, fc.string(), (before, part, after) => {
      // Normalization (NFC) may join the part with the characters around it, and then the name no longer contains it.
      fc.pre(`${before}${part}${after}`.normalize('NFC') === `${before}${part}${after}`);
      fc.pre(part.normalize('NFC') === part);
      expect(new NameFilter(part.trim()).matches(`${before}${part}${after}`)).toBe(true);
    }),
  );
});
