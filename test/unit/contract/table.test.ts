import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRawNumber } from '../../../src/base/json.ts';
import { readTableSchema, isPlainColumn, columnSchema, tableSchema } from '../../../src/contract/table.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const field = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    'x',
    8,
    Number.POSITIVE_INFINITY,
    true,
    createRawNumber('1.0'),
    {},
    [],
  ),
  fc.constant({ oid: 'e', expression: '[A]' }),
);
const column = fc.record(
  {
    oid: field,
    id: field,
    name: field,
    type: field,
    size: field,
    precision: field,
    scale: field,
    hidden: field,
    isCustom: field,
    expression: field,
    description: field,
    further: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

test('property: a value accepted unchanged is what the schema would return', () => {
  fc.assert(
    fc.property(fc.oneof(column, fc.jsonValue()), (value) => {
      if (isPlainColumn(value)) {
        expect(columnSchema.safeParse(value)).toEqual({ success: true, data: value });
      }
    }),
    { numRuns: getPropertyRuns(300) },
  );
});

test('property: a table is read the same as by its schema', () => {
  fc.assert(
    fc.property(fc.option(fc.array(column), { nil: null }), (columns) => {
      const value = { oid: 't', name: 'Orders', columns };
      const [read, alone] = [readTableSchema.safeParse(value), tableSchema.safeParse(value)];
      expect(read.success).toBe(alone.success);
      expect(read.data).toEqual(alone.data);
    }),
    { numRuns: getPropertyRuns(300) },
  );
});

test('a plain column is recognized as plain', () => {
  expect(isPlainColumn({ oid: 'c', name: 'Order Date', type: 4, hidden: false, expression: null })).toBe(
    true,
  );
});
