import { expect, test } from 'vitest';
import {
  getColumnType,
  getColumnTypeLabel,
  columnTypes,
  getRuleDatatype,
} from '../../../src/contract/terms.ts';
import { isDateType } from '../../../src/viewpoints/datamodelLookup.ts';
import { getViewpointDatatype } from '../../../src/json/language/columnProposals.ts';
import { completionsAt } from '../../../src/sql/index.ts';
import { hoverAt } from '../../../src/sql/language.ts';
import { readRecorded } from '../../support/recorded.ts';

/** Contract v2.0, ColumnInput: every code with its name there, and its type in rules and viewpoints. */
const contractTypes: readonly (readonly [
  number,
  string,
  'text' | 'numeric' | undefined,
  string | undefined,
])[] = [
  [0, 'BigInt', 'numeric', 'numeric'],
  [1, 'Binary', undefined, undefined],
  [2, 'Bit', undefined, 'numeric'],
  [3, 'Char', 'text', 'text'],
  [4, 'DateTime', undefined, 'datetime'],
  [5, 'Decimal', 'numeric', 'numeric'],
  [6, 'Float', 'numeric', 'numeric'],
  [7, 'Image', undefined, undefined],
  [8, 'Int', 'numeric', 'numeric'],
  [9, 'Money', 'numeric', 'numeric'],
  [10, 'NChar', 'text', 'text'],
  [11, 'NText', 'text', 'text'],
  [12, 'NVarChar', 'text', 'text'],
  [13, 'Real', 'numeric', 'numeric'],
  [14, 'UniqueIdentifier', 'text', 'text'],
  [15, 'SmallDateTime', undefined, 'datetime'],
  [16, 'SmallInt', 'numeric', 'numeric'],
  [17, 'SmallMoney', 'numeric', 'numeric'],
  [18, 'Text', 'text', 'text'],
  [19, 'Timestamp (legacy)', undefined, 'datetime'],
  [20, 'TinyInt', 'numeric', 'numeric'],
  [21, 'VarBinary', undefined, undefined],
  [22, 'VarChar', 'text', 'text'],
  [23, 'Variant', 'text', 'text'],
  [25, 'Xml', 'text', 'text'],
  [29, 'Udt', undefined, undefined],
  [30, 'Structured', undefined, undefined],
  [31, 'Date', undefined, 'datetime'],
  [32, 'Time', undefined, 'datetime'],
  [33, 'DateTime2', undefined, 'datetime'],
  [34, 'DateTimeOffset', undefined, 'datetime'],
];

test.each(contractTypes)('the type code %i is %s', (code, name, ruleDatatype, viewpointDatatype) => {
  const type = getColumnType(code);
  expect([type?.name, type?.previousName]).toContain(name);
  expect(getRuleDatatype(code)).toBe(ruleDatatype);
  expect(getViewpointDatatype({ name: 'C', type: code })).toBe(viewpointDatatype);
  expect(isDateType(code) === true).toBe(type?.group === 'date-time');
});

test('the 31 type codes of the contract and the four of later releases are known', () => {
  const codes = columnTypes.map(({ code }) => code);
  expect(codes).toEqual([...contractTypes.map(([code]) => code), 40, 41, 43, 44]);
  expect(new Set(columnTypes.map(({ name }) => name)).size).toBe(codes.length);
  expect([24, 26, 27, 28, 35, 42].map(getColumnType)).toEqual(Array.from({ length: 6 }));
});

test("type codes that a recorded list of the vendor contains have the vendor's names", () => {
  const { "column type codes beyond the product's list": vendorNames } = readRecorded(
    'official-status-and-error-codes.json',
  ) as Record<string, Record<string, string>>;
  expect(Object.keys(vendorNames ?? {})).toHaveLength(17);
  for (const [code, name] of Object.entries(vendorNames ?? {})) {
    expect(getColumnType(Number(code))?.name).toBe(name);
  }
});

test('a type has the same name in completion and hover of SQL, also an undocumented one', () => {
  expect([getColumnTypeLabel(99), getColumnTypeLabel(null), getColumnTypeLabel(undefined)]).toEqual([
    '99',
    '',
    '',
  ]);
  for (const { code, name } of [...columnTypes, { code: 99, name: '99' }]) {
    const catalog = { complete: true, tables: [{ name: 'T', columns: [{ name: 'c', type: code }] }] };
    const context = { kind: 'table', catalog } as const;
    expect(completionsAt('SELECT  FROM T', 7, context).find(({ label }) => label === 'c')?.detail).toBe(
      `T · ${name}`,
    );
    expect(hoverAt('SELECT c FROM T', 7, context)?.detail).toBe(name);
  }
});
