import { expect, test } from 'vitest';
import type { HistoryEntry, WriteState } from '../../../../src/changes/journal/entry.ts';
import { canResume, getRecovery, leavesDenyRules } from '../../../../src/changes/journal/interrupted.ts';
import { createLiveRuleReplacement, createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { countryRule, operation } from '../run/support.ts';

const subject = { kind: 'live', title: 'Support Desk' } as const;

/** An entry whose writes got as far as the letters say: done, failed, unknown, waiting; failed ones may deny. */
function stopped(writes: readonly Write[], letters: string, denied?: 'open' | 'only'): HistoryEntry {
  const names = { d: 'done', f: 'failed', u: 'unknown', w: 'waiting' } as const;
  const states = Array.from(letters, (letter): WriteState => {
    const state = names[letter as keyof typeof names];
    const isOpen = state === 'failed' || state === 'unknown';
    return state === 'waiting'
      ? { state }
      : { state, path: '/', ms: 0, ...(isOpen && denied !== undefined ? { denied } : {}) };
  });
  return {
    id: 'e',
    startedAt: 0,
    operation: operation(writes),
    before: [],
    writes: states,
    denySpots: [],
    createdRuleIds: [],
    end: 'stopped',
    after: [],
    moved: [],
    pid: 1,
  };
}

const replacement = createLiveRuleReplacement(subject, countryRule('A'), countryRule('B'));

test.each([
  // Refused before anything was denied, or with no denial left.
  ['ff', undefined, false, 'take-back'],
  ['df', undefined, false, 'take-back'],
  // Denials hide values until the rest is done or undone.
  ['ff', 'open', true, 'take-back'],
  ['df', 'open', true, 'take-back'],
  ['uu', 'open', true, 'take-back'],
  // Only the temporary deny rules are left.
  ['df', 'only', true, 'finish'],
  ['dd', undefined, false, 'finish'],
] as const)('a live rule whose replacement reached %s, denied: %s', (letters, denied, hides, how) => {
  const entry = stopped(replacement, letters, denied);
  expect(leavesDenyRules(entry)).toBe(hides);
  expect(getRecovery(entry)).toBe(how);
  expect(canResume(entry)).toBe(letters !== 'dd');
});

test('a change of many rules continues where it stopped, whatever it left denied', () => {
  const deletes = [{ index: 0, rule: countryRule('A') }];
  const writes = createRuleWrites(subject, { adds: [countryRule('B')], deletes });
  expect(writes.map(({ endpoint }) => endpoint)).toEqual(['liveRules.create', 'liveRules.delete']);
  expect(canResume(stopped(writes.slice(0, 1), 'f'))).toBe(true);
  expect(leavesDenyRules(stopped(writes, 'ff'))).toBe(false);
  expect(leavesDenyRules(stopped(writes, 'fw', 'open'))).toBe(true);
});

test('several writes continue where they stopped, and a refused one does not, unless it left something denied', () => {
  const [, write] = replacement;
  const writes = write === undefined ? [] : [write, write];
  expect(canResume(stopped(writes, 'df'))).toBe(true);
  expect(canResume(stopped(writes, 'dd'))).toBe(false);
  expect(canResume(stopped(writes.slice(1), 'f'))).toBe(false);
  expect(canResume(stopped(writes.slice(1), 'f', 'open'))).toBe(true);
  // Writes that accompany a document are always finished.
  const table: Write = { endpoint: 'tables.update', params: { datamodelId: 'd', tableId: 't' }, body: {} };
  expect(getRecovery(stopped([table, ...replacement], 'dff', 'open'))).toBe('finish');
});
