import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json.ts';
import { toCanonicalText } from '../../../src/base/canonicalJson.ts';
import { isServerManagedField } from '../../../src/contract/serverManagedFields.ts';
import { mergeJson } from '../../../src/documents/merge.ts';
import { json } from './json.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const column = (oid: string, more: object = {}) => ({ oid, name: oid, hidden: false, ...more });

describe('columns are matched by oid', () => {
  const base = { columns: [column('a'), column('b'), column('c')] };

  test('changes of different columns are merged, wherever the columns are', () => {
    const ours = { columns: [column('a', { name: 'A' }), column('b'), column('c')] };
    const theirs = { columns: [column('c', { hidden: true }), column('a'), column('b')] };
    expect(mergeJson(base, ours, theirs)).toEqual({
      merged: { columns: [column('c', { hidden: true }), column('a', { name: 'A' }), column('b')] },
      conflicts: [],
    });
  });

  test('changes of different properties of one column are merged', () => {
    const ours = { columns: [column('a', { name: 'A' }), column('b'), column('c')] };
    const theirs = { columns: [column('a', { hidden: true }), column('b'), column('c')] };
    expect(mergeJson(base, ours, theirs).merged).toEqual({
      columns: [column('a', { name: 'A', hidden: true }), column('b'), column('c')],
    });
  });

  test('an addition on one side and a removal on the other both apply', () => {
    const ours = { columns: [column('a'), { name: 'new' }, column('b'), column('c')] };
    const theirs = { columns: [column('a'), column('c'), column('d')] };
    expect(mergeJson(base, ours, theirs)).toEqual({
      merged: { columns: [column('a'), { name: 'new' }, column('c'), column('d')] },
      conflicts: [],
    });
  });

  test('the same property changed differently is a conflict at that property', () => {
    const ours = { columns: [column('b'), column('a', { name: 'A1' }), column('c')] };
    const theirs = { columns: [column('a', { name: 'A2' }), column('b'), column('c')] };
    expect(mergeJson(base, ours, theirs).conflicts).toEqual([
      { path: ['columns', 1, 'name'], ours: 'A1', theirs: 'A2' },
    ]);
  });

  test('removed on one side and changed on the other is a conflict', () => {
    const ours = { columns: [column('a'), column('b')] };
    const theirs = { columns: [column('a'), column('b'), column('c', { name: 'C' })] };
    expect(mergeJson(base, ours, theirs).conflicts).toEqual([
      { path: ['columns', 2], ours: undefined, theirs: column('c', { name: 'C' }) },
    ]);
    expect(mergeJson(base, theirs, ours).conflicts).toHaveLength(1);
  });

  test('removed on one side and unchanged on the other is gone', () => {
    const ours = { columns: [column('a'), column('b')] };
    const theirs = {
      columns: [column('a'), column('b', { name: 'B' }), column('c', { lastUpdated: 'later' })],
    };
    expect(mergeJson(base, ours, theirs)).toEqual({
      merged: { columns: [column('a'), column('b', { name: 'B' })] },
      conflicts: [],
    });
  });

  test('two new orders are a conflict', () => {
    const ours = { columns: [column('c'), column('b'), column('a')] };
    const theirs = { columns: [column('b'), column('a'), column('c')] };
    expect(mergeJson(base, ours, theirs).conflicts).toMatchObject([{ path: ['columns'] }]);
  });
});

test('columns of a viewpoint are matched by dim, plus aggregation and level where a dim occurs twice', () => {
  const sum = { dim: '[O.Amount]', agg: 'sum' };
  const avg = { dim: '[O.Amount]', agg: 'average' };
  const base = { columns: [sum, avg] };
  const ours = { columns: [avg, { ...sum, title: 'Total' }] };
  const theirs = { columns: [sum, { ...avg, title: 'Mean' }] };
  expect(mergeJson(base, ours, theirs)).toEqual({
    merged: {
      columns: [
        { ...avg, title: 'Mean' },
        { ...sum, title: 'Total' },
      ],
    },
    conflicts: [],
  });
});

test('members and parties of a rule are matched by value', () => {
  const share = (partyId: string) => ({ partyId, type: 'user' });
  const base = { members: ['N', 'S'], shares: [share('u1')] };
  const ours = { members: ['N', 'S', 'W'], shares: [share('u1'), share('u2')] };
  const theirs = { members: ['N'], shares: [share('u3'), share('u1')] };
  expect(mergeJson(base, ours, theirs)).toEqual({
    merged: { members: ['N', 'W'], shares: [share('u3'), share('u1'), share('u2')] },
    conflicts: [],
  });
});

test('a list whose items cannot be identified is one value', () => {
  const end = (table: string) => ({ dataset: 'd', table, column: 'c' });
  const base = { columns: [end('a'), end('b')] };
  const ours = { columns: [end('a2'), end('b')] };
  expect(mergeJson(base, ours, { columns: [end('a'), end('b2')] }).conflicts).toMatchObject([
    { path: ['columns'] },
  ]);
  expect(mergeJson(base, ours, base)).toEqual({ merged: ours, conflicts: [] });
});

test('server-managed fields are taken from the server and never a conflict', () => {
  const merge = mergeJson({ a: 1, vTag: '1' }, { a: 2, vTag: 'x' }, { a: 1, vTag: '2' });
  expect(merge).toEqual({ merged: { a: 2, vTag: '2' }, conflicts: [] });
});

const oids = ['a', 'b', 'c', 'd', 'e'] as const;
const table = fc
  .uniqueArray(
    fc.record({ oid: fc.constantFrom(...oids), name: fc.constantFrom('x', 'y', 'z'), hidden: fc.boolean() }),
    { selector: ({ oid }) => oid },
  )
  .map((columns): JsonValue => ({ columns }));

const said = (value: JsonValue): string => toCanonicalText(value, isServerManagedField);

describe('property', () => {
  test('with no change on one side the other side is the result', () => {
    fc.assert(
      fc.property(json, json, (base, other) => {
        expect(mergeJson(base, base, other).conflicts).toEqual([]);
        expect(said(mergeJson(base, base, other).merged)).toBe(said(other));
        expect(said(mergeJson(base, other, base).merged)).toBe(said(other));
        expect(said(mergeJson(base, other, other).merged)).toBe(said(other));
      }),
      { numRuns: getPropertyRuns(200) },
    );
  });

  test('no change of a side is lost without a conflict, and no column is invented', () => {
    fc.assert(
      fc.property(table, table, table, (base, ours, theirs) => {
        const { merged, conflicts } = mergeJson(base, ours, theirs);
        const columns = (value: JsonValue) =>
          new Map((value as { columns: { oid: string }[] }).columns.map((item) => [item.oid, item]));
        const [b, o, t, m] = [base, ours, theirs, merged].map(columns);
        for (const oid of oids) {
          const [before, mine, other, now] = [b, o, t, m].map((side) => JSON.stringify(side?.get(oid)));
          if (conflicts.length === 0 && mine === before) {
            expect(now).toBe(other);
          }
          if (conflicts.length === 0 && other === before) {
            expect(now).toBe(mine);
          }
          if (mine === undefined && other === undefined) {
            expect(now).toBeUndefined();
          }
        }
      }),
      { numRuns: getPropertyRuns(500) },
    );
  });

  test('both sides see the same conflicts', () => {
    fc.assert(
      fc.property(table, table, table, (base, ours, theirs) => {
        const [one, other] = [mergeJson(base, ours, theirs), mergeJson(base, theirs, ours)];
        expect(one.conflicts.length).toBe(other.conflicts.length);
      }),
      { numRuns: getPropertyRuns(500) },
    );
  });
});
