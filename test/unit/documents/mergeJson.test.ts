import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json.ts';
import { toCanonicalText } from '../../../src/base/canonicalJson.ts';
import { isServerManagedField } from '../../../src/contract/serverManagedFields.ts';
import { areConflictsResolved, mergeDocument } from '../../../src/documents/documentMerge.ts';
import type { DocumentState } from '../../../src/documents/documentState.ts';
import { mergeJson } from '../../../src/documents/mergeJson.ts';
import { Version } from '../../../src/documents/version.ts';
import { anyJson } from './anyJson.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const createColumn = (oid: string, more: object = {}) => ({ oid, name: oid, hidden: false, ...more });

describe('columns are matched by oid', () => {
  const base = { columns: [createColumn('a'), createColumn('b'), createColumn('c')] };

  test('changes of different columns are merged, wherever the columns are', () => {
    const ours = { columns: [createColumn('a', { name: 'A' }), createColumn('b'), createColumn('c')] };
    const theirs = { columns: [createColumn('c', { hidden: true }), createColumn('a'), createColumn('b')] };
    expect(mergeJson(base, ours, theirs)).toEqual({
      merged: {
        columns: [createColumn('c', { hidden: true }), createColumn('a', { name: 'A' }), createColumn('b')],
      },
      conflicts: [],
    });
  });

  test('changes of different properties of one column are merged', () => {
    const ours = { columns: [createColumn('a', { name: 'A' }), createColumn('b'), createColumn('c')] };
    const theirs = { columns: [createColumn('a', { hidden: true }), createColumn('b'), createColumn('c')] };
    expect(mergeJson(base, ours, theirs).merged).toEqual({
      columns: [createColumn('a', { name: 'A', hidden: true }), createColumn('b'), createColumn('c')],
    });
  });

  test('an addition on one side and a removal on the other both apply', () => {
    const ours = { columns: [createColumn('a'), { name: 'new' }, createColumn('b'), createColumn('c')] };
    const theirs = { columns: [createColumn('a'), createColumn('c'), createColumn('d')] };
    expect(mergeJson(base, ours, theirs)).toEqual({
      merged: { columns: [createColumn('a'), { name: 'new' }, createColumn('c'), createColumn('d')] },
      conflicts: [],
    });
  });

  test('the same property changed differently is a conflict at that property', () => {
    const ours = { columns: [createColumn('b'), createColumn('a', { name: 'A1' }), createColumn('c')] };
    const theirs = { columns: [createColumn('a', { name: 'A2' }), createColumn('b'), createColumn('c')] };
    expect(mergeJson(base, ours, theirs).conflicts).toEqual([
      { path: ['columns', 1, 'name'], ours: 'A1', theirs: 'A2' },
    ]);
  });

  test('an item removed on one side and changed on the other is a conflict', () => {
    const ours = { columns: [createColumn('a'), createColumn('b')] };
    const theirs = { columns: [createColumn('a'), createColumn('b'), createColumn('c', { name: 'C' })] };
    expect(mergeJson(base, ours, theirs).conflicts).toEqual([
      { path: ['columns', 2], ours: undefined, theirs: createColumn('c', { name: 'C' }) },
    ]);
    expect(mergeJson(base, theirs, ours).conflicts).toHaveLength(1);
  });

  test('an item removed on one side and unchanged on the other is removed', () => {
    const ours = { columns: [createColumn('a'), createColumn('b')] };
    const theirs = {
      columns: [
        createColumn('a'),
        createColumn('b', { name: 'B' }),
        createColumn('c', { lastUpdated: 'later' }),
      ],
    };
    expect(mergeJson(base, ours, theirs)).toEqual({
      merged: { columns: [createColumn('a'), createColumn('b', { name: 'B' })] },
      conflicts: [],
    });
  });

  test('a different new order on each side is a conflict', () => {
    const ours = { columns: [createColumn('c'), createColumn('b'), createColumn('a')] };
    const theirs = { columns: [createColumn('b'), createColumn('a'), createColumn('c')] };
    expect(mergeJson(base, ours, theirs).conflicts).toMatchObject([{ path: ['columns'] }]);
  });
});

