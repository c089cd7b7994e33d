import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { readInterruptedChanges } from '../../../../src/changes/journal/interruptedChanges.ts';
import {
  InterruptedChangeError,
  requireFinishedChanges,
} from '../../../../src/changes/journal/requireFinished.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { createTableUpdate } from '../run/support.ts';
import { createDone, createEntry } from './createEntry.ts';

const write = createTableUpdate('Orders', {});
const [done, failed] = [createDone(), createDone({ state: 'failed' })];
const project = { folder: '/project', environment: 'test' };
const apply = { cause: 'apply', project } as const;

/** Creates a history in which no process works on the unfinished entries. */
const createHistory = (entries: readonly HistoryEntry[]) => ({
  readEntries: async () => entries,
  readEntriesOfAllTenants: async () => entries,
  readUnfinishedEntries: async () => entries.filter(({ end }) => end === undefined),
  readRunningEntries: async () => [],
  getProcessState: () => 'ended' as const,
});
const readIds = async (...entries: readonly HistoryEntry[]): Promise<readonly string[]> =>
  (await readInterruptedChanges(createHistory(entries), 'c')).map(({ id }) => id);

const stopped = createEntry(
  [
    [write, done],
    [write, failed],
  ],
  { id: 'stopped', end: 'stopped', operation: apply },
);
const completed = createEntry([[write, done]], {
  id: 'completed',
  startedAt: 2,
  end: 'done',
  operation: apply,
});

describe('an apply that stopped after it wrote something', () => {
  test('is interrupted, and has to be ended before other changes', async () => {
    expect(await readIds(stopped)).toEqual(['stopped']);
    const error = await requireFinishedChanges(createHistory([stopped]), 'c').catch((e: unknown) => e);
    expect(error).toMatchObject({ name: InterruptedChangeError.name, entry: { id: 'stopped' } });
  });

  test.each<readonly [string, readonly HistoryEntry[]]>([
    ['it was abandoned', [{ ...stopped, isAbandoned: true }]],
    ['it was undone', [{ ...completed, undoneEntryId: 'stopped' }, stopped]],
    ['a later apply of the same project has completed', [completed, stopped]],
  ])('is not interrupted anymore if %s', async (_reason, entries) => {
    expect(await readIds(...entries)).toEqual([]);
    await requireFinishedChanges(createHistory(entries), 'c');
  });

  test('is completed by a later apply only if that has made the missing write', async () => {
    const otherWrite = createTableUpdate('Stores', {});
    const partlyDone = createEntry(
      [
        [write, done],
        [otherWrite, failed],
      ],
      { id: 'stopped', end: 'stopped', operation: apply },
    );
    const createLater = (laterWrite: Write) =>
      createEntry([[laterWrite, done]], { id: 'later', startedAt: 2, end: 'done', operation: apply });
    expect(await readIds(createLater(write), partlyDone)).toEqual(['stopped']);
    expect(await readIds(createLater(otherWrite), partlyDone)).toEqual([]);
  });

  test.each<readonly [string, Partial<HistoryEntry['operation']>]>([
    ['to another environment', { project: { ...project, environment: 'prod' } }],
    ['of another project', { project: { ...project, folder: '/other' } }],
  ])('is still interrupted after an apply %s', async (_which, operation) => {
    const other = { ...completed, operation: { ...completed.operation, ...operation } };
    expect(await readIds(other, stopped)).toEqual(['stopped']);
  });
});

test('an apply that stopped is interrupted again if the later one that has completed it was undone', async () => {
  const undo: HistoryEntry = {
    ...completed,
    id: 'undo',
    undoneEntryId: 'completed',
    startedAt: 3,
    operation: { ...completed.operation, cause: 'undo' },
  };
  expect(await readIds(undo, completed, stopped)).toEqual(['stopped']);
});

