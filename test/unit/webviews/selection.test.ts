import { expect, test } from 'vitest';
import {
  afterMove,
  chooseAll,
  chooseOne,
  chooseTo,
  emptyChoice,
  neighbour,
  toggle,
  within,
} from '../../../src/webviews/viewpointForm/selection.ts';

const shown = [0, 2, 4, 6, 8];

test('a range is chosen in the order that is shown, from where it began', () => {
  const range = chooseTo(chooseOne(6), 2, shown);
  expect([...range.chosen]).toEqual([2, 4, 6]);
  expect([...chooseTo(range, 8, shown).chosen]).toEqual([6, 8]);
});

test('single columns are added to a choice and taken out', () => {
  const two = toggle(chooseOne(2), 6);
  expect([...two.chosen]).toEqual([2, 6]);
  expect([...toggle(two, 2).chosen]).toEqual([6]);
  expect([...chooseAll(two, shown).chosen]).toEqual(shown);
});

test('the next one is the next that is shown, and the ends hold', () => {
  expect(neighbour(emptyChoice, 1, shown)).toBe(0);
  expect(neighbour(emptyChoice, -1, shown)).toBe(8);
  expect(neighbour(chooseOne(2), 1, shown)).toBe(4);
  expect(neighbour(chooseOne(2), -Infinity, shown)).toBe(0);
  expect(neighbour(chooseOne(2), Infinity, shown)).toBe(8);
  expect(neighbour(chooseOne(2), 1, [])).toBeUndefined();
});

test('what was moved stays chosen where it is now', () => {
  const moved = afterMove({ chosen: new Set([1, 3]), active: 3, anchor: 1 }, [1, 3], 0);
  expect([[...moved.chosen], moved.active]).toEqual([[0, 1], 1]);
  expect([...afterMove(chooseOne(0), [0], 3).chosen]).toEqual([2]);
});

test('places that are gone are no longer chosen', () => {
  const left = within({ chosen: new Set([1, 5]), active: 5, anchor: 5 }, 3);
  expect([[...left.chosen], left.active]).toEqual([[1], 2]);
  expect(within(chooseOne(4), 0)).toEqual(emptyChoice);
});
