import { expect, test } from 'vitest';
import type { HistoryEntry, WriteState } from '../../../src/history/entry.ts';
import { canGoOn, endingOf, leavesGuard } from '../../../src/history/unfinished.ts';
import { guardedRuleWrites } from '../../../src/writes/guardedRuleWrites.ts';
import { replaceLiveRule } from '../../../src/writes/liveRuleReplacement.ts';
import type { Write } from '../../../src/writes/operation.ts';
import { countryRule, operation } from '../writes/support.ts';

const subject = { kind: 'live', title: 'Support Desk' } as const;

/** An entry whose writes came as far as the letters say: done, failed, unknown, waiting. */
function stopped(writes: readonly Write[], letters: string): HistoryEntry {
  const names = { d: 'done', f: 'failed', u: 'unknown', w: 'waiting' } as const;
  const states = Array.from(letters, (letter): WriteState => {
    const state = names[letter as keyof typeof names];
    return state === 'waiting' ? { state } : { state, path: '/', ms: 0 };
  });
  return {
    id: 'e',
    at: 0,
    operation: operation(writes),
    before: [],
    writes: states,
    end: 'stopped',
    after: [],
    moved: [],
    pid: 1,
  };
}

test.each([
  // The guard was refused: there is none.
  ['fwww', false, 'finish'],
  ['uwww', true, 'take-back'],
  ['dfww', true, 'take-back'],
  ['ddfw', true, 'take-back'],
  ['dddf', true, 'finish'],
  ['dddd', false, 'finish'],
] as const)('a live rule whose replacement came to %s', (letters, hides, how) => {
  const entry = stopped(replaceLiveRule(subject, countryRule('A'), countryRule('B')), letters);
  expect(leavesGuard(entry)).toBe(hides);
  expect(endingOf(entry)).toBe(how);
  expect(canGoOn(entry)).toBe(letters !== 'dddd');
});

test('a change of many rules leaves its guard from the first that may stand to the last that goes', () => {
  const deletes = [{ index: 0, rule: countryRule('A') }];
  const writes = guardedRuleWrites(subject, { adds: [countryRule('B')], deletes });
  expect(writes.map(({ step = '' }) => step)).toEqual(['guard', '', '', 'guard']);
  const hides = ['wwww', 'fwww', 'dfww', 'ddfw', 'dddf', 'dddd'].map((letters) =>
    leavesGuard(stopped(writes, letters)),
  );
  // Many requests of which one was refused may have made some.
  expect(hides).toEqual([false, true, true, true, true, false]);
});

test('several writes go on where they stopped, and one that was refused does not', () => {
  const [, write] = replaceLiveRule(subject, countryRule('A'), countryRule('B'));
  const writes = write === undefined ? [] : [write, write];
  expect(canGoOn(stopped(writes, 'df'))).toBe(true);
  expect(canGoOn(stopped(writes, 'dd'))).toBe(false);
  expect(canGoOn(stopped(writes.slice(1), 'f'))).toBe(false);
  // What goes along with a document is finished, whatever it is.
  const table: Write = { endpoint: 'tables.update', params: { datamodelId: 'd', tableId: 't' }, body: {} };
  const along = replaceLiveRule(subject, countryRule('A'), countryRule('B'));
  expect(endingOf(stopped([table, ...along], 'ddfww'))).toBe('finish');
});
