import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonObject, type JsonValue, isJsonObject } from '../../../../src/base/json.ts';
import { hasSameForm } from '../../../../src/changes/run/sameForm.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

const idNames = ['oid', '_id', 'id', 'name', 'dim'];

/** Finds each item among all of the earlier version. */
function hasSameFormNaively(value: JsonValue | undefined, previous: JsonValue | undefined): boolean {
  if (value === undefined || value === null || previous === undefined || previous === null) {
    return true;
  }
  if (Array.isArray(value) && Array.isArray(previous)) {
    const [items, previousItems] = [value as readonly JsonValue[], previous as readonly JsonValue[]];
    const found = items.map((item, index) =>
      items.length === previousItems.length
        ? previousItems[index]
        : isJsonObject(item)
          ? previousItems.find(
              (other) =>
                isJsonObject(other) &&
                idNames.some((name) => typeof item[name] === 'string' && item[name] === other[name]),
            )
          : previousItems[0],
    );
    return (
      items.length === 0 ||
      previousItems.length === 0 ||
      ((items.length === previousItems.length || found.some((other) => other !== undefined)) &&
        items.every((item, index) => hasSameFormNaively(item, found[index])))
    );
  }
  return isJsonObject(value) && isJsonObject(previous)
    ? Object.entries(previous).every(
        ([name, member]) => name in value && hasSameFormNaively(value[name], member),
      )
    : ![value, previous].some((other) => Array.isArray(other) || isJsonObject(other));
}

/** Lists whose items often share IDs and names, also in another order and with an ID in the place of a name. */
const lists = fc.letrec<{ list: JsonValue[] }>((tie) => {
  const ids = fc.constantFrom<JsonValue>('a', 'b', 'c', '', null, 1);
  const contents = fc.oneof(fc.constantFrom<JsonValue>(1, {}, [], { id: 'a' }), tie('list'));
  return {
    list: fc.array(
      fc.oneof(
        {
          weight: 9,
          arbitrary: fc.record({ oid: ids, name: ids, type: contents }, { requiredKeys: ['type'] }),
        },
        { weight: 3, arbitrary: fc.record({ id: ids, _id: ids, dim: ids }, { requiredKeys: [] }) },
        fc.constantFrom<JsonValue>('a', null, 1),
      ),
      { maxLength: 5, depthIdentifier: 'list' },
    ),
  };
}).list;

test('property: items are found as by a search among all of them', () => {
  let sameCount = 0;
  fc.assert(
    fc.property(lists, lists, (value, previous) => {
      const expected = hasSameFormNaively(value, previous);
      sameCount += expected ? 1 : 0;
      expect(hasSameForm(value, previous)).toBe(expected);
    }),
    { numRuns: getPropertyRuns(1000) },
  );
  expect(sameCount).toBeGreaterThan(100);
});

/** Returns how many members are read to compare a table with one that has a column less. */
function countReads(columnCount: number): number {
  let readCount = 0;
  const columns = Array.from(
    { length: columnCount },
    (_column, index): JsonObject =>
      new Proxy<Record<string, JsonValue>>(
        { oid: `o${index}`, name: `n${index}`, type: 18 },
        {
          get: (column, name) => {
            readCount += 1;
            return column[String(name)];
          },
        },
      ),
  );
  expect(hasSameForm({ columns: columns.slice(1) }, { columns })).toBe(true);
  return readCount;
}

test('the effort grows with the number of columns, not with its square', () => {
  expect(countReads(400)).toBeLessThan(5 * countReads(100));
});