test('columns of a viewpoint are matched by dim, plus aggregation and level where a dim occurs twice', () => {
  const sum = { dim: '[O.Amount]', agg: 'sum' };
  const averageColumn = { dim: '[O.Amount]', agg: 'average' };
  const base = { columns: [sum, averageColumn] };
  const ours = { columns: [averageColumn, { ...sum, title: 'Total' }] };
  const theirs = { columns: [sum, { ...averageColumn, title: 'Mean' }] };
  expect(mergeJson(base, ours, theirs)).toEqual({
    merged: {
      columns: [
        { ...averageColumn, title: 'Mean' },
        { ...sum, title: 'Total' },
      ],
    },
    conflicts: [],
  });
});

test('members and parties of a rule are matched by value', () => {
  const createShare = (partyId: string) => ({ partyId, type: 'user' });
  const base = { members: ['N', 'S'], shares: [createShare('u1')] };
  const ours = { members: ['N', 'S', 'W'], shares: [createShare('u1'), createShare('u2')] };
  const theirs = { members: ['N'], shares: [createShare('u3'), createShare('u1')] };
  expect(mergeJson(base, ours, theirs)).toEqual({
    merged: { members: ['N', 'W'], shares: [createShare('u3'), createShare('u1'), createShare('u2')] },
    conflicts: [],
  });
});

test('a list whose items cannot be identified is one value', () => {
  const createEnd = (table: string) => ({ dataset: 'd', table, column: 'c' });
  const base = { columns: [createEnd('a'), createEnd('b')] };
  const ours = { columns: [createEnd('a2'), createEnd('b')] };
  expect(mergeJson(base, ours, { columns: [createEnd('a'), createEnd('b2')] }).conflicts).toMatchObject([
    { path: ['columns'] },
  ]);
  expect(mergeJson(base, ours, base)).toEqual({ merged: ours, conflicts: [] });
});

test('server-managed fields are taken from the server and never a conflict', () => {
  const result = mergeJson({ a: 1, vTag: '1' }, { a: 2, vTag: 'x' }, { a: 1, vTag: '2' });
  expect(result).toEqual({ merged: { a: 2, vTag: '2' }, conflicts: [] });
});

const oids = ['a', 'b', 'c', 'd', 'e'] as const;
const table = fc
  .uniqueArray(
    fc.record({ oid: fc.constantFrom(...oids), name: fc.constantFrom('x', 'y', 'z'), hidden: fc.boolean() }),
    { selector: ({ oid }) => oid },
  )
  .map((columns): JsonValue => ({ columns }));

const toComparableText = (value: JsonValue): string => toCanonicalText(value, isServerManagedField);

