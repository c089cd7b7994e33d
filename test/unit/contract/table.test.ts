import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRawNumber } from '../../../src/base/json.ts';
import {
  tableResponseSchema,
  isPlainColumn,
  columnSchema,
  tableSchema,
} from '../../../src/contract/table.ts';
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

test('property: the schema returns a plain column unchanged', () => {
  fc.assert(
    fc.property(fc.oneof(column, fc.jsonValue()), (value) => {
      if (isPlainColumn(value)) {
        expect(columnSchema.safeParse(value)).toEqual({ success: true, data: value });
      }
    }),
    { numRuns: getPropertyRuns(300) },
  );
});

test('property: the schema for responses reads a table like the full one', () => {
  fc.assert(
    fc.property(fc.option(fc.array(column), { nil: null }), (columns) => {
      const value = { oid: 't', name: 'Orders', columns };
      const [responseResult, schemaResult] = [
        tableResponseSchema.safeParse(value),
        tableSchema.safeParse(value),
      ];
      expect(responseResult.success).toBe(schemaResult.success);
      expect(responseResult.data).toEqual(schemaResult.data);
    }),
    { numRuns: getPropertyRuns(300) },
  );
});

test('a plain column is recognized as plain', () => {
  expect(isPlainColumn({ oid: 'c', name: 'Order Date', type: 4, hidden: false, expression: null })).toBe(
    true,
  );
});
