import { expect, test } from 'vitest';
import { maskConnectorSettings, maskText } from '../../../../src/base/secrets/maskSecrets.ts';

/**
 * Counts the characters that regular expressions, `indexOf` and `lastIndexOf` search while a function runs: from the
 * start of each search to the end of its match. This is more reliable than measuring time.
 */
function countSearchedCharacters(work: () => void): number {
  let searchedCount = 0;
  type SearchMethod = (this: unknown, searched: string, from?: number) => never;
  const instrument = (
    owner: object,
    name: string,
    countCharacters: (...args: Parameters<CountCharacters>) => number,
  ): (() => void) => {
    const originalMethod = Reflect.get(owner, name) as SearchMethod;
    Reflect.set(owner, name, function (this: RegExp & string, searched: string, from?: number) {
      const start = this.lastIndex ?? from ?? 0;
      const result =
        from === undefined ? originalMethod.call(this, searched) : originalMethod.call(this, searched, from);
      searchedCount += countCharacters(this, searched, { start, result });
      return result;
    });
    return () => Reflect.set(owner, name, originalMethod);
  };
  const restoreMethods = [
    instrument(RegExp.prototype, 'exec', (pattern, text, { start, result }) => {
      const from = pattern.global || pattern.sticky ? start : 0;
      const found = result as RegExpExecArray | null;
      return (found === null ? text.length : found.index + found[0].length) - from;
    }),
    instrument(String.prototype, 'indexOf', (text, _wanted, { start, result }) =>
      Number(result) < 0 ? text.length - start : Number(result) - start,
    ),
    instrument(
      String.prototype,
      'lastIndexOf',
      (text, _wanted, { result }) => text.length - Math.max(0, Number(result)),
    ),
  ];
  try {
    work();
  } finally {
    restoreMethods.forEach((restoreMethod) => restoreMethod());
  }
  return searchedCount;
}

type CountCharacters = (
  self: RegExp & string,
  searched: string,
  search: { readonly start: number; readonly result: unknown },
) => number;

const pieces = [
  '=',
  ':',
  'a=b;',
  'password=',
  'password="',
  'PWD={',
  "password='a''",
  '://',
  'http://u:p@',
  'x:y@',
  '"',
  '\\"',
  '{"a":',
  '-----BEGIN PRIVATE KEY-----',
  'eyJaaaaaa.',
  'Bearer a',
  '--password ',
  '--password "x',
  '<password>',
  'a=%3d&',
  'oracle:thin:a/',
  'token: a ',
  'keyFile=/a ',
  'auth=none;',
  'useToken=true;',
  'password=••••••••;',
  'a b ',
  '; ',
];

const baseLength = 2048;

test.each(pieces)('the work of masking grows linearly with the length of a text that repeats %s', (piece) => {
  const countWork = (length: number): number => {
    const text = piece.repeat(Math.ceil(length / piece.length));
    return countSearchedCharacters(() => {
      maskConnectorSettings({ AdditionalParameters: text });
      maskText(text);
    });
  };
  const [countOnce, countTwice, countFourTimes] = [
    countWork(baseLength),
    countWork(2 * baseLength),
    countWork(4 * baseLength),
  ];
  expect(countOnce).toBeGreaterThan(baseLength);
  expect(countTwice / countOnce).toBeLessThan(2.3);
  expect(countFourTimes / countTwice).toBeLessThan(2.3);
});

test('the work of masking grows linearly with the number of fields', () => {
  const countWork = (count: number): number => {
    const fields = Array.from({ length: count }, (_, index) => [`field${index}`, `Password=${index};a=b`]);
    return countSearchedCharacters(() =>
      maskConnectorSettings({ name: 'x', value: 'y', ...Object.fromEntries(fields) }),
    );
  };
  expect(countWork(400) / countWork(200)).toBeLessThan(2.3);
});
