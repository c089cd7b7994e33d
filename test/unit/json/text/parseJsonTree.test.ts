import fc from 'fast-check';
import { type ParseError, getNodeValue, parseTree } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { toJsonValue } from '../../../../src/json/text/jsonNode.ts';
import { parseWithErrors, parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import { jsonValues, fillerChoices, formatWithFillers } from './arbitraries.ts';
import { getInputRuns, getPropertyRuns } from '../../../support/soak.ts';

/** Texts while they are edited: complete, truncated, with something inserted, or with a part removed. */
const texts = fc
  .tuple(
    jsonValues,
    fillerChoices,
    fc.nat(400),
    fc.nat(12),
    fc.constantFrom(
      '',
      ',',
      ',,',
      '"',
      '}',
      ']',
      ':',
      'x',
      '/*',
      '//',
      '\\',
      '\u0000',
      '\uFEFF',
      '-',
      '0',
      '\n',
    ),
  )
  .map(([value, fillers, offsetChoice, length, insertedText]) => {
    const text = formatWithFillers(value, fillers);
    const start = offsetChoice % (text.length + 1);
    return text.slice(0, start) + insertedText + text.slice(start + (offsetChoice % 3 === 0 ? 0 : length));
  });

test('property: a text is parsed as by the error-tolerant parser alone', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        texts,
        jsonValues.map((value) => JSON.stringify(value, undefined, 2)),
      ),
      (text) => {
        expect(parseJsonTree(text)).toEqual(parseWithErrors(text));
      },
    ),
    { numRuns: getInputRuns(1000) },
  );
});

test("property: a text has an error if VS Code's library finds one, and otherwise the same value", () => {
  const options = { disallowComments: false, allowTrailingComma: true, allowEmptyContent: false };
  fc.assert(
    fc.property(texts, (text) => {
      const errors: ParseError[] = [];
      // A byte-order mark at the start counts as a blank for us.
      const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, options);
      const { root: ourRoot, error } = parseJsonTree(text);
      expect(error !== undefined).toBe(errors.length > 0);
      if (error === undefined && root !== undefined && ourRoot !== undefined) {
        expect(toJsonValue(ourRoot)).toEqual(getNodeValue(root));
      }
    }),
    { numRuns: getPropertyRuns(1000) },
  );
});

describe('errors', () => {
  test.each([
    ['{"a": [1,}', 'syntax-error'],
    ['[1,] x', 'syntax-error'],
    [`[${'[1,],'.repeat(150)}1 2]`, 'syntax-error'],
    ['[1,]', undefined],
    ['{"a": 1,}', undefined],
    ['// nothing yet', 'empty'],
    ['\uFEFF', 'empty'],
    ['['.repeat(300), 'too-deep'],
    ['"\\u00e9"', undefined],
    ['"\\x"', 'syntax-error'],
    ['"a\tb"', 'syntax-error'],
    ['01', 'syntax-error'],
    ['{"a" 1}', 'syntax-error'],
  ])('%s: %s', (text, reason) => {
    expect(parseJsonTree(text).error?.reason).toBe(reason);
  });

  test('201 levels are too deep even if all are closed, 200 are not', () => {
    expect(parseJsonTree('['.repeat(201) + ']'.repeat(201)).error?.reason).toBe('too-deep');
    expect(parseJsonTree('['.repeat(200) + ']'.repeat(200)).error).toBeUndefined();
  });
});
