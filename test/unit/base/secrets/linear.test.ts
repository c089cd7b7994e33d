import { expect, test } from 'vitest';
import { maskConnection, maskText } from '../../../../src/base/secrets/maskSecrets.ts';

/**
 * Counts the characters that the searches of a piece of work visit: for patterns, from where each starts to where it
 * ends, and for plain texts. Measuring time would show the same less reliably.
 */
function countCharactersRead(work: () => void): number {
  let read = 0;
  type Search = (this: unknown, searched: string, from?: number) => never;
  const instrument = (
    owner: object,
    name: string,
    cost: (...args: Parameters<Cost>) => number,
  ): (() => void) => {
    const originalMethod = Reflect.get(owner, name) as Search;
    Reflect.set(owner, name, function (this: RegExp & string, searched: string, from?: number) {
      const start = this.lastIndex ?? from ?? 0;
      const answer =
        from === undefined ? originalMethod.call(this, searched) : originalMethod.call(this, searched, from);
      read += cost(this, searched, { start, answer });
      return answer;
    });
    return () => Reflect.set(owner, name, originalMethod);
  };
  const restore = [
    instrument(RegExp.prototype, 'exec', (pattern, text, { start, answer }) => {
      const from = pattern.global || pattern.sticky ? start : 0;
      const found = answer as RegExpExecArray | null;
      return (found === null ? text.length : found.index + found[0].length) - from;
    }),
    instrument(String.prototype, 'indexOf', (text, _wanted, { start, answer }) =>
      Number(answer) < 0 ? text.length - start : Number(answer) - start,
    ),
    instrument(
      String.prototype,
      'lastIndexOf',
      (text, _wanted, { answer }) => text.length - Math.max(0, Number(answer)),
    ),
  ];
  try {
    work();
  } finally {
    restore.forEach((restoreMethod) => restoreMethod());
  }
  return read;
}

type Cost = (
  self: RegExp & string,
  searched: string,
  search: { readonly start: number; readonly answer: unknown },
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

const small = 2048;

test.each(pieces)('twice as much text of only %s takes twice the work', (piece) => {
  const getWork = (length: number): number => {
    const text = piece.repeat(Math.ceil(length / piece.length));
    return countCharactersRead(() => {
      maskConnection({ AdditionalParameters: text });
      maskText(text);
    });
  };
  const [one, two, four] = [getWork(small), getWork(2 * small), getWork(4 * small)];
  expect(one).toBeGreaterThan(small);
  expect(two / one).toBeLessThan(2.3);
  expect(four / two).toBeLessThan(2.3);
});

test('twice as many fields take twice the work', () => {
  const getWork = (count: number): number => {
    const fields = Array.from({ length: count }, (_, index) => [`field${index}`, `Password=${index};a=b`]);
    return countCharactersRead(() =>
      maskConnection({ name: 'x', value: 'y', ...Object.fromEntries(fields) }),
    );
  };
  expect(getWork(400) / getWork(200)).toBeLessThan(2.3);
});
