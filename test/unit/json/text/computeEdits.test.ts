import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { computeEdits } from '../../../../src/json/text/computeEdits.ts';
import { parseJsonc } from '../../../../src/json/text/parsedJson.ts';
import { applyEdits } from '../../../../src/base/textEdit.ts';
import { getComments, deeds, jsonValues, noises, untidy, withDeed } from './arbitraries.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

/** The text after a change of its value. */
function edited(text: string, change: (value: JsonValue) => JsonValue): string {
  const json = parseJsonc(text);
  expect(json.error).toBeUndefined();
  return applyEdits(text, computeEdits(json, change(json.value ?? {})));
}

const withOwn = (value: JsonValue, own: Readonly<Record<string, JsonValue>>): JsonValue => ({
  ...(value as object),
  ...own,
});
const without = (value: JsonValue, name: string): JsonValue =>
  Object.fromEntries(Object.entries(value as object).filter(([key]) => key !== name));

describe('properties', () => {
  test('an equal value causes no edit', () => {
    const json = parseJsonc('{ "a": 1.0, /* x */ "b": [1e3] }');
    expect(computeEdits(json, json.value ?? null)).toEqual([]);
  });

  test('a changed text replaces only the text', () => {
    const text = '{\n\t"a": 1.0, // one\n\t"b": "x" /* two */\n}';
    expect(edited(text, (value) => withOwn(value, { b: 'y' }))).toBe(text.replace('"x"', '"y"'));
  });

  test('a new one is added after the comment of the last', () => {
    expect(edited('{\n  "a": 1 // one\n}\n', (value) => withOwn(value, { b: [] }))).toBe(
      '{\n  "a": 1, // one\n  "b": []\n}\n',
    );
    expect(edited('{"a":1}', (value) => withOwn(value, { b: { c: [2] } }))).toBe('{"a":1,"b":{"c":[2]}}');
    expect(edited('{ "a": 1 }', (value) => withOwn(value, { b: { c: [2] } }))).toBe(
      '{ "a": 1, "b": { "c": [2] } }',
    );
    expect(edited('{}', (value) => withOwn(value, { b: 1 }))).toBe('{"b":1}');
    expect(edited('{}\n', (value) => withOwn(value, { b: 1 }))).toBe('{"b":1}\n');
    expect(edited('{\n  "o": {}\n}', (value) => withOwn(value, { o: { b: 1 } }))).toBe(
      '{\n  "o": {\n    "b": 1\n  }\n}',
    );
    expect(edited('{\r\n\t// none yet\r\n}', (value) => withOwn(value, { b: 1 }))).toBe(
      '{\r\n\t// none yet\r\n\t"b": 1\r\n}',
    );
  });

  test('a removed one is deleted with its line, and the comma is fixed', () => {
    expect(edited('{\n  "a": 1, // one\n  // heading\n  "b": 2\n}', (value) => without(value, 'b'))).toBe(
      '{\n  "a": 1 // one\n  // heading\n}',
    );
    expect(edited('{ "a": 1, "b": 2 }', (value) => without(value, 'a'))).toBe('{ "b": 2 }');
    expect(edited('{\n  "a": 1\n}', (value) => without(value, 'a'))).toBe('{}');
  });

  test('of duplicate names the last is changed, and both are removed', () => {
    const text = '{ "a": 1, "b": 0, "a": 2 }';
    expect(edited(text, (value) => withOwn(value, { a: 3 }))).toBe('{ "a": 1, "b": 0, "a": 3 }');
    expect(edited(text, (value) => without(value, 'a'))).toBe('{ "b": 0 }');
  });

  test('unusual names work like any other', () => {
    const text = '{ "__proto__": 1 }';
    expect(edited(text, (value) => withOwn(value, { constructor: 2 }))).toBe(
      '{ "__proto__": 1, "constructor": 2 }',
    );
  });
});

describe('items', () => {
  const items = (value: JsonValue): readonly JsonValue[] => value as readonly JsonValue[];

  test('moving one moves only its line', () => {
    const text = '[\n  { "n": 1 }, // one\n  // second\n  { "n": 2 },\n  { "n": 3 } // three\n]';
    expect(edited(text, (value) => [items(value)[2], items(value)[0], items(value)[1]] as JsonValue)).toBe(
      '[\n  { "n": 3 }, // three\n  { "n": 1 }, // one\n  // second\n  { "n": 2 }\n]',
    );
  });

  test('a trailing comma is kept as a style', () => {
    expect(edited('[\n  1,\n]', (value) => [...items(value), 2])).toBe('[\n  1,\n  2,\n]');
  });

  test('items on the line of the bracket stay there', () => {
    expect(edited('[1, 2, 3]', (value) => items(value).slice(1))).toBe('[2, 3]');
    expect(edited('[1, 2, 3]', (value) => [9, ...items(value)])).toBe('[9, 1, 2, 3]');
    expect(edited('[1]\n', (value) => [...items(value), 2])).toBe('[1,2]\n');
    const objects = '[{\n  "a": 1\n}, {\n  "a": 2\n}]';
    expect(edited(objects, (value) => [...items(value), { a: 3 }])).toBe(
      '[{\n  "a": 1\n}, {\n  "a": 2\n}, {\n  "a": 3\n}]',
    );
  });

  test('a new one is formatted like its siblings', () => {
    expect(edited('[\n  { "a": 1 }\n]', (value) => [...items(value), { a: 2, b: [3] }])).toBe(
      '[\n  { "a": 1 },\n  { "a": 2, "b": [3] }\n]',
    );
  });

  test('a removed item leaves no line comment that swallows the rest', () => {
    expect(edited('[\n// c\n1, 2]', (value) => items(value).slice(1))).toBe('[\n// c\n2]');
    expect(edited('[1, // one\n 2]', (value) => items(value).slice(0, 1))).toBe('[1 // one\n]');
  });
});

