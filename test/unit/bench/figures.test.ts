import { describe, expect, test } from 'vitest';
import {
  type Figure,
  createExactFigure,
  createFigure,
  describeFigure,
  formatEstimate,
  formatMs,
} from '../../bench/harness/figures.ts';
import type { Comparison } from '../../bench/harness/comparison.ts';
import { updateTable } from '../../bench/harness/performanceTable.ts';
import { mergeResults } from '../../bench/harness/resultFile.ts';

const comparison: Comparison = { name: 'pull', what: 'A pull', baseline: 'bare requests', limit: 3 };
const repeat = (ms: number): readonly number[] => Array.from({ length: 10 }, () => ms);
const createPullFigure = (subjectMs: number, wasQuiet = true): Figure =>
  createFigure('commandLine.pull', comparison, {
    times: [{ subject: repeat(subjectMs), base: repeat(1000) }],
    wasQuiet,
  });
const exactFigure = createExactFigure(
  'builds.requests',
  { ...comparison, what: 'Requests', baseline: 'one' },
  0.95,
);

test('numbers have as many digits as a change of 10 % needs', () => {
  expect([0.0234, 0.95, 1.234, 12.34, 123.4, 1234.5].map((value) => formatMs(value))).toEqual([
    '0.023 ms',
    '0.95 ms',
    '1.23 ms',
    '12 ms',
    '123 ms',
    '1.23 s',
  ]);
  expect(formatEstimate({ median: 2, low: 1.951, high: 2.049, count: 10 })).toBe('2 (1.95 to 2.05)');
});

describe('the description of a figure', () => {
  test('has the ratio, the times, and the limit', () => {
    expect(describeFigure(createPullFigure(2500))).toBe(
      [
        'commandLine.pull: 2.5 × bare requests',
        '  A pull: 2.5 s, base 1 s, 10 pairs',
        '  Limit 3: met.',
      ].join('\n'),
    );
  });

  test('says that a limit was missed, and that the machine was not quiet', () => {
    expect(describeFigure(createPullFigure(4000, false)).split('\n').slice(2)).toEqual([
      '  Limit 3: MISSED.',
      '  The machine was not quiet.',
    ]);
  });

  test('says if the interval is too wide to show a change of 10 %', () => {
    const figure = createFigure('commandLine.pull', comparison, {
      times: [{ subject: [2, 2, 2, 2, 2, 2, 2, 2, 4, 4], base: repeat(1) }],
      wasQuiet: true,
    });
    expect(describeFigure(figure).split('\n').slice(2)).toEqual([
      '  Limit 3: unclear, the interval contains it.',
      '  Cannot show a change of 10 %.',
    ]);
  });

  test('of two versions has the ratio of the other version to the base, and of the new version to the old one', () => {
    const figure = createFigure('commandLine.pull', comparison, {
      times: [
        { subject: repeat(2000), base: repeat(1000) },
        { subject: repeat(4000), base: repeat(1000) },
      ],
      wasQuiet: true,
    });
    expect(describeFigure(figure).split('\n').at(-1)).toBe('  Other version: 4, 4 s. New/old: 0.5, faster.');
  });

  test('of an exact value has no times', () => {
    expect(describeFigure(exactFigure)).toBe('builds.requests: 0.95 × one\n  Requests\n  Limit 3: met.');
  });
});

describe('the table of a page', () => {
  const page = [
    '# Performance',
    '',
    '| What | Compared with | Ratio | Limit | Time |',
    '|---|---|---|---|---|',
    '| A pull | bare requests | 9 | 3 | 9 s |',
    '| Gone | nothing | 1 |  | 1 s |',
    '',
    'The end.',
  ].join('\n');
  const getRows = (text: string): readonly string[] => text.split('\n').slice(4, -2);

  test('is replaced by the figures of a complete run', () => {
    const updated = updateTable(page, [createPullFigure(2500), exactFigure], { keepsOthers: false });
    expect(getRows(updated)).toEqual([
      '| A pull | bare requests | 2.5 | 3 | 2.5 s |',
      '| Requests | one | 0.95 | 3 |  |',
    ]);
    expect(updated.split('\n').at(-1)).toBe('The end.');
  });

  test('keeps its other rows after a run of some comparisons', () => {
    const updated = updateTable(page, [createPullFigure(2500), exactFigure], { keepsOthers: true });
    expect(getRows(updated)).toEqual([
      '| A pull | bare requests | 2.5 | 3 | 2.5 s |',
      '| Gone | nothing | 1 |  | 1 s |',
      '| Requests | one | 0.95 | 3 |  |',
    ]);
  });

  test('marks what was missed, too uncertain, or measured on a busy machine', () => {
    const figure = createFigure('commandLine.pull', comparison, {
      times: [{ subject: [4, 4, 4, 4, 4, 4, 4, 4, 9, 9], base: repeat(1) }],
      wasQuiet: false,
    });
    expect(getRows(updateTable(page, [figure], { keepsOthers: false }))).toEqual([
      '| A pull | bare requests | 4 (4 to 9)*† | 3, missed | 4 ms |',
    ]);
  });

  test('must exist', () => {
    expect(() => updateTable('# Performance', [], { keepsOthers: false })).toThrow('no table');
  });
});

test('a run of some comparisons replaces only their figures in the stored ones', () => {
  const stored = { isComplete: true, figures: [createPullFigure(9000), exactFigure] };
  const run = { isComplete: false, figures: [createPullFigure(2500)] };
  expect(mergeResults(stored, run)).toEqual({
    isComplete: true,
    figures: [createPullFigure(2500), exactFigure],
  });
  expect(mergeResults(undefined, run)).toBe(run);
  expect(mergeResults(run, stored)).toBe(stored);
});
