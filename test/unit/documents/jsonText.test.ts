import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from '../../../src/base/json.ts';
import { parseJsonText } from '../../../src/documents/jsonText.ts';
import { anyJson } from './anyJson.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const strict = { allowsComments: false };
const lenient = { allowsComments: true };

test('property: any document is read as it was written', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const parsed = parseJsonText(stringify(value, 2), strict);
      expect('value' in parsed && stringify(parsed.value)).toBe(stringify(value));
    }),
    { numRuns: getPropertyRuns(300) },
  );
});

test('property: no text throws, and every problem lies within the text', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...Array.from('{}[],:"\\/*1e-tn ')) })),
      (text) => {
        const parsed = parseJsonText(text, lenient);
        for (const { offset, length } of 'problems' in parsed ? parsed.problems : []) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset + length).toBeLessThanOrEqual(text.length);
        }
      },
    ),
    { numRuns: getPropertyRuns(500) },
  );
});

test('a text that ends within a comment has its problem within the text', () => {
  const [problem] = (
    parseJsonText('/*', lenient) as { problems: readonly { offset: number; length: number }[] }
  ).problems;
  expect(problem).toMatchObject({ offset: 0, length: 2 });
});

describe('comments', () => {
  const text = '// who\n{"a": 1, /* b */ "c": [2,],}';

  test('are read and reported where they are allowed', () => {
    expect(parseJsonText(text, lenient)).toEqual({ value: { a: 1, c: [2] }, hasComments: true });
  });

  test('are a problem where they are not allowed', () => {
    expect(parseJsonText(text, strict)).toHaveProperty('problems.0.code', 'syntax');
  });
});

test.each([
  ['', 'ValueExpected'],
  ['{"a":1', 'CloseBraceExpected'],
  ['{"a" 1}', 'ColonExpected'],
  ['[1 2]', 'CommaExpected'],
  ['{"a":1} x', 'InvalidSymbol'],
  ['{"a":01}', 'CommaExpected'],
])('%s is rejected', (text, detail) => {
  const parsed = parseJsonText(text, strict);
  expect('problems' in parsed && parsed.problems.map((problem) => problem.detail)).toContain(detail);
});

test('a duplicate key is rejected with its position', () => {
  expect(parseJsonText('{"a":1,"a":2}', strict)).toEqual({
    problems: [{ code: 'duplicate-key', detail: 'a', offset: 7, length: 3 }],
  });
});

test('a text that is nested too deeply is rejected', () => {
  expect(parseJsonText('['.repeat(200_000), strict)).toHaveProperty('problems');
});
