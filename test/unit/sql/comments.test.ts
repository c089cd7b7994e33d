import { expect, test } from 'vitest';
import { omitComments } from '../../../src/sql/language.ts';

test.each([
  ['SELECT a  -- all\n FROM b', 'SELECT a FROM b'],
  ['/* all */ SELECT a\n\tFROM /* b */ b /**/', 'SELECT a FROM b'],
  ['a/* x */b', 'a b'],
  ["'a  -- b' + [c  /* d */]", "'a  -- b' + [c  /* d */]"],
  ['', ''],
])('the comments and spaces of %j are left out', (text, expected) => {
  expect(omitComments(text)).toBe(expected);
});

test.each([
  ['a--1', 'no space follows the hyphens: MySQL subtracts -1'],
  ['/*! STRAIGHT_JOIN */ a', 'MySQL runs it'],
  ['/*+ MERGE(a) */ b', 'a hint'],
  ['/* /* */ a', 'PostgreSQL nests comments'],
  ["'a\\' -- b'", 'MySQL escapes the quote'],
  ['$$ -- a $$  b', 'PostgreSQL quotes with dollars'],
  ["# it's  -- a", 'a comment of MySQL'],
  ["'a  -- b", 'an unclosed text'],
  ['/* a  b', 'an unclosed comment'],
])('%j stays as it is: %s', (text) => {
  expect(omitComments(text)).toBe(text);
});
