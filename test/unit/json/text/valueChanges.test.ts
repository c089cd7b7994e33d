import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonValue, parseLossless, stringify } from '../../../../src/base/json.ts';
import {
  applyValueChanges,
  reuseEqualParts,
  computeValueChanges,
} from '../../../../src/json/text/valueChanges.ts';
import { valueOperations, jsonValues, applyOperation } from './arbitraries.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

const cloneJson = (value: JsonValue): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;

test('an equal value is replaced by the previous one, without changes', () => {
  fc.assert(
    fc.property(jsonValues, (value) => {
      expect(reuseEqualParts(value, cloneJson(value))).toBe(value);
      expect(computeValueChanges(value, value)).toEqual([]);
    }),
    { numRuns: getPropertyRuns(200) },
  );
});

test('applying the changes between two values to the first gives the second', () => {
  fc.assert(
    fc.property(
      jsonValues,
      fc.array(valueOperations, { maxLength: 3 }),
      jsonValues,
      (before, operations, other) => {
        for (const newValue of [operations.reduce(applyOperation, before), other]) {
          const after = reuseEqualParts(before, cloneJson(newValue));
          expect(JSON.stringify(after)).toBe(JSON.stringify(newValue));
          // Changes are transferred as JSON.
          const changes = JSON.parse(JSON.stringify(computeValueChanges(before, after))) as ReturnType<
            typeof computeValueChanges
          >;
          expect(applyValueChanges(before, changes)).toEqual(after);
        }
      },
    ),
    { numRuns: getPropertyRuns(400) },
  );
});

test('one change among thousands is sent alone, and the rest stays identical', () => {
  const columns = Array.from(
    { length: 2000 },
    (_, index): JsonValue => ({ title: `c${index}`, infusion: {} }),
  );
  const before: JsonValue = { details: { columns } };
  const withTitle = reuseEqualParts(
    before,
    cloneJson({ details: { columns: columns.with(7, { title: 'x', infusion: {} }) } }),
  );
  expect(computeValueChanges(before, withTitle)).toEqual([
    { kind: 'set', path: ['details', 'columns', 7, 'title'], value: 'x' },
  ]);
  const withInsertion = reuseEqualParts(
    before,
    cloneJson({ details: { columns: columns.toSpliced(5, 0, { title: 'new' }) } }),
  );
  expect(computeValueChanges(before, withInsertion)).toEqual([
    { kind: 'splice', path: ['details', 'columns'], start: 5, remove: 0, insert: [{ title: 'new' }] },
  ]);
  const after = applyValueChanges(before, computeValueChanges(before, withInsertion)) as {
    details: { columns: JsonValue[] };
  };
  expect(after.details.columns[6]).toBe(columns[5]);
});

test('moved items stay identical, and numbers get the spelling of the new value', () => {
  const [a, b, c] = [{ title: 'a' }, { title: 'b', of: [parseLossless('1.0')] }, { title: 'c' }];
  const before: JsonValue = [a, b, c];
  const reuse = (after: JsonValue) => reuseEqualParts(before, parseLossless(stringify(after))) as JsonValue[];
  expect(reuse([c, a, b]).map((item) => before.indexOf(item))).toEqual([2, 0, 1]);
  expect(reuse([c, { title: 'new' }, a, b]).map((item) => before.indexOf(item))).toEqual([2, -1, 0, 1]);
  expect(reuse(before)).toBe(before);
  const respelled = reuse([{ title: 'b', of: [1] }, a]);
  expect(stringify(respelled)).toBe('[{"title":"b","of":[1]},{"title":"a"}]');
  expect(respelled[1]).toBe(a);
});

test('two hundred thousand items can be added in one change', () => {
  const items = Array.from({ length: 200_000 }, (_, index) => index);
  expect(applyValueChanges([], computeValueChanges([], items))).toEqual(items);
});