describe('unusual texts', () => {
  test('an empty one becomes a document', () => {
    expect(edited('', () => ({ name: 'x' }))).toBe('{\n  "name": "x"\n}\n');
    expect(edited('// to do', () => ({ name: 'x' }))).toBe('// to do\n{\n  "name": "x"\n}\n');
  });

  test('a byte-order mark stays', () => {
    expect(edited('\uFEFF{ "a": 1 }', (value) => withOwn(value, { a: 2 }))).toBe('\uFEFF{ "a": 2 }');
  });

  test('one with errors is not edited', () => {
    expect(() => computeEdits(parseJsonc('{ "a": '), {})).toThrow();
  });

  test('excessive depth is an ordinary error', () => {
    expect(parseJsonc('['.repeat(1_000_000)).error).toBeDefined();
  });

  test('tidy text stays as JSON.stringify would write it', () => {
    const units = fc.constantFrom('  ', '    ', '\t');
    fc.assert(
      fc.property(
        jsonValues,
        fc.array(deeds, { maxLength: 4 }),
        units,
        fc.boolean(),
        (value, list, unit, crlf) => {
          // A non-empty container at the top shows its indentation; others do not.
          const print = (item: JsonValue): string =>
            JSON.stringify({ top: { x: item } }, undefined, unit).replaceAll('\n', crlf ? '\r\n' : '\n');
          let text = print(value);
          let wanted = value;
          for (const deed of list) {
            text = edited(text, (root) => {
              const before = (root as { top: { x: JsonValue } }).top;
              wanted = withDeed(before.x, deed);
              return { ...(root as object), top: { ...before, x: wanted } };
            });
          }
          // Names keep their order in the text.
          const { top } = parseJsonc(text).value as { top: { x: JsonValue } };
          expect(text).toBe(print(top.x));
          expect(top.x).toEqual(wanted);
        },
      ),
      { numRuns: getPropertyRuns(300) },
    );
  });

  test('untidy text gets the new value, and keeps every comment between unchanged parts', () => {
    fc.assert(
      fc.property(jsonValues, noises, fc.array(deeds, { maxLength: 4 }), (value, noise, list) => {
        let text = untidy(value, noise);
        for (const deed of list) {
          const before = parseJsonc(text);
          let wanted: JsonValue = null;
          const after = edited(text, (root) => {
            wanted = withDeed(root, deed);
            return wanted;
          });
          const read = parseJsonc(after);
          expect(read.error, after).toBeUndefined();
          expect(read.value).toEqual(wanted);
          if (deed.deed === 'append' || deed.deed === 'move' || deed.deed === 'reverse') {
            const setsValue = !isSuperset(before.value ?? null, wanted);
            if (!setsValue) {
              expect(getComments(after).toSorted()).toEqual(getComments(text).toSorted());
            }
          }
          text = after;
        }
      }),
      { numRuns: getPropertyRuns(500) },
    );
  });
});

/** True if no existing item was removed: items may have moved, and others may have been added. */
function isSuperset(before: JsonValue, after: JsonValue): boolean {
  if (before === after) {
    return true;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const rest = [...(after as JsonValue[])];
    return (before as JsonValue[]).every((item, index) => {
      const same = rest.indexOf(item);
      if (same >= 0) {
        rest.splice(same, 1);
        return true;
      }
      return before.length === after.length && isSuperset(item, (after as JsonValue[])[index] ?? null);
    });
  }
  return (
    isObject(before) &&
    isObject(after) &&
    Object.entries(before).every(([name, value]) => {
      const now = Object.hasOwn(after, name) ? after[name] : undefined;
      return now !== undefined && isSuperset(value, now);
    })
  );
}

const isObject = (value: JsonValue): value is Readonly<Record<string, JsonValue>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

describe('an item that is changed while others are added or removed', () => {
  const rule = (more: object): JsonValue => ({ table: 'T', column: 'C', members: ['a'], ...more });
  const text = `[
  { "table": "T", "column": "C", "members": ["a"], "shares": "all" }, // first
  { "table": "T", "column": "C", "members": ["a"], "shares": "both" } // second
]`;

  test('stays the same item, with its comment', () => {
    const split = edited(text, (value) => {
      const [first = null, second = null] = value as readonly JsonValue[];
      return [first, withOwn(second, { shares: 'one' }), withOwn(second, { shares: 'other' })];
    });
    expect(split).toBe(
      text.replace(
        '"both" } // second',
        '"one" }, // second\n  { "table": "T", "column": "C", "members": ["a"], "shares": "other" }',
      ),
    );
  });

  test('a different one between the same neighbors is new', () => {
    const replaced = edited(text, (value) => [
      (value as readonly JsonValue[])[0] ?? null,
      { x: 1 },
      rule({}),
    ]);
    expect(replaced).toContain('// first');
    expect(parseJsonc(replaced).value).toEqual([rule({ shares: 'all' }), { x: 1 }, rule({})]);
  });
});
