import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonValue, isJsonObject, parseLossless, stringify } from '../../../src/base/json.ts';
import { toCanonicalText, jsonEquals } from '../../../src/base/canonicalJson.ts';
import { isServerManagedField } from '../../../src/contract/serverManagedFields.ts';
import { json } from '../documents/json.ts';
import { getPropertyRuns } from '../../support/soak.ts';

test.each([
  ['1', '1.0'],
  ['1', '1e0'],
  ['100', '1E+2'],
  ['0', '-0.00'],
  ['12345678901234567890', '12345678901234567890.0'],
  ['0.1', '0.10'],
  ['-0.001', '-1e-3'],
  ['1e21', '1000000000000000000000'],
  ['{"a":1,"b":[2]}', '{"b":[2.0],"a":1}'],
])('%s says the same as %s', (a, b) => {
  expect(jsonEquals(parseLossless(a), parseLossless(b))).toBe(true);
});

test.each([
  ['12345678901234567890', '12345678901234567891'],
  ['1', '"1"'],
  ['1', '10'],
  ['[1,2]', '[2,1]'],
  ['{}', '[]'],
  ['{"a":null}', '{}'],
  ['null', '""'],
])('%s says something else than %s', (a, b) => {
  expect(jsonEquals(parseLossless(a), parseLossless(b))).toBe(false);
});

test('what the server keeps by itself is left out where it is asked for', () => {
  const [a, b] = [
    { name: 'x', vTag: '1', columns: [{ lastUpdated: 'a' }] },
    { columns: [{ lastUpdated: 'b' }], name: 'x' },
  ];
  expect(jsonEquals(a, b, isServerManagedField)).toBe(true);
  expect(jsonEquals(a, b)).toBe(false);
});

const reversed = (value: JsonValue): JsonValue =>
  Array.isArray(value)
    ? value.map(reversed)
    : isJsonObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, member]) => [key, reversed(member)]),
        )
      : value;

test('property: neither the order of keys nor a trip through text matters', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(toCanonicalText(reversed(value))).toBe(toCanonicalText(value));
      expect(toCanonicalText(parseLossless(stringify(value, 2)))).toBe(toCanonicalText(value));
    }),
    { numRuns: getPropertyRuns(200) },
  );
});

test('property: different values have different texts', () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      // 0 and -0 are one number.
      const plain = (value: JsonValue): unknown =>
        JSON.parse(stringify(value), (_key, member: unknown) => (member === 0 ? 0 : member));
      if (jsonEquals(a, b)) {
        expect(plain(a)).toEqual(plain(b));
      }
    }),
    { numRuns: getPropertyRuns(200) },
  );
});
