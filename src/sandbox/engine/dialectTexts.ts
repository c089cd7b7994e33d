import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import {
  type DialectFunction,
  type DialectFunctions,
  isTrue,
  numberOf,
  strict,
  textOf,
  wholeOf,
} from './dialectFunction.ts';

const count = (value: SQLOutputValue | undefined): number => Math.max(0, Math.trunc(numberOf(value)));

const replaceAll = strict(3, ([text, find, replacement]) =>
  textOf(find) === '' ? textOf(text) : textOf(text).replaceAll(textOf(find), () => textOf(replacement)),
);

/** `SUBSTRING(s, start[, length])`: the first character is 1 (platform-facts 5.4; both forms in 5.5). */
function substring([text, start, length]: readonly SQLOutputValue[]): string {
  const characters = Array.from(textOf(text));
  const from = Math.trunc(numberOf(start)) - 1;
  const to = length === undefined ? characters.length : from + count(length);
  return characters.slice(Math.max(0, from), Math.max(0, to)).join('');
}

/** `+` joins as soon as one side is text, and adds otherwise (platform-facts 5.4). */
function plus([left, right]: readonly SQLOutputValue[]): SQLInputValue {
  if (typeof left === 'string' || typeof right === 'string') {
    return textOf(left) + textOf(right);
  }
  return typeof left === 'bigint' && typeof right === 'bigint'
    ? wholeOf(left + right)
    : Number(left) + Number(right);
}

const length = strict(1, ([text]) => BigInt(Array.from(textOf(text)).length));
const concat = strict([1, 127], (args) => args.map(textOf).join(''));
const cut = strict([2, 3], substring);

/** `IFINT(c, a, b)` and the like: a where the condition holds, else b, as a value of that type. */
const choice = (convert: (value: SQLOutputValue) => SQLInputValue): DialectFunction => ({
  arity: [3, 3],
  strict: false,
  apply([condition, yes, no]) {
    const value = (isTrue(condition) ? yes : no) ?? null;
    return value === null ? null : convert(value);
  },
});

/** The whole number of a value: the fraction is cut off. */
function toWhole(value: SQLOutputValue | undefined): bigint {
  if (typeof value === 'bigint') {
    return value;
  }
  const text = typeof value === 'string' ? value.trim() : '';
  return /^[+-]?\d+$/.test(text) ? BigInt(text) : BigInt(Math.trunc(numberOf(value)));
}

const toInteger = strict(1, ([value]) => wholeOf(toWhole(value)));
const toDouble = strict(1, ([value]) => numberOf(value));
const toText = strict(1, ([value]) => textOf(value));

/** String, conversion and logic functions (platform-facts 5.4 and 5.5). Positions count characters from 1. */
export const textFunctions: DialectFunctions = {
  dm_plus: strict(2, plus),
  left: strict(2, ([text, n]) => Array.from(textOf(text)).slice(0, count(n)).join('')),
  right: strict(2, ([text, n]) => {
    const characters = Array.from(textOf(text));
    return characters.slice(Math.max(0, characters.length - count(n))).join('');
  }),
  len: length,
  length,
  lower: strict(1, ([text]) => textOf(text).toLowerCase()),
  upper: strict(1, ([text]) => textOf(text).toUpperCase()),
  substring: cut,
  substr: cut,
  replaceall: replaceAll,
  replace: replaceAll,
  indexof: strict(2, ([text, find]) => {
    const at = textOf(text).indexOf(textOf(find));
    return BigInt(at < 0 ? 0 : Array.from(textOf(text).slice(0, at)).length + 1);
  }),
  concat,
  replicate: strict(2, ([text, n]) => textOf(text).repeat(count(n))),
  reverse: strict(1, ([text]) => Array.from(textOf(text)).reverse().join('')),
  strparts: strict(
    3,
    ([text, separator, index]) => textOf(text).split(textOf(separator))[count(index) - 1] ?? null,
  ),
  tostring: toText,
  toint: toInteger,
  tobigint: toInteger,
  todouble: toDouble,
  tofloat: toDouble,
  isnullorempty: {
    arity: [1, 1],
    strict: false,
    apply: ([value]) => (value === null || value === '' ? 1 : 0),
  },
  ifint: choice((value) => wholeOf(toWhole(value))),
  ifstring: choice(textOf),
  ifdouble: choice(numberOf),
};
