import { jsonEquals } from '../../../../src/base/canonicalJson.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { computeEdits } from '../../../../src/json/text/computeEdits.ts';
import { parseJsonc } from '../../../../src/json/text/parsedJson.ts';
import { applyEdits } from '../../../../src/base/textEdit.ts';
import {
  getComments,
  valueOperations,
  jsonValues,
  fillerChoices,
  formatWithFillers,
  applyOperation,
} from './arbitraries.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

/** Returns the text after a change of its value. */
function editValue(text: string, change: (value: JsonValue) => JsonValue): string {
  const json = parseJsonc(text);
  expect(json.error).toBeUndefined();
  return applyEdits(text, computeEdits(json, change(json.value ?? {})));
}

const withProperties = (value: JsonValue, properties: Readonly<Record<string, JsonValue>>): JsonValue => ({
  ...(value as object),
  ...properties,
});
const withoutProperty = (value: JsonValue, name: string): JsonValue =>
  Object.fromEntries(Object.entries(value as object).filter(([key]) => key !== name));

describe('properties', () => {
  test('an equal value causes no edit', () => {
    const json = parseJsonc('{ "a": 1.0, /* x */ "b": [1e3] }');
    expect(computeEdits(json, json.value ?? null)).toEqual([]);
  });

  test('a changed text replaces only the text', () => {
    const text = '{\n\t"a": 1.0, // one\n\t"b": "x" /* two */\n}';
    expect(editValue(text, (value) => withProperties(value, { b: 'y' }))).toBe(text.replace('"x"', '"y"'));
  });

  test('a new property is added after the comment of the last one', () => {
    expect(editValue('{\n  "a": 1 // one\n}\n', (value) => withProperties(value, { b: [] }))).toBe(
      '{\n  "a": 1, // one\n  "b": []\n}\n',
    );
    expect(editValue('{"a":1}', (value) => withProperties(value, { b: { c: [2] } }))).toBe(
      '{"a":1,"b":{"c":[2]}}',
    );
    expect(editValue('{ "a": 1 }', (value) => withProperties(value, { b: { c: [2] } }))).toBe(
      '{ "a": 1, "b": { "c": [2] } }',
    );
    expect(editValue('{}', (value) => withProperties(value, { b: 1 }))).toBe('{"b":1}');
    expect(editValue('{}\n', (value) => withProperties(value, { b: 1 }))).toBe('{"b":1}\n');
    expect(editValue('{\n  "o": {}\n}', (value) => withProperties(value, { o: { b: 1 } }))).toBe(
      '{\n  "o": {\n    "b": 1\n  }\n}',
    );
    expect(editValue('{\r\n\t// none yet\r\n}', (value) => withProperties(value, { b: 1 }))).toBe(
      '{\r\n\t// none yet\r\n\t"b": 1\r\n}',
    );
  });

  test('a removed property is deleted with its line, and the comma is corrected', () => {
    expect(
      editValue('{\n  "a": 1, // one\n  // heading\n  "b": 2\n}', (value) => withoutProperty(value, 'b')),
    ).toBe('{\n  "a": 1 // one\n  // heading\n}');
    expect(editValue('{ "a": 1, "b": 2 }', (value) => withoutProperty(value, 'a'))).toBe('{ "b": 2 }');
    expect(editValue('{\n  "a": 1\n}', (value) => withoutProperty(value, 'a'))).toBe('{}');
  });

  test('of properties with the same name the last one is changed, and all are removed', () => {
    const text = '{ "a": 1, "b": 0, "a": 2 }';
    expect(editValue(text, (value) => withProperties(value, { a: 3 }))).toBe('{ "a": 1, "b": 0, "a": 3 }');
    expect(editValue(text, (value) => withoutProperty(value, 'a'))).toBe('{ "b": 0 }');
  });

  test('unusual names work like any other', () => {
    const text = '{ "__proto__": 1 }';
    expect(editValue(text, (value) => withProperties(value, { constructor: 2 }))).toBe(
      '{ "__proto__": 1, "constructor": 2 }',
    );
  });
});

describe('items', () => {
  const getItems = (value: JsonValue): readonly JsonValue[] => value as readonly JsonValue[];

  test('moving an item moves only its line', () => {
    const text = '[\n  { "n": 1 }, // one\n  // second\n  { "n": 2 },\n  { "n": 3 } // three\n]';
    expect(
      editValue(text, (value) => [getItems(value)[2], getItems(value)[0], getItems(value)[1]] as JsonValue),
    ).toBe('[\n  { "n": 3 }, // three\n  { "n": 1 }, // one\n  // second\n  { "n": 2 }\n]');
  });

  test('a list with a trailing comma gets one after a new item, too', () => {
    expect(editValue('[\n  1,\n]', (value) => [...getItems(value), 2])).toBe('[\n  1,\n  2,\n]');
  });

  test('items on the line of the bracket stay there', () => {
    expect(editValue('[1, 2, 3]', (value) => getItems(value).slice(1))).toBe('[2, 3]');
    expect(editValue('[1, 2, 3]', (value) => [9, ...getItems(value)])).toBe('[9, 1, 2, 3]');
    expect(editValue('[1]\n', (value) => [...getItems(value), 2])).toBe('[1,2]\n');
    const objects = '[{\n  "a": 1\n}, {\n  "a": 2\n}]';
    expect(editValue(objects, (value) => [...getItems(value), { a: 3 }])).toBe(
      '[{\n  "a": 1\n}, {\n  "a": 2\n}, {\n  "a": 3\n}]',
    );
  });

  test('a new item is formatted like its siblings', () => {
    expect(editValue('[\n  { "a": 1 }\n]', (value) => [...getItems(value), { a: 2, b: [3] }])).toBe(
      '[\n  { "a": 1 },\n  { "a": 2, "b": [3] }\n]',
    );
  });

  test('a removed item leaves no line comment that swallows the rest', () => {
    expect(editValue('[\n// c\n1, 2]', (value) => getItems(value).slice(1))).toBe('[\n// c\n2]');
    expect(editValue('[1, // one\n 2]', (value) => getItems(value).slice(0, 1))).toBe('[1 // one\n]');
  });
});

