import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import {
  findWritesReplacedLater,
  hadNoEffect,
  wasReplacedLater,
} from '../../../../src/changes/journal/laterChanges.ts';
import { canResume } from '../../../../src/changes/journal/stoppedOperation.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { createTableRef, createTableUpdate } from '../run/support.ts';
import { createDone, createEntry } from './createEntry.ts';

const [first, second] = [createTableUpdate('Orders', { name: 'A' }), createTableUpdate('Stores', {})];
const createStopped = (state: Parameters<typeof createDone>[0], before: JsonObject = { name: 'O' }) =>
  createEntry(
    [
      [first, createDone(state)],
      [second, { state: 'waiting' }],
    ],
    {
      id: 'stopped',
      end: 'stopped',
      operation: { cause: 'apply' },
      before: [{ ref: createTableRef('Orders'), document: before }],
    },
  );
const createLater = (...writes: readonly Write[]): HistoryEntry =>
  createEntry(
    writes.map((each) => [each, createDone()]),
    {
      id: 'later',
      startedAt: 2,
      end: 'done',
      before: [{ ref: createTableRef('Orders'), document: { name: 'O' } }],
    },
  );

describe('a change that has written nothing', () => {
  test.each<readonly [string, readonly Write[], boolean]>([
    ['the same', [first, second], true],
    ['only what is in doubt', [first], true],
    ['another value', [createTableUpdate('Orders', { name: 'B' })], true],
    ['something else', [second], false],
  ])('is over if a later one has written what is in doubt: %s', (_what, writes, expected) => {
    const entry = createStopped({ state: 'failed' });
    const entries = [createLater(...writes), entry];
    expect(wasReplacedLater(entry, entries)).toBe(expected);
    expect(hadNoEffect(entry, entries)).toBe(expected);
  });

  test('is not over if the later one has stopped before that write', () => {
    const entry = createStopped({ state: 'failed' });
    const later = {
      ...createLater(first),
      end: 'stopped' as const,
      writeStates: [createDone({ state: 'failed' })],
    };
    expect(wasReplacedLater(entry, [later, entry])).toBe(false);
  });

  test('is not over if the later one was undone', () => {
    const entry = createStopped({ state: 'failed' });
    const later = createLater(first);
    const undo: HistoryEntry = { ...later, id: 'undo', undoneEntryId: 'later', startedAt: 3 };
    expect(wasReplacedLater(entry, [undo, later, entry])).toBe(false);
  });

  test('is not over if the item was not as before when the later one began', () => {
    const entry = createStopped({ state: 'failed' }, { name: 'Before' });
    expect(wasReplacedLater(entry, [createLater(first), entry])).toBe(false);
  });

  test('is not over if it may have written something', () => {
    const entry = createStopped({ state: 'unknown' });
    const entries = [createLater(first), entry];
    expect(wasReplacedLater(entry, entries)).toBe(false);
    expect([...findWritesReplacedLater(entry, entries)]).toEqual([0]);
  });

  test('was never interrupted if the server has refused it', () => {
    const entry = createStopped({ state: 'failed', refused: true });
    expect(canResume(entry)).toBe(false);
    expect(hadNoEffect(entry, [entry])).toBe(true);
    expect(canResume(createStopped({ state: 'failed' }))).toBe(true);
  });

  test('is over if a later one has created the item', () => {
    const creation: Write = {
      endpoint: 'tables.create',
      params: { datamodelId: 'd' },
      body: { name: 'New' },
    };
    const entry = createEntry([[creation, createDone({ state: 'failed' })]], {
      id: 'stopped',
      end: 'stopped',
    });
    const withColumns = { ...creation, body: { name: 'New', columns: [] } };
    expect(wasReplacedLater(entry, [createLater(withColumns), entry])).toBe(true);
    const other = { ...creation, body: { name: 'Other' } };
    expect(wasReplacedLater(entry, [createLater(other), entry])).toBe(false);
  });

  test('is over if a later one has changed rules on the same column', () => {
    const createRules = (column: string, member: string): readonly Write[] =>
      createRuleWrites(
        { kind: 'extract', server: 'LocalHost', elasticube: 'Shop' },
        { adds: [{ table: 'Orders', column, members: [member] }], deletes: [] },
      );
    const entry = createEntry(
      createRules('Channel', 'Web').map((write) => [write, createDone({ state: 'failed' })]),
      { id: 'stopped', end: 'stopped' },
    );
    expect(wasReplacedLater(entry, [createLater(...createRules('Channel', 'Mail')), entry])).toBe(true);
    expect(wasReplacedLater(entry, [createLater(...createRules('Status', 'Open')), entry])).toBe(false);
  });
});