describe('an import of rules that stopped', () => {
  const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Shop' } as const;
  const rules = ['a', 'b', 'c', 'd'].map((member) => ({
    table: 'Orders',
    column: 'Code',
    members: [member],
  }));
  const createImport = (
    ruleNumbers: readonly number[],
    state: Parameters<typeof createDone>[0],
    fields: Parameters<typeof createEntry>[1] = {},
  ) =>
    createEntry(
      createRuleWrites(subject, {
        adds: ruleNumbers.flatMap((number) => rules[number] ?? []),
        deletes: [],
      }).map((ruleWrite) => [ruleWrite, createDone(state)]),
      { end: 'done', ...fields, operation: { cause: 'bulk' } },
    );
  const stoppedImport = createImport(
    [0, 1, 2],
    { state: 'failed', partly: true },
    { id: 'import', end: 'stopped' },
  );

  test.each<readonly [string, readonly number[]]>([
    ['all of its rules', [0, 1, 2]],
    ['the rest of its rules', [1, 2]],
    // The later import may be of a corrected file, and an undo of the stopped one would destroy it.
    ['other rules', [3]],
  ])('is not interrupted after a later import into the same datamodel: %s', async (_which, ruleNumbers) => {
    expect(await readIds(stoppedImport)).toEqual(['import']);
    const later = createImport(ruleNumbers, {}, { id: 'later', startedAt: 2 });
    expect(await readIds(later, stoppedImport)).toEqual([]);
  });

  test('is interrupted again if the later import was undone, until that undo is undone', async () => {
    const later = createImport([0, 1, 2], {}, { id: 'later', startedAt: 2 });
    const createUndo = (id: string, undoes: string, startedAt: number): HistoryEntry => ({
      ...later,
      id,
      undoneEntryId: undoes,
      startedAt,
      operation: { ...later.operation, cause: 'undo' },
    });
    const [undo, redo] = [createUndo('undo', 'later', 3), createUndo('redo', 'undo', 4)];
    expect(await readIds(undo, later, stoppedImport)).toEqual(['import']);
    expect(await readIds(redo, undo, later, stoppedImport)).toEqual([]);
  });

  const rulesRef = { kind: 'rules', subject } as const;
  const createColumnRule = (column: string, member: string) => ({
    _id: `${column}-${member}`,
    table: 'Orders',
    column,
    members: [member],
    shares: [{ type: 'group', party: 'g' }],
  });
  /** Creates an import that replaces the rules of columns, from the rules before to the member `new`. */
  const createColumnImport = (
    columns: readonly string[],
    before: readonly ReturnType<typeof createColumnRule>[],
    fields: Parameters<typeof createEntry>[1],
  ) =>
    createEntry(
      createRuleWrites(subject, {
        adds: columns.map((column) => createColumnRule(column, 'new')).map(({ _id, ...rule }) => rule),
        deletes: before
          .map((rule, index) => ({ rule, index }))
          .filter(({ rule }) => columns.includes(rule.column)),
      }).map((ruleWrite) => [
        ruleWrite,
        createDone(fields?.end === 'stopped' ? { state: 'failed', partly: true } : {}),
      ]),
      { before: [{ ref: rulesRef, document: before }], ...fields, operation: { cause: 'bulk' } },
    );
  const [oldCode, newCode] = [createColumnRule('Code', 'old'), createColumnRule('Code', 'new')];
  const [oldType, newType] = [createColumnRule('Type', 'old'), createColumnRule('Type', 'new')];
  const request = { writeIndex: 0, method: 'PUT', path: '', addedDenials: [], removedDenials: [] };
  const answered = { ...request, result: { state: 'done', ms: 0 } } as const;

  test.each<
    readonly [
      string,
      columns: readonly string[],
      before: Parameters<typeof createColumnImport>[1],
      requests: NonNullable<HistoryEntry['requests']>,
      expected: readonly string[],
    ]
  >([
    ['an import of both columns', ['Code', 'Type'], [newCode, oldType], [answered], []],
    ['an import of the unchanged column', ['Type'], [newCode, oldType], [answered], []],
    [
      'an import of the unchanged column, while a request for this column might still take effect',
      ['Type'],
      [newCode, oldType],
      [answered, request],
      [],
    ],
    ['an import of the changed column', ['Code'], [newCode, oldType], [answered], []],
    [
      'an import of the changed column, while a request for the other one might still take effect',
      ['Code'],
      [newCode, oldType],
      [answered, request],
      ['import'],
    ],
    [
      'an import of one of two columns that may both be changed in part',
      ['Type'],
      [],
      [answered],
      ['import'],
    ],
    ['an import of a third column', ['Name'], [newCode, oldType], [answered], ['import']],
    [
      'an import of a third column, when both columns were changed',
      ['Name'],
      [newCode, newType],
      [answered],
      [],
    ],
  ])(
    'is replaced by a later import unless a column stays changed in part: %s',
    async (_which, columns, before, requests, expected) => {
      const stoppedFields = { id: 'import', end: 'stopped', requests } as const;
      const stoppedColumns = createColumnImport(['Code', 'Type'], [oldCode, oldType], stoppedFields);
      const later = createColumnImport(columns, before, { id: 'later', startedAt: 2, end: 'done' });
      expect(await readIds(later, stoppedColumns)).toEqual(expected);
    },
  );

  test('is interrupted if its undo has stopped, whatever was imported since', async () => {
    const later = createImport([0, 1, 2], {}, { id: 'later', startedAt: 3 });
    const undo = { ...stoppedImport, id: 'undo', undoneEntryId: 'import', startedAt: 2 };
    expect(await readIds(later, undo, stoppedImport)).toEqual(['import']);
  });
});

