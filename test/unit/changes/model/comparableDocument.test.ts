import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import type { ResourceKind } from '../../../../src/catalog/resourceRef.ts';
import { formatComparable } from '../../../../src/changes/model/comparableDocument.ts';

const parse = (kind: ResourceKind, document: JsonValue): unknown =>
  JSON.parse(formatComparable(kind, document));

/** A datamodel as an instance returns it, with IDs and times of its own. */
const createModel = (instance: string, tables: readonly string[]): JsonValue => ({
  oid: `${instance}-model`,
  title: 'Retail',
  lastBuildTime: `2026-01-01 ${instance}`,
  tenantId: instance,
  datasets: [
    {
      oid: `${instance}-dataset`,
      name: 'Sales',
      schema: {
        tables: tables.map((name) => ({
          oid: `${instance}-${name}`,
          id: name.toLowerCase(),
          name,
          columns: [
            { oid: `${instance}-${name}-b`, id: 'b', name: 'B', type: 8 },
            { type: 8, name: 'A', id: 'a', oid: `${instance}-${name}-a` },
          ],
          buildBehavior: {
            type: 'accumulativeSync',
            accumulativeConfig: { column: `${instance}-${name}-a` },
          },
        })),
      },
    },
  ],
  relations: [
    {
      oid: `${instance}-relation`,
      columns: [...tables].sort().map((name) => ({
        dataset: `${instance}-dataset`,
        table: `${instance}-${name}`,
        column: `${instance}-${name}-a`,
      })),
    },
  ],
});

describe('the text of a document for comparisons', () => {
  test('is the same for the same datamodel of another instance, in another order', () => {
    const text = formatComparable('datamodel', createModel('x', ['Orders', 'Stores']));
    expect(formatComparable('datamodel', createModel('y', ['Stores', 'Orders']))).toBe(text);
    expect(text).not.toContain('x-');
    expect(text).toContain('"table": "Stores"');
    expect(text.indexOf('"name": "B"')).toBeLessThan(text.indexOf('"name": "A"'));
  });

  test('differs with a table, a column, or a type', () => {
    const text = formatComparable('datamodel', createModel('x', ['Orders', 'Stores']));
    expect(formatComparable('datamodel', createModel('x', ['Orders', 'Shops']))).not.toBe(text);
    const column = { oid: 'c', id: 'a', name: 'A', type: 8 };
    const format = (columns: JsonValue): string =>
      formatComparable('table', { oid: 't', name: 'T', columns });
    expect(format([{ ...column, oid: 'd' }])).toBe(format([column]));
    expect(format([{ ...column, type: 18 }])).not.toBe(format([column]));
    expect(format([])).not.toBe(format([column]));
  });

  test('has SQL line by line, but unchanged if only SQL is compared', () => {
    const sql = 'SELECT [A]\r\nFROM [Orders]';
    const table = { oid: 't', name: 'T', expression: { oid: 'e', expression: sql, lastUpdated: 'now' } };
    expect(parse('table', table)).toEqual({ name: 'T', expression: ['SELECT [A]', 'FROM [Orders]'] });
    expect(parse('table', { ...table, expression: 'SELECT 1' })).toEqual({
      name: 'T',
      expression: 'SELECT 1',
    });
    expect(formatComparable('tableExpression', table)).toBe(`${sql}\n`);
    expect(formatComparable('columnExpression', { name: 'C', expression: '[A] * 2' })).toBe('[A] * 2\n');
  });

  test('has rules without their datamodel, in an order of their own, and with the names of parties', () => {
    const rule = {
      _id: '1',
      server: 'LocalHost',
      elasticube: 'Retail',
      table: 'Regions',
      column: 'Region',
      members: ['South', 'North'],
      shares: [
        { type: 'user', party: '77', partyName: 'ben' },
        { type: 'group', party: '12' },
        { type: 'default' },
      ],
    };
    const otherRule = { ...rule, _id: '2', table: 'Countries', shares: [] };
    const rules = parse('rules', [rule, otherRule]);
    expect(rules).toEqual([
      { table: 'Countries', column: 'Region', members: ['South', 'North'], shares: [] },
      {
        table: 'Regions',
        column: 'Region',
        members: ['South', 'North'],
        shares: [{ type: 'default' }, { type: 'group', party: '12' }, { type: 'user', party: 'ben' }],
      },
    ]);
    expect(
      parse('columnRules', [
        { ...otherRule, _id: '8', elasticube: 'Europe' },
        { ...rule, _id: '9' },
      ]),
    ).toEqual(rules);
  });

  test('has a viewpoint without its ID and its authors, but with all that it shows', () => {
    const viewpoint = {
      id: 'v',
      name: 'Sales',
      tenantId: 't',
      createdBy: 'me',
      updatedAt: 'now',
      details: { columns: [{ title: 'B', dim: '[Orders.B]' }, { title: 'A' }] },
    };
    expect(parse('viewpoint', viewpoint)).toEqual({ name: 'Sales', details: viewpoint.details });
  });
});
