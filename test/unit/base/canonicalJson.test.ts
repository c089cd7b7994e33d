import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonValue, isJsonObject, parseLossless, stringify } from '../../../src/base/json.ts';
import { toCanonicalText, jsonEquals } from '../../../src/base/canonicalJson.ts';
import { isServerManagedField } from '../../../src/contract/serverManagedFields.ts';
import { anyJson } from '../documents/anyJson.ts';
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
])('%s equals %s', (a, b) => {
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
])('%s differs from %s', (a, b) => {
  expect(jsonEquals(parseLossless(a), parseLossless(b))).toBe(false);
});

test('fields that the server maintains are left out on request', () => {
  const [a, b] = [
    { name: 'x', vTag: '1', columns: [{ lastUpdated: 'a' }] },
    { columns: [{ lastUpdated: 'b' }], name: 'x' },
  ];
  expect(jsonEquals(a, b, isServerManagedField)).toBe(true);
  expect(jsonEquals(a, b)).toBe(false);
});

const reverseKeys = (value: JsonValue): JsonValue =>
  Array.isArray(value)
    ? value.map(reverseKeys)
    : isJsonObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, member]) => [key, reverseKeys(member)]),
        )
      : value;

test('property: neither key order nor a round trip through text changes the canonical text', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      expect(toCanonicalText(reverseKeys(value))).toBe(toCanonicalText(value));
      expect(toCanonicalText(parseLossless(stringify(value, 2)))).toBe(toCanonicalText(value));
    }),
    { numRuns: getPropertyRuns(200) },
  );
});

/** Values so small that two random ones are often the same. */
const smallMember = fc.constantFrom<JsonValue>(null, false, true, 0, 1, '', '0', '1', 'null');
const smallValue: fc.Arbitrary<JsonValue> = fc.oneof(
  smallMember,
  fc.array(smallMember, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('a', 'b'), smallMember, { maxKeys: 2, noNullPrototype: true }),
);

test('property: only identical values are equal', () => {
  let equalCount = 0;
  fc.assert(
    fc.property(smallValue, smallValue, (a, b) => {
      expect(jsonEquals(a, b)).toBe(isDeepStrictEqual(a, b));
      equalCount += jsonEquals(a, b) ? 1 : 0;
    }),
    { numRuns: getPropertyRuns(1000) },
  );
  expect(equalCount).toBeGreaterThan(5);
});

test('property: values are equal if and only if their canonical texts are', () => {
  fc.assert(
    fc.property(anyJson, anyJson, (a, b) => {
      expect(jsonEquals(a, b)).toBe(toCanonicalText(a) === toCanonicalText(b));
      expect(jsonEquals(a, parseLossless(stringify(reverseKeys(a))))).toBe(true);
      expect(jsonEquals([a, b], [b, a])).toBe(jsonEquals(a, b));
      expect(jsonEquals({ a, b }, { a })).toBe(false);
    }),
    { numRuns: getPropertyRuns(300) },
  );
});

test('strings and names are escaped as in JSON, so that different values never have the same text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', ':', '\n', '\u007f', 'é', '\ud800') }),
      (text) => {
        expect(toCanonicalText(text)).toBe(JSON.stringify(text));
        expect(toCanonicalText({ [text]: [text] })).toBe(JSON.stringify({ [text]: [text] }));
      },
    ),
  );
});