describe('property', () => {
  test('without a change on one side, the result is the other side', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (base, other) => {
        expect(mergeJson(base, base, other).conflicts).toEqual([]);
        expect(toComparableText(mergeJson(base, base, other).merged)).toBe(toComparableText(other));
        expect(toComparableText(mergeJson(base, other, base).merged)).toBe(toComparableText(other));
        expect(toComparableText(mergeJson(base, other, other).merged)).toBe(toComparableText(other));
      }),
      { numRuns: getPropertyRuns(200) },
    );
  });

  test('no change of a side is lost without a conflict, and no column is invented', () => {
    let mergedChanges = 0;
    fc.assert(
      fc.property(table, table, table, (base, ours, theirs) => {
        const { merged, conflicts } = mergeJson(base, ours, theirs);
        const getColumns = (value: JsonValue) =>
          new Map((value as { columns: { oid: string }[] }).columns.map((item) => [item.oid, item]));
        const columnsByOid = [base, ours, theirs, merged].map(getColumns);
        for (const oid of oids) {
          const [before, ourColumn, theirColumn, mergedColumn] = columnsByOid.map((version) =>
            JSON.stringify(version.get(oid)),
          );
          if (conflicts.length === 0 && ourColumn === before) {
            expect(mergedColumn).toBe(theirColumn);
            mergedChanges += theirColumn === before ? 0 : 1;
          }
          if (conflicts.length === 0 && theirColumn === before) {
            expect(mergedColumn).toBe(ourColumn);
          }
          if (ourColumn === undefined && theirColumn === undefined) {
            expect(mergedColumn).toBeUndefined();
          }
        }
      }),
      { numRuns: getPropertyRuns(500) },
    );
    expect(mergedChanges).toBeGreaterThan(10);
  });

  test('swapping the sides gives the same number of conflicts', () => {
    fc.assert(
      fc.property(table, table, table, (base, ours, theirs) => {
        const [result, swappedMerge] = [mergeJson(base, ours, theirs), mergeJson(base, theirs, ours)];
        expect(result.conflicts.length).toBe(swappedMerge.conflicts.length);
      }),
      { numRuns: getPropertyRuns(500) },
    );
  });
});

describe('where both sides changed the same value', () => {
  const base = { a: 'a', b: 'b', text: 'one\ntwo\nthree\nfour\nfive' };
  const ours = { a: 'A1', b: 'b', text: 'ONE\ntwo\nthree\nfour\nmine' };
  const theirs = { a: 'A2', b: 'B', text: 'one\ntwo\nTHREE\nfour\ntheirs' };

  test.each([
    ['base', 'a', 'five'],
    ['ours', 'A1', 'mine'],
    ['theirs', 'A2', 'theirs'],
  ] as const)('the value of %s is taken, and everything else is merged', (preferred, value, line) => {
    const { merged, conflicts } = mergeJson(base, ours, theirs, { preferred });
    expect(merged).toEqual({ a: value, b: 'B', text: `ONE\ntwo\nTHREE\nfour\n${line}` });
    expect(conflicts.map(({ path }) => path)).toEqual([['a'], ['text']]);
  });

  test('the order of the preferred version is taken, and no item is lost', () => {
    const createItems = (...keys: readonly string[]) => keys.map((key) => createColumn(key));
    const orders = { ours: createItems('b', 'a', 'c', 'new'), theirs: createItems('c', 'b', 'a') };
    const mergeOrders = (preferred: 'base' | 'theirs') =>
      mergeJson(createItems('a', 'b', 'c'), orders.ours, orders.theirs, { preferred }).merged;
    expect(mergeOrders('base')).toEqual(createItems('a', 'b', 'c', 'new'));
    expect(mergeOrders('theirs')).toEqual(createItems('c', 'new', 'b', 'a'));
  });
});

describe('a merge with conflicts', () => {
  const handler = { language: 'json', isServerManaged: isServerManagedField } as DocumentState['handler'];
  const toVersion = (value: JsonValue) => Version.create(value, isServerManagedField);
  const base = toVersion({ a: 'a', b: 'b', c: 'c' });
  const theirs = toVersion({ a: 'A2', b: 'B', c: 'c' });
  const { getConflictTexts } = mergeDocument({ base, handler }, theirs, '{ "a": "A1", "b": "b", "c": "C" }');
  const sides = getConflictTexts();

  test('has three texts that differ in the conflicts alone', () => {
    expect([sides.base, sides.ours, sides.theirs]).toEqual(
      ['a', 'A1', 'A2'].map((value) => `{ "a": "${value}", "b": "B", "c": "C" }`),
    );
  });

  test.each([
    ['a', false],
    ['A1', true],
    ['A2', true],
    ['both', true],
  ])('is resolved with "%s": %s', (value, expected) => {
    const text = toVersion({ a: value, b: 'B', c: 'C' });
    expect(areConflictsResolved({ base: sides.mergedBase, handler }, theirs, text)).toBe(expected);
  });
});
