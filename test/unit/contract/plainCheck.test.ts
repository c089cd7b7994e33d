import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createRawNumber } from '../../../src/base/json.ts';
import { datamodelSchema, datasetSchema, relationSchema } from '../../../src/contract/datamodel.ts';
import { getPlainCheck } from '../../../src/contract/plainCheck.ts';
import { extractRuleSchema, liveRuleSchema } from '../../../src/contract/rule.ts';
import { tableResponseSchema } from '../../../src/contract/table.ts';
import { idSchema, openEnum, jsonNumberSchema } from '../../../src/contract/values.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const column = { oid: 'c', id: 'Date', name: 'Date', type: 4, hidden: false, expression: null, further: [1] };
const table = { oid: 't', name: 'Orders', type: 'base', columns: [column], configOptions: { a: { b: 1 } } };
const dataset = {
  oid: 'd',
  name: 'Files',
  type: 'extract',
  connection: { provider: 'CSV', parameters: { files: [] } },
  schema: { tables: [table, { ...table, expression: 'SELECT 1', buildBehavior: { type: 'sync' } }] },
};
const relation = { oid: 'r', columns: [{ dataset: 'd', table: 't', column: 'c' }] };
const datamodel = { oid: 'm', title: 'Retail', type: 'extract', datasets: [dataset], relations: [relation] };
const rule = {
  _id: 'x',
  server: 'LocalHost',
  elasticube: 'Retail',
  table: 'Orders',
  column: 'Date',
  members: ['a', 1],
  shares: [{ party: 'p', type: 'user' }],
};
const examples = [
  ['a datamodel', datamodelSchema, datamodel],
  ['a dataset', datasetSchema, dataset],
  ['a table', tableResponseSchema, table],
  ['a relation', relationSchema, relation],
  ['a rule of an extract datamodel', extractRuleSchema, rule],
  ['a rule of a live datamodel', liveRuleSchema, { ...rule, fullname: 'live:Retail', live: true }],
] as const;

test.each(examples)('%s as a server sends it is plain', (_name, schema, value) => {
  expect(getPlainCheck(schema)(value)).toBe(true);
});

/** Values that a schema may change, accept, or refuse in place of another one. */
const otherValue = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    'x',
    'EXTRACT',
    8,
    Number.POSITIVE_INFINITY,
    true,
    {},
    [],
    ['a'],
  ),
  fc.constant(createRawNumber('1.0')),
  fc.constant(column),
);

/** Replaces the nth value within a value. */
function replaceNth(value: unknown, nth: { index: number }, replacement: unknown): unknown {
  nth.index -= 1;
  if (nth.index === -1) {
    return replacement;
  }
  if (Array.isArray(value)) {
    return value.map((item) => replaceNth(item, nth, replacement));
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, replaceNth(item, nth, replacement)]),
      )
    : value;
}

describe.each(examples)('property: %s', (_name, schema, example) => {
  test('with another value in any place is plain only if the schema returns it unchanged', () => {
    const isPlain = getPlainCheck(schema);
    fc.assert(
      fc.property(fc.nat(60), otherValue, (index, replacement) => {
        const value = replaceNth(example, { index }, replacement);
        if (isPlain(value)) {
          expect(schema.safeParse(value)).toEqual({ success: true, data: value });
        }
      }),
      { numRuns: getPropertyRuns(400) },
    );
  });
});

test.each([
  ['an ID', idSchema, ['x'], ['', 1, null]],
  ['a number', jsonNumberSchema, [0, 1.5], [Number.POSITIVE_INFINITY, createRawNumber('1.0'), '1']],
  ['a known value', openEnum(['extract']), ['extract'], ['EXTRACT', 1]],
  ['a text with another check', z.string().max(2), ['ab'], ['abc']],
  ['an integer', z.int(), [1], [1.5, 2 ** 60]],
  ['a number with a check', z.number().min(2), [2], [1]],
  ['a converted text', z.coerce.string(), ['a'], [1]],
  ['a converted number', z.coerce.number(), [1], ['1']],
  ['a converted boolean', z.coerce.boolean(), [true], [1]],
  ['a list with a check', z.array(z.string()).min(1), [], [['a'], []]],
  ['an object whose other members are removed', z.object({ a: z.string() }), [], [{ a: 'x', b: 1 }]],
  ['an object that must have no other members', z.strictObject({ a: z.string() }), [], [{ a: 'x', b: 1 }]],
  ['an object with a default', z.looseObject({ a: z.string().default('x') }), [{ a: 'y' }], [{}]],
  ['a default within an optional value', z.string().default('x').optional(), [], [undefined]],
  ['a record of something', z.record(z.string(), z.number()), [], [{ a: 1 }, { a: 'x' }]],
  ['a record with certain names', z.record(z.enum(['a']), z.unknown()), [], [{ b: 1 }]],
  [
    'alternatives of which the first changes the value',
    z.union([z.object({ a: z.string() }), z.looseObject({})]),
    [{ b: 1 }],
    [{ a: 'x', b: 1 }],
  ],
])('a value is plain if the schema returns it unchanged: %s', (_name, schema, plainValues, otherValues) => {
  const isPlain = getPlainCheck(schema);
  expect(plainValues.map(isPlain)).toEqual(plainValues.map(() => true));
  expect(otherValues.map(isPlain)).toEqual(otherValues.map(() => false));
});
