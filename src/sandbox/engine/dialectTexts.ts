import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import {
  type DialectFunction,
  type DialectFunctions,
  isTruthy,
  toSqlNumber,
  createStrictFunction,
  toSqlText,
  toSqlInteger,
} from './dialectFunction.ts';

const toCount = (value: SQLOutputValue | undefined): number => Math.max(0, Math.trunc(toSqlNumber(value)));

const replaceAllFunction = createStrictFunction(3, ([text, searchText, replacement]) =>
  toSqlText(searchText) === ''
    ? toSqlText(text)
    : toSqlText(text).replaceAll(toSqlText(searchText), () => toSqlText(replacement)),
);

/** Implements `SUBSTRING(s, start[, length])`; positions start at 1 (platform-facts.md, 5.4; both forms in 5.5). */
function getSubstring([text, start, length]: readonly SQLOutputValue[]): string {
  const characters = Array.from(toSqlText(text));
  const startIndex = Math.trunc(toSqlNumber(start)) - 1;
  const endIndex = length === undefined ? characters.length : startIndex + toCount(length);
  return characters.slice(Math.max(0, startIndex), Math.max(0, endIndex)).join('');
}

/** Implements `+`: concatenates if at least one side is text, and adds otherwise (platform-facts.md, 5.4). */
function addOrConcatenate([left, right]: readonly SQLOutputValue[]): SQLInputValue {
  if (typeof left === 'string' || typeof right === 'string') {
    return toSqlText(left) + toSqlText(right);
  }
  return typeof left === 'bigint' && typeof right === 'bigint'
    ? toSqlInteger(left + right)
    : Number(left) + Number(right);
}

const lengthFunction = createStrictFunction(1, ([text]) => BigInt(Array.from(toSqlText(text)).length));
const concatFunction = createStrictFunction([1, 127], (args) => args.map(toSqlText).join(''));
const substringFunction = createStrictFunction([2, 3], getSubstring);

/** Creates `IFINT(c, a, b)` and similar functions, which return a if c is true and otherwise b, converted to a type. */
const createConditionalFunction = (convert: (value: SQLOutputValue) => SQLInputValue): DialectFunction => ({
  arity: [3, 3],
  strict: false,
  apply([condition, thenValue, elseValue]) {
    const value = (isTruthy(condition) ? thenValue : elseValue) ?? null;
    return value === null ? null : convert(value);
  },
});

/** Converts a value to a whole number by dropping the fraction. */
function truncateToInteger(value: SQLOutputValue | undefined): bigint {
  if (typeof value === 'bigint') {
    return value;
  }
  const text = typeof value === 'string' ? value.trim() : '';
  return /^[+-]?\d+$/.test(text) ? BigInt(text) : BigInt(Math.trunc(toSqlNumber(value)));
}

const toIntegerFunction = createStrictFunction(1, ([value]) => toSqlInteger(truncateToInteger(value)));
const toDoubleFunction = createStrictFunction(1, ([value]) => toSqlNumber(value));
const toTextFunction = createStrictFunction(1, ([value]) => toSqlText(value));

/** String, conversion and logic functions (platform-facts.md, 5.4 and 5.5). Character positions start at 1. */
export const textFunctions: DialectFunctions = {
  dm_plus: createStrictFunction(2, addOrConcatenate),
  left: createStrictFunction(2, ([text, count]) =>
    Array.from(toSqlText(text)).slice(0, toCount(count)).join(''),
  ),
  right: createStrictFunction(2, ([text, count]) => {
    const characters = Array.from(toSqlText(text));
    return characters.slice(Math.max(0, characters.length - toCount(count))).join('');
  }),
  len: lengthFunction,
  length: lengthFunction,
  lower: createStrictFunction(1, ([text]) => toSqlText(text).toLowerCase()),
  upper: createStrictFunction(1, ([text]) => toSqlText(text).toUpperCase()),
  substring: substringFunction,
  substr: substringFunction,
  replaceall: replaceAllFunction,
  replace: replaceAllFunction,
  indexof: createStrictFunction(2, ([text, searchText]) => {
    const offset = toSqlText(text).indexOf(toSqlText(searchText));
    return BigInt(offset < 0 ? 0 : Array.from(toSqlText(text).slice(0, offset)).length + 1);
  }),
  concat: concatFunction,
  replicate: createStrictFunction(2, ([text, count]) => toSqlText(text).repeat(toCount(count))),
  reverse: createStrictFunction(1, ([text]) => Array.from(toSqlText(text)).reverse().join('')),
  strparts: createStrictFunction(
    3,
    ([text, separator, index]) => toSqlText(text).split(toSqlText(separator))[toCount(index) - 1] ?? null,
  ),
  tostring: toTextFunction,
  toint: toIntegerFunction,
  tobigint: toIntegerFunction,
  todouble: toDoubleFunction,
  tofloat: toDoubleFunction,
  isnullorempty: {
    arity: [1, 1],
    strict: false,
    apply: ([value]) => (value === null || value === '' ? 1 : 0),
  },
  ifint: createConditionalFunction((value) => toSqlInteger(truncateToInteger(value))),
  ifstring: createConditionalFunction(toSqlText),
  ifdouble: createConditionalFunction(toSqlNumber),
};
