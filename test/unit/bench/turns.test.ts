import { expect, test } from 'vitest';
import type { Comparison, Side } from '../../bench/harness/comparison.ts';
import { type Measurer, estimateRatio, measureInTurns } from '../../bench/harness/turns.ts';

const comparison: Comparison = { name: 'comparison', what: 'A', baseline: 'B' };

/** Creates the measurer of a version: it logs each measurement, which takes as long as `getMs` returns. */
const createMeasurer = (
  name: string,
  log: string[],
  getMs: (side: Side, pair: number) => number = (side) => (side === 'subject' ? 2 : 1),
): Measurer => ({
  measure: async (side, pair) => {
    log.push(`${name} ${side} ${pair}`);
    return getMs(side, pair);
  },
});

test('both sides are measured in turns, every second pair in reverse, after a warm-up', async () => {
  const log: string[] = [];
  const [times] = await measureInTurns([createMeasurer('new', log)], {
    ...comparison,
    minPairs: 2,
    maxPairs: 2,
  });
  expect(log).toEqual([
    'new base -1',
    'new subject -1',
    'new subject 0',
    'new base 0',
    'new base 1',
    'new subject 1',
  ]);
  expect(times).toEqual({ subject: [2, 2], base: [1, 1] });
});

test('two versions take turns, and their subjects are next to each other', async () => {
  const log: string[] = [];
  const measurers = [createMeasurer('new', log), createMeasurer('old', log, () => 4)];
  const times = await measureInTurns(measurers, { ...comparison, minPairs: 2, maxPairs: 2, warmups: 0 });
  expect(log).toEqual([
    'new subject 0',
    'old subject 0',
    'new base 0',
    'old base 0',
    'old base 1',
    'new base 1',
    'old subject 1',
    'new subject 1',
  ]);
  expect(times).toEqual([
    { subject: [2, 2], base: [1, 1] },
    { subject: [4, 4], base: [4, 4] },
  ]);
});

test('ten pairs are enough if they agree', async () => {
  const [times] = await measureInTurns([createMeasurer('new', [])], comparison);
  expect(times?.subject).toHaveLength(10);
});

test('ten pairs are measured even if the time of the comparison is used up', async () => {
  const [times] = await measureInTurns([createMeasurer('new', [], (_side, pair) => 1 + pair)], comparison, {
    budgetMs: 0,
  });
  expect(times?.subject).toHaveLength(10);
});

test('pairs that disagree are continued until the time is used up', async () => {
  let now = 0;
  const measurer = createMeasurer('new', [], (side, pair) => {
    now += 10;
    return side === 'subject' ? 1 + (pair % 10) : 1;
  });
  const [times] = await measureInTurns(
    [measurer],
    { ...comparison, warmups: 0 },
    { budgetMs: 1000, now: () => now },
  );
  expect(times?.subject).toHaveLength(50);
});

test('pairs that disagree are continued up to the most that a comparison allows', async () => {
  const measurer = createMeasurer('new', [], (side, pair) => (side === 'subject' ? 1 + (pair % 10) : 1));
  const [times] = await measureInTurns([measurer], { ...comparison, maxPairs: 15 }, { now: () => 0 });
  expect(times?.subject).toHaveLength(15);
});

test('of two versions, the ratio of one to the other must be precise, not their ratios to the base', async () => {
  // The subject varies, but in both versions by the same factor.
  const getMs = (side: Side, pair: number): number => (side === 'subject' ? 1 + (pair % 10) : 1);
  const log: string[] = [];
  const measurers = [
    createMeasurer('new', log, getMs),
    createMeasurer('old', log, (side, pair) => 2 * getMs(side, pair)),
  ];
  const [times, otherTimes] = await measureInTurns(measurers, comparison, { now: () => 0 });
  expect(times?.subject).toHaveLength(10);
  expect(estimateRatio(times?.subject ?? [], otherTimes?.subject ?? [])).toEqual({
    median: 0.5,
    low: 0.5,
    high: 0.5,
    count: 10,
  });
});

test('ratios are those of pairs, so that a machine that becomes slower changes nothing', () => {
  expect(estimateRatio([2, 4, 8, 16, 32, 64], [1, 2, 4, 8, 16, 32])).toEqual({
    median: 2,
    low: 2,
    high: 2,
    count: 6,
  });
});
