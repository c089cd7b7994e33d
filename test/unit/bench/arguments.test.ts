import { expect, test } from 'vitest';
import { canMatchFile, parseArguments } from '../../bench/harness/arguments.ts';

test('all benchmarks are run on this version by default', () => {
  expect(parseArguments([])).toEqual({ kind: 'run', filter: '', ref: undefined, maxWaitMs: 300_000 });
});

test('a filter, another version, and a waiting time are read', () => {
  expect(parseArguments(['sql.short', '--against', 'main~1', '--wait=0'])).toEqual({
    kind: 'run',
    filter: 'sql.short',
    ref: 'main~1',
    maxWaitMs: 0,
  });
});

test('`--write` updates docs/performance.md from the last run', () => {
  expect(parseArguments(['--write'])).toEqual({ kind: 'write' });
  expect(() => parseArguments(['--write', 'sql'])).toThrow('no filter');
  expect(() => parseArguments(['--write', '--against', 'main'])).toThrow('no --against');
});

test.each([
  ['--wait', 'soon'],
  ['a', 'b'],
  ['--agianst', 'main'],
])('%s %s is refused', (...args) => {
  expect(() => parseArguments(args)).toThrow(Error);
});

test('a filter matches the start of the name of a file or of one of its benchmarks', () => {
  expect(canMatchFile('', 'sql')).toBe(true);
  expect(canMatchFile('explorer', 'explorerPage')).toBe(true);
  expect(canMatchFile('explorer.', 'explorerPage')).toBe(false);
  expect(canMatchFile('sql.short', 'sql')).toBe(true);
  expect(canMatchFile('sqlite', 'sql')).toBe(false);
  expect(canMatchFile('sql', 'client')).toBe(false);
});
