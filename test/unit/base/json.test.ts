import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isJsonObject,
  isRawNumber,
  mapMembers,
  parseLossless,
  pickMembers,
  createRawNumber,
  stringify,
} from '../../../src/base/json.ts';

const roundTrip = (text: string): string => stringify(parseLossless(text));

describe('numbers are written as they were read', () => {
  test.each([
    '9007199254740993',
    '-12345678901234567890',
    '1.0',
    '0.10',
    '1e3',
    '1E+3',
    '-0',
    '3.141592653589793238',
    '{"a":[1.0,{"b":1e400}]}',
    '[1.50,2]',
  ])('%s', (text) => {
    expect(roundTrip(text)).toBe(text);
  });

  test('ordinary numbers are read as plain numbers', () => {
    expect(parseLossless('{"type":18,"x":-2.5}')).toEqual({ type: 18, x: -2.5 });
  });

  test('property: any literal inside any document survives', () => {
    const literal = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        fc.constantFrom('', '.0', '.250', 'e5', 'E-7'),
      )
      .map(([sign, digits, tail]) => `${sign}${digits}${tail}`);
    const json = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        literal,
        fc.string().map((text) => JSON.stringify(text)),
        fc.constantFrom('null', 'true', 'false'),
        fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
        fc
          .uniqueArray(
            fc.tuple(
              fc.string({ minLength: 1 }).filter((key) => !/^\d+$/.test(key)),
              tie('value'),
            ),
            { maxLength: 4, selector: ([key]) => key },
          )
          .map(
            (entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`,
          ),
      ),
    })).value;
    fc.assert(
      fc.property(json, (text) => {
        expect(roundTrip(text)).toBe(text);
      }),
    );
  });
});

test('text inside strings is never mistaken for a number', () => {
  const text = '{"note":": 1.0, [1e5, 12345678901234567890"}';
  expect(parseLossless(text)).toEqual(JSON.parse(text));
});

test('malformed text throws as JSON.parse does', () => {
  expect(() => parseLossless('{"a":1.0')).toThrow(SyntaxError);
  expect(() => parseLossless('')).toThrow(SyntaxError);
});

test('a raw number is not an object', () => {
  expect(isRawNumber(createRawNumber('1.0'))).toBe(true);
  expect(isJsonObject(createRawNumber('1.0'))).toBe(false);
  expect(isJsonObject({})).toBe(true);
  expect(isJsonObject([])).toBe(false);
});

test('members are mapped and picked like entries, whatever their names are', () => {
  fc.assert(
    fc.property(fc.object({ key: fc.oneof(fc.string(), fc.constant('__proto__')) }), (value) => {
      const object = JSON.parse(JSON.stringify(value)) as Readonly<Record<string, never>>;
      const entries = Object.entries(object);
      const isKept = (name: string): boolean => name.length % 2 === 0;
      expect(mapMembers(object, (member, name) => (isKept(name) ? member : undefined))).toStrictEqual(
        Object.fromEntries(entries.filter(([name]) => isKept(name))),
      );
      const reversed = entries.toReversed();
      const picked = pickMembers(
        object,
        reversed.map(([name]) => name),
      );
      expect(JSON.stringify(picked)).toBe(JSON.stringify(Object.fromEntries(reversed)));
    }),
  );
  const object = JSON.parse('{"__proto__":1}') as { readonly [name: string]: number };
  expect(JSON.stringify(mapMembers(object, (member) => member))).toBe('{"__proto__":1}');
  expect(JSON.stringify(pickMembers(object, ['__proto__']))).toBe('{"__proto__":1}');
});
