import { expect, test } from 'vitest';
import type { HistoryEntry, WriteState } from '../../../../src/changes/journal/entry.ts';
import { canResume, getRecovery, leavesDenyRules } from '../../../../src/changes/journal/stoppedOperation.ts';
import {
  createLiveRuleReplacementWrites,
  createRuleWrites,
} from '../../../../src/changes/rules/ruleWrites.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createCountryRule, createOperation } from '../run/support.ts';

const subject = { kind: 'live', title: 'Support Desk' } as const;

/**
 * Creates a stopped entry. Each letter is the state of a write: d done, f failed, u unknown, w waiting.
 * @param denied the state of the temporary deny rules of failed and unknown writes
 */
function createStoppedEntry(
  writes: readonly Write[],
  letters: string,
  denied?: 'open' | 'only',
): HistoryEntry {
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
    operation: createOperation(writes),
    before: [],
    writeStates: states,
    denyScopes: [],
    createdRuleIds: [],
    end: 'stopped',
    versionsAfter: [],
    changedIds: [],
    pid: 1,
  };
}

const replacement = createLiveRuleReplacementWrites(subject, createCountryRule('A'), createCountryRule('B'));

test.each([
  // No temporary deny rule is in force.
  ['ff', undefined, false, 'roll-back'],
  ['df', undefined, false, 'roll-back'],
  // Temporary deny rules hide values until the rest is done or undone.
  ['ff', 'open', true, 'roll-back'],
  ['df', 'open', true, 'roll-back'],
  ['uu', 'open', true, 'roll-back'],
  // Only the temporary deny rules are left.
  ['df', 'only', true, 'finish'],
  ['dd', undefined, false, 'finish'],
] as const)(
  'a stopped replacement of a live rule in the states %s (deny rules: %s) leaves deny rules: %s; recovery: %s',
  (letters, denied, expectsDenyRules, recovery) => {
    const entry = createStoppedEntry(replacement, letters, denied);
    expect(leavesDenyRules(entry)).toBe(expectsDenyRules);
    expect(getRecovery(entry)).toBe(recovery);
    expect(canResume(entry)).toBe(true);
  },
);

test('a stopped change of many rules can be resumed, whether or not it left temporary deny rules', () => {
  const deletes = [{ index: 0, rule: createCountryRule('A') }];
  const writes = createRuleWrites(subject, { adds: [createCountryRule('B')], deletes });
  expect(writes.map(({ endpoint }) => endpoint)).toEqual(['liveRules.create', 'liveRules.delete']);
  expect(canResume(createStoppedEntry(writes.slice(0, 1), 'f'))).toBe(true);
  expect(leavesDenyRules(createStoppedEntry(writes, 'ff'))).toBe(false);
  expect(leavesDenyRules(createStoppedEntry(writes, 'fw', 'open'))).toBe(true);
});

test('several stopped writes can be resumed; a single refused one cannot, unless it left temporary deny rules', () => {
  const [, write] = replacement;
  const writes = write === undefined ? [] : [write, write];
  expect(canResume(createStoppedEntry(writes, 'df'))).toBe(true);
  expect(canResume(createStoppedEntry(writes, 'dd'))).toBe(true);
  expect(canResume(createStoppedEntry(writes.slice(1), 'f'))).toBe(false);
  expect(canResume(createStoppedEntry(writes.slice(1), 'f', 'open'))).toBe(true);
  // Rule changes that accompany the save of a document are always finished.
  const tableWrite: Write = {
    endpoint: 'tables.update',
    params: { datamodelId: 'd', tableId: 't' },
    body: {},
  };
  expect(getRecovery(createStoppedEntry([tableWrite, ...replacement], 'dff', 'open'))).toBe('finish');
});