describe('unusual texts', () => {
  test('an empty text becomes a document', () => {
    expect(editValue('', () => ({ name: 'x' }))).toBe('{\n  "name": "x"\n}\n');
    expect(editValue('// to do', () => ({ name: 'x' }))).toBe('// to do\n{\n  "name": "x"\n}\n');
  });

  test('a byte-order mark stays', () => {
    expect(editValue('\uFEFF{ "a": 1 }', (value) => withProperties(value, { a: 2 }))).toBe(
      '\uFEFF{ "a": 2 }',
    );
  });

  test('a text with errors is not edited', () => {
    expect(() => computeEdits(parseJsonc('{ "a": '), {})).toThrow();
  });

  test('a text that is nested too deeply has a syntax error', () => {
    expect(parseJsonc('['.repeat(1_000_000)).error).toMatchObject({ reason: 'too-deep', start: 200 });
  });

  test('a text formatted like JSON.stringify keeps that format', () => {
    const units = fc.constantFrom('  ', '    ', '\t');
    fc.assert(
      fc.property(
        jsonValues,
        fc.array(valueOperations, { maxLength: 4 }),
        units,
        fc.boolean(),
        (value, operations, unit, crlf) => {
          // A non-empty container at the top shows its indentation; others do not.
          const format = (item: JsonValue): string =>
            JSON.stringify({ top: { x: item } }, undefined, unit).replaceAll('\n', crlf ? '\r\n' : '\n');
          let text = format(value);
          let expectedValue = value;
          for (const operation of operations) {
            text = editValue(text, (root) => {
              const before = (root as { top: { x: JsonValue } }).top;
              expectedValue = applyOperation(before.x, operation);
              return { ...(root as object), top: { ...before, x: expectedValue } };
            });
          }
          // Names keep their order in the text.
          const { top } = parseJsonc(text).value as { top: { x: JsonValue } };
          expect(text).toBe(format(top.x));
          expect(top.x).toEqual(expectedValue);
        },
      ),
      { numRuns: getPropertyRuns(300) },
    );
  });

  test('a text with comments anywhere gets the new value, and keeps the comments between unchanged parts', () => {
    fc.assert(
      fc.property(
        jsonValues,
        fillerChoices,
        fc.array(valueOperations, { maxLength: 4 }),
        (value, fillers, operations) => {
          let text = formatWithFillers(value, fillers);
          for (const operation of operations) {
            const before = parseJsonc(text);
            let expectedValue: JsonValue = null;
            const after = editValue(text, (root) => {
              expectedValue = applyOperation(root, operation);
              return expectedValue;
            });
            const parsed = parseJsonc(after);
            expect(parsed.error, after).toBeUndefined();
            expect(parsed.value).toEqual(expectedValue);
            if (operation.kind === 'append' || operation.kind === 'move' || operation.kind === 'reverse') {
              if (isSuperset(before.value ?? null, expectedValue)) {
                expect(getComments(after).toSorted()).toEqual(getComments(text).toSorted());
              }
            }
            text = after;
          }
        },
      ),
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
    const remainingItems = [...(after as JsonValue[])];
    return (before as JsonValue[]).every((item, index) => {
      const sameIndex = remainingItems.findIndex((other) => jsonEquals(other, item));
      if (sameIndex >= 0) {
        remainingItems.splice(sameIndex, 1);
        return true;
      }
      return before.length === after.length && isSuperset(item, (after as JsonValue[])[index] ?? null);
    });
  }
  return (
    isObject(before) &&
    isObject(after) &&
    Object.entries(before).every(([name, value]) => {
      const afterValue = Object.hasOwn(after, name) ? after[name] : undefined;
      return afterValue !== undefined && isSuperset(value, afterValue);
    })
  );
}

const isObject = (value: JsonValue): value is Readonly<Record<string, JsonValue>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

describe('an item that is changed while others are added or removed', () => {
  const createRule = (more: object): JsonValue => ({ table: 'T', column: 'C', members: ['a'], ...more });
  const text = `[
  { "table": "T", "column": "C", "members": ["a"], "shares": "all" }, // first
  { "table": "T", "column": "C", "members": ["a"], "shares": "both" } // second
]`;

  test('stays the same item, with its comment', () => {
    const splitText = editValue(text, (value) => {
      const [first = null, second = null] = value as readonly JsonValue[];
      return [first, withProperties(second, { shares: 'one' }), withProperties(second, { shares: 'other' })];
    });
    expect(splitText).toBe(
      text.replace(
        '"both" } // second',
        '"one" }, // second\n  { "table": "T", "column": "C", "members": ["a"], "shares": "other" }',
      ),
    );
  });

  test('is new if it is not similar to the one between the same neighbors', () => {
    const replaced = editValue(text, (value) => [
      (value as readonly JsonValue[])[0] ?? null,
      { x: 1 },
      createRule({}),
    ]);
    expect(replaced).toContain('// first');
    expect(parseJsonc(replaced).value).toEqual([createRule({ shares: 'all' }), { x: 1 }, createRule({})]);
  });
});
