import { expect, test } from 'vitest';
import { describeBreaks, getDeletedColumns } from '../../../src/cli/planOutput.ts';

test('what breaks several times in the same way is one entry', () => {
  const rule = {
    referrerKind: 'rule',
    referrer: { kind: 'rule', name: 'Regions.Region', within: ['Retail'] },
    names: { table: 'Regions', column: 'Region' },
    reason: 'missing',
  } as const;
  const viewpoint = {
    referrerKind: 'viewpoint',
    referrer: { kind: 'viewpoint', name: 'Sales', within: [] },
    names: { datamodel: 'Retail' },
    reason: 'missing',
  } as const;
  const text = 'data security rule: would have no effect · refers to Regions.Region';
  expect(describeBreaks([rule, viewpoint, rule, { ...rule, reason: 'type' }, rule])).toEqual([
    { item: 'Retail › Regions.Region', text: `${text} (3 times)` },
    { item: 'Sales', text: 'viewpoint · refers to Retail' },
    {
      item: 'Retail › Regions.Region',
      text: 'data security rule: would have no effect · Regions.Region would have a different data type',
    },
  ]);
});

test('a column that breaks is named with its table', () => {
  const breakage = {
    referrerKind: 'columnExpression',
    referrer: { kind: 'column', name: 'Margin', within: ['Retail', 'Sales', 'Orders'] },
    names: { table: 'Orders', column: 'Price' },
    reason: 'missing',
  } as const;
  expect(describeBreaks([breakage])).toMatchObject([{ item: 'Retail › Sales › Orders.Margin' }]);
});

test('a column counts as deleted unless its deletion waits for another apply', () => {
  const parts = [
    { pointer: '/columns/A~1B', before: {} },
    { pointer: '/columns/New', after: {} },
  ];
  const change = { action: 'update', item: 'table/M/T', pin: '', parts, changedOnServer: false } as const;
  const deferred = { item: 'table/M/T', reason: 'generated-column', text: '' };
  const getDeleted = (part: 'references' | 'column-deletions') =>
    getDeletedColumns({ changes: [{ ...change, parts }], deferred: [{ ...deferred, part }] });
  expect(getDeleted('references')).toEqual(['table/M/T/columns/A/B']);
  expect(getDeleted('column-deletions')).toEqual([]);
});
