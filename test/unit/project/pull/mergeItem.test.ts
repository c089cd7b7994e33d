import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonEquals } from '../../../../src/base/canonicalJson.ts';
import { type JsonObject, type JsonValue, parseLossless } from '../../../../src/base/json.ts';
import { sortByText } from '../../../../src/base/sortByText.ts';
import { equalsBase, mergeItem } from '../../../../src/project/pull/mergeItem.ts';
import { hashParts } from '../../../../src/project/compare/parts.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { anyJson } from '../../documents/anyJson.ts';

/** Merges three versions of an item; `undefined` if a side didn't have the item. */
const merge = (ours: JsonValue | undefined, seen: JsonValue | undefined, theirs: JsonValue | undefined) =>
  mergeItem({
    key: { kind: 'table' },
    ours,
    base: seen === undefined ? new Map() : hashParts(seen),
    theirs,
  });

const arbitraryName = fc.constantFrom('a', 'b', 'c/d', '~', '__proto__', '');
const arbitraryLeaf = fc.constantFrom<JsonValue>(1, 2, 'x', [1], { deep: 1 }, null);
const arbitraryRecord = fc
  .uniqueArray(fc.tuple(arbitraryName, arbitraryLeaf), { selector: ([name]) => name, maxLength: 5 })
  .map((entries): JsonObject => Object.fromEntries(entries));
const arbitraryTable = fc
  .record({
    others: arbitraryRecord,
    settings: arbitraryRecord,
    columns: fc.uniqueArray(fc.tuple(arbitraryName, arbitraryLeaf), {
      selector: ([name]) => name,
      maxLength: 5,
    }),
  })
  .map(
    ({ others, settings, columns }): JsonObject => ({
      ...others,
      settings,
      columns: columns.map(([name, type]) => ({ name, type })),
    }),
  );

