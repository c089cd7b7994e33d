import { expect, test } from 'vitest';
import { parseServerTime } from '../../../src/contract/serverTime.ts';

test.each([
  ['2026-11-30T10:00:00.000Z', Date.UTC(2026, 10, 30, 10)],
  ['2026-11-30T10:00:00', Date.UTC(2026, 10, 30, 10)],
  ['2026-11-30T10:00:00+02:00', Date.UTC(2026, 10, 30, 8)],
  ['2026-11-30T10:00:00-0130', Date.UTC(2026, 10, 30, 11, 30)],
  ['2026-11-30', Date.UTC(2026, 10, 30)],
  ['soon', Number.NaN],
  ['', Number.NaN],
  [null, Number.NaN],
  [undefined, Number.NaN],
])('%s is converted to %d', (text, expected) => {
  expect(parseServerTime(text)).toBe(expected);
});
