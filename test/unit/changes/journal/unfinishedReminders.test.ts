import { expect, test } from 'vitest';
import type { HistoryEntry, WriteState } from '../../../../src/changes/journal/entry.ts';
import { selectUnfinishedReminders } from '../../../../src/changes/journal/unfinishedReminders.ts';
import { createRuleCreationWrite } from '../../../../src/changes/rules/ruleWrites.ts';
import { createTableUpdate } from '../run/support.ts';
import { createDone, createEntry } from './createEntry.ts';

const table = createTableUpdate('Orders', {});
const rules = createRuleCreationWrite({ kind: 'live', title: 'Desk' }, []);
const waiting: WriteState = { state: 'waiting' };

const createStopped = (id: string, fields: Partial<Omit<HistoryEntry, 'operation'>> = {}): HistoryEntry =>
  createEntry(
    [
      [rules, createDone()],
      [table, waiting],
    ],
    { id, end: 'stopped', ...fields },
  );

const select = (entries: readonly HistoryEntry[], ...interruptedIds: readonly string[]): readonly string[] =>
  selectUnfinishedReminders(entries, new Set(interruptedIds)).map(({ id }) => id);

test('the editor reminds of interrupted changes, and of stopped changes of rules', () => {
  const interrupted = createEntry([[table, waiting]], { id: 'interrupted' });
  const running = createEntry([[table, waiting]], { id: 'running' });
  const done = createEntry([[rules, createDone()]], { id: 'done', end: 'done' });
  const stopped = createStopped('stopped');
  expect(select([interrupted, running, done, stopped], 'interrupted')).toEqual(['interrupted', 'stopped']);
});

test('the editor does not remind of changes of the command line', () => {
  const fields = { source: 'command-line' } as const;
  expect(select([createStopped('a', fields), createStopped('b', fields)], 'b')).toEqual([]);
});

test('an undo that is unfinished, too, is finished together with its change', () => {
  const undo = createStopped('undo', { undoneEntryId: 'change' });
  expect(select([createStopped('change'), undo], 'change', 'undo')).toEqual(['change']);
  expect(select([undo], 'undo')).toEqual(['undo']);
});

test('the editor does not remind of a stopped change that was undone', () => {
  const undo = createEntry([[rules, createDone()]], { id: 'undo', end: 'done', undoneEntryId: 'change' });
  expect(select([createStopped('change'), undo])).toEqual([]);
});
