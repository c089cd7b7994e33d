import { expect, test } from 'vitest';
import { maskConnection, maskText } from '../../../src/secrets/maskSecrets.ts';

/**
 * How many characters the searches of some work pass: those of patterns, from where each begins to where it ends, and
 * those for texts. Time would tell the same, and less surely.
 */
function charactersRead(work: () => void): number {
  let read = 0;
  // oxlint-disable-next-line typescript/unbound-method -- put back below, and called with its own `this`
  const { exec } = RegExp.prototype;
  const { indexOf, lastIndexOf } = String.prototype;
  RegExp.prototype.exec = function (text: string): RegExpExecArray | null {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, text);
    read += (found === null ? text.length : found.index + found[0].length) - from;
    return found;
  };
  String.prototype.indexOf = function (wanted: string, from = 0): number {
    const at = indexOf.call(this, wanted, from);
    read += (at < 0 ? this.length : at) - from;
    return at;
  };
  String.prototype.lastIndexOf = function (wanted: string, from?: number): number {
    const at = lastIndexOf.call(this, wanted, from);
    read += this.length - Math.max(0, at);
    return at;
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = exec;
    String.prototype.indexOf = indexOf;
    String.prototype.lastIndexOf = lastIndexOf;
  }
  return read;
}

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

test.each(pieces)('a text of nothing but %s twice as long takes twice the work', (piece) => {
  const workOf = (length: number): number => {
    const text = piece.repeat(Math.ceil(length / piece.length));
    return charactersRead(() => {
      maskConnection({ AdditionalParameters: text });
      maskText(text);
    });
  };
  const [one, two, four] = [workOf(small), workOf(2 * small), workOf(4 * small)];
  expect(one).toBeGreaterThan(small);
  expect(two / one).toBeLessThan(2.3);
  expect(four / two).toBeLessThan(2.3);
});

test('twice as many fields take twice the work', () => {
  const workOf = (count: number): number => {
    const fields = Array.from({ length: count }, (_, index) => [`field${index}`, `Password=${index};a=b`]);
    return charactersRead(() => maskConnection({ name: 'x', value: 'y', ...Object.fromEntries(fields) }));
  };
  expect(workOf(400) / workOf(200)).toBeLessThan(2.3);
});
