import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findClosestNames } from '../../../src/base/similarNames.ts';

test('names are similar if few letters are missing, added, wrong, or swapped', () => {
  const names = ['Order Date', 'Order Id', 'Status', 'Amount'];
  expect(findClosestNames('ordr_date', names)).toEqual(['Order Date']);
  expect(findClosestNames('Odrer Date', names)).toEqual(['Order Date']);
  expect(findClosestNames('Statuss', names)).toEqual(['Status']);
  expect(findClosestNames('Customer', names)).toEqual([]);
});

test('the most similar names come first, at most three, without much less similar ones', () => {
  expect(findClosestNames('sale', ['sales b', 'sales', 'sale', 'tale', 'male'])).toEqual([
    'sale',
    'sales',
    'tale',
  ]);
  expect(findClosestNames('salary', ['salaries', 'salary'])).toEqual(['salary']);
});

/** The distance by its definition, which takes much longer. */
function getDistance(a: string, b: string): number {
  if (a === '' || b === '') {
    return a.length + b.length;
  }
  const isSwapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return Math.min(
    getDistance(a.slice(0, -1), b) + 1,
    getDistance(a, b.slice(0, -1)) + 1,
    getDistance(a.slice(0, -1), b.slice(0, -1)) + (a.at(-1) === b.at(-1) ? 0 : 1),
    isSwapped ? getDistance(a.slice(0, -2), b.slice(0, -2)) + 1 : Number.POSITIVE_INFINITY,
  );
}

test('of names with up to three letters, only the order of the letters may differ', () => {
  expect(findClosestNames('id', ['Id', 'Ids', 'Ad', 'D'])).toEqual(['Id']);
  expect(findClosestNames('Di', ['Id', 'Dim', 'Do'])).toEqual(['Id']);
  expect(findClosestNames('Qyt', ['Qty', 'Qt', 'Set', 'Max'])).toEqual(['Qty']);
  expect(findClosestNames('Tax', ['Max', 'Ta', 'A'])).toEqual([]);
  expect(findClosestNames('Yer', ['Year', 'Her'])).toEqual(['Year']);
  expect(findClosestNames('#', ['%', 'A'])).toEqual([]);
});

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
const sortLetters = (text: string): string => text.split('').toSorted().join('');

test('property: a short name is similar only to longer names and to those with the same letters', () => {
  fc.assert(
    fc.property(word, fc.uniqueArray(word, { maxLength: 8 }), (input, names) => {
      for (const name of findClosestNames(input, names)) {
        expect(input.length > 3 || name.length > 3 || sortLetters(input) === sortLetters(name)).toBe(true);
        expect(Math.min(input.length, name.length)).toBeGreaterThan(input === name ? 0 : 1);
      }
    }),
  );
});

test('property: the result follows from the distances', () => {
  fc.assert(
    fc.property(word, fc.uniqueArray(word, { maxLength: 5 }), (input, names) => {
      const limit = Math.max(1, Math.floor(input.length / 3));
      const candidates = names
        .map((name) => ({ name, distance: getDistance(input, name) }))
        .filter(({ distance }) => distance <= limit)
        .filter(({ name }) => name !== '')
        .filter(
          ({ name }) => Math.max(input.length, name.length) > 3 || sortLetters(input) === sortLetters(name),
        )
        .toSorted((a, b) => a.distance - b.distance);
      const expected = candidates
        .filter(({ distance }) => distance <= (candidates[0]?.distance ?? 0) + 1)
        .slice(0, 3)
        .map(({ name }) => name);
      expect(findClosestNames(input, names)).toEqual(expected);
    }),
  );
});