test('an apply that stopped is still interrupted after an apply of other items', async () => {
  const other = createEntry([[createTableUpdate('Stores', {}), done]], {
    id: 'other',
    startedAt: 2,
    end: 'done',
    operation: apply,
  });
  expect(await readIds(other, stopped)).toEqual(['stopped']);
});

test('the undo of a finished apply that stopped is interrupted, too', async () => {
  const undo = {
    ...stopped,
    id: 'undo',
    undoneEntryId: 'completed',
    operation: { ...stopped.operation, cause: 'undo' as const },
  };
  expect(await readIds(undo, completed)).toEqual(['undo']);
  expect(await readIds(undo, { ...stopped, id: 'completed' })).toEqual(['completed']);
});

describe.each([done, createDone({ state: 'unknown' })])('an apply of one write in the state %j', (state) => {
  const { end: _end, ...withoutEnd } = createEntry([[write, state]], { id: 'apply', operation: apply });
  const stoppedApply: HistoryEntry = { ...withoutEnd, end: 'stopped' };
  const undo: HistoryEntry = {
    ...stopped,
    id: 'undo',
    undoneEntryId: 'apply',
    operation: { ...stopped.operation, cause: 'undo' },
  };
  const { end: _undoEnd, ...killed } = undo;

  test.each([
    ['stopped', undo],
    ['was killed', killed],
  ])('is interrupted if its undo %s', async (_how, entry) => {
    expect(await readIds(entry, stoppedApply)).toEqual(['apply']);
  });

  test('is not interrupted if its undo is done', async () => {
    expect(await readIds({ ...undo, end: 'done' }, stoppedApply)).toEqual([]);
    expect(await readIds({ ...undo, end: 'done' }, { ...stoppedApply, end: 'rolled-back' })).toEqual([]);
  });

  test('is not interrupted if it and its undo were abandoned', async () => {
    expect(await readIds({ ...undo, isAbandoned: true }, { ...stoppedApply, isAbandoned: true })).toEqual([]);
  });
});

test('a save that stopped is not interrupted, because the user can save again', async () => {
  expect(await readIds({ ...stopped, operation: { ...stopped.operation, cause: 'save' } })).toEqual([]);
});

test.each<readonly [string, HistoryEntry['end'] | undefined]>([
  ['stopped', 'stopped'],
  ['was killed', undefined],
])('a change that %s before it wrote anything is not interrupted', async (_how, end) => {
  const { end: _end, ...entry } = stopped;
  const stoppedChange = { ...entry, ...(end === undefined ? {} : { end }) };
  expect(await readIds({ ...stoppedChange, writeStates: [failed, { state: 'waiting' }] })).toEqual([]);
  expect(
    await readIds({ ...stoppedChange, writeStates: [{ state: 'sending' }, { state: 'waiting' }] }),
  ).toEqual(['stopped']);
  expect(
    await readIds({ ...stoppedChange, writeStates: [createDone({ state: 'failed', partly: true }), failed] }),
  ).toEqual(['stopped']);
});