describe('a merge', () => {
  test('uses the side that changed, and changes that are equal on both sides', () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryTable, anyJson), fc.oneof(arbitraryTable, anyJson), (a, b) => {
        // Equal numbers keep their spelling, so the values are compared as JSON.
        for (const result of [merge(a, a, b), merge(b, a, a), merge(b, a, b)]) {
          expect('merged' in result && jsonEquals(result.merged, b)).toBe(true);
        }
        expect(merge(undefined, a, a)).toEqual({ merged: undefined });
        expect(merge(a, a, undefined)).toEqual({ merged: undefined });
        expect(merge(a, undefined, undefined)).toEqual({ merged: a });
        expect(equalsBase({ kind: 'table' }, a, hashParts(a))).toBe(true);
        expect(equalsBase({ kind: 'table' }, b, hashParts(a))).toBe(jsonEquals(a, b));
      }),
      { numRuns: getPropertyRuns(500) },
    );
  });

  test('gives the same result with the hashes of the last version as with the version itself', () => {
    const mergeLeaf = (
      ours?: JsonValue,
      seen?: JsonValue,
      theirs?: JsonValue,
    ): readonly [JsonValue | undefined] | undefined =>
      jsonEquals(ours, theirs) || jsonEquals(theirs, seen)
        ? [ours]
        : jsonEquals(ours, seen)
          ? [theirs]
          : undefined;
    fc.assert(
      fc.property(arbitraryRecord, arbitraryRecord, arbitraryRecord, (ours, seen, theirs) => {
        const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
        const get = (value: JsonObject, name: string) =>
          Object.hasOwn(value, name) ? value[name] : undefined;
        const results = keys.map((name) => mergeLeaf(get(ours, name), get(seen, name), get(theirs, name)));
        // Members of a column are merged one by one as well, so each column has only one besides its name.
        const toColumns = (value: JsonObject) => ({
          columns: sortByText(Object.entries(value), ([name]) => name).map(([name, type]) => ({
            name,
            type,
          })),
        });
        const merged = merge(toColumns(ours), toColumns(seen), toColumns(theirs));
        if (results.includes(undefined)) {
          expect(merged).toHaveProperty('conflicts');
        } else {
          const expected = Object.fromEntries(
            keys.flatMap((name, index) => {
              const [value] = results[index] ?? [];
              return value === undefined ? [] : [[name, value] as const];
            }),
          );
          expect(merged).toHaveProperty('merged');
          const { columns } = (merged as { merged: { columns: JsonObject[] } }).merged;
          expect(Object.fromEntries(columns.map(({ name, type }) => [name, type]))).toEqual(expected);
        }
      }),
      { numRuns: getPropertyRuns(500) },
    );
  });

  test('without a last version has a conflict for every difference', () => {
    fc.assert(
      fc.property(arbitraryTable, arbitraryTable, (ours, theirs) => {
        const result = mergeItem({ key: { kind: 'table' }, ours, base: undefined, theirs });
        expect('conflicts' in result).toBe(!jsonEquals(ours, theirs));
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });
});

const createTable = (...list: readonly (readonly [string, number])[]) => ({
  name: 'T',
  columns: list.map(([name, type]) => ({ name, type })),
});

describe('a table', () => {
  test('is merged with the additions, changes, removals, and moves of columns on either side', () => {
    const seen = createTable(['a', 1], ['b', 1], ['c', 1], ['d', 1]);
    const ours = createTable(['a', 2], ['b', 1], ['new', 1], ['c', 1], ['d', 1]);
    const theirs = createTable(['d', 1], ['c', 1], ['other', 1], ['a', 1]);
    expect(merge(ours, seen, theirs)).toEqual({
      merged: createTable(['d', 1], ['c', 1], ['other', 1], ['a', 2], ['new', 1]),
    });
  });

  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    [
      'both sides changed a column',
      createTable(['a', 2], ['b', 1]),
      createTable(['a', 3], ['b', 1]),
      ['/columns/a'],
    ],
    [
      'one side changed a column, and the other removed it',
      createTable(['a', 2], ['b', 1]),
      createTable(['b', 1]),
      ['/columns/a'],
    ],
    [
      'both sides added a column with different types',
      createTable(['a', 1], ['b', 1], ['x/y', 1]),
      createTable(['x/y', 2], ['a', 1], ['b', 1]),
      ['/columns/x~1y'],
    ],
    [
      'one side changed a column, and the other removed the list',
      createTable(['a', 2], ['b', 1]),
      { name: 'T' },
      ['/columns'],
    ],
  ])('has a conflict if %s', (_case, ours, theirs, conflicts) => {
    const seen = createTable(['a', 1], ['b', 1]);
    expect(merge(ours, seen, theirs)).toEqual({ conflicts });
    expect(merge(theirs, seen, ours)).toEqual({ conflicts });
  });

  test('has a conflict if both sides moved its columns differently', () => {
    const seen = createTable(['a', 1], ['b', 1], ['c', 1]);
    expect(
      merge(createTable(['b', 1], ['a', 1], ['c', 1]), seen, createTable(['a', 1], ['c', 1], ['b', 1])),
    ).toEqual({ conflicts: ['/columns'] });
  });
});

test('a list and an object with the same members differ', () => {
  const list = hashParts({ columns: [{ name: 'a' }] });
  const object = hashParts({ columns: { a: { name: 'a' } } });
  expect([...list.keys()]).toEqual([...object.keys()]);
  expect(equalsBase({ kind: 'table' }, { columns: { a: { name: 'a' } } }, list)).toBe(false);
});

test('numbers that differ beyond the precision of a double have different hashes, and spellings of a number have the same', () => {
  const parse = (text: string) => hashParts(parseLossless(text));
  expect(parse('{"a": 12345678901234567890}')).not.toEqual(parse('{"a": 12345678901234567891}'));
  expect(parse('{"a": 1.0, "b": 2}')).toEqual(parse('{"b": 2e0, "a": 1}'));
});
