import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { ClaimedError } from '../../../../src/changes/journal/claimedError.ts';
import {
  CommandLineJournal,
  createCommandLineHistory,
  getCommandLineConnectionId,
  getDefaultStateFolder,
  getJournalFolder,
} from '../../../../src/changes/journal/commandLineJournal.ts';
import { History } from '../../../../src/changes/journal/history.ts';
import { requireFinishedChanges } from '../../../../src/changes/journal/requireFinished.ts';
import { getLastUndoable, getUndoneIds } from '../../../../src/changes/journal/undoneEntries.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { createOperation, createTableUpdate } from '../run/support.ts';

const shop = { url: 'https://shop.example.com', tenantId: 'main' };
const actor = { user: 'ann', host: 'build-7' };
const project = { folder: '/home/ann/analytics', environment: 'prod' };
/** No process has this ID. */
const deadPid = 2_147_483_647;

let root = '';
let stateFolder = '';
let clock = new FakeClock();
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'datamodel-studio-command-line-'));
  stateFolder = join(root, 'state');
  clock = new FakeClock();
});
afterEach(() => rm(root, { recursive: true, force: true }));

const limits = { maxBytes: 1e6, maxAgeMs: 1000 };
const openCommandLine = (maxBytes = limits.maxBytes): History =>
  new History({
    folder: getJournalFolder(stateFolder),
    getLimits: () => ({ ...limits, maxBytes }),
    clock,
    log: silentLog,
    actor,
  });
/** Opens the history of an editor, all of whose connections are to the same instance. */
const openEditor = (maxBytes = limits.maxBytes): History =>
  new History({
    folder: join(root, 'editor'),
    getLimits: () => ({ ...limits, maxBytes }),
    clock,
    log: silentLog,
    commandLine: createCommandLineHistory(new CommandLineJournal(stateFolder, silentLog), (id) => ({
      ...shop,
      id,
    })),
  });

/** Records an apply of the command line, with its end if there is one. */
async function recordApply({
  instance = shop,
  end = 'done',
}: {
  instance?: typeof shop;
  end?: 'done' | 'none';
} = {}): Promise<string> {
  const operation = {
    ...createOperation(end === 'done' ? [] : [createTableUpdate('Orders', {})], 'apply', 'analytics'),
    connectionId: getCommandLineConnectionId(instance),
    project,
  };
  const entry = await openCommandLine().begin({ operation, before: [] });
  await (end === 'done' ? entry.end('done', { versionsAfter: [], changedIds: [] }) : entry.recordSending(0));
  return entry.id;
}

/** Records a change of the editor. */
async function recordChange(undoes?: string, history = openEditor()): Promise<string> {
  const operation = {
    ...createOperation([], undoes === undefined ? 'save' : 'undo'),
    connectionId: 'connection',
  };
  const entry = await history.begin({ operation, before: [], undoneEntryId: undoes });
  await entry.end('done', { versionsAfter: [], changedIds: [] });
  return entry.id;
}

const readIds = async (): Promise<readonly string[]> =>
  (await openEditor().readEntries('connection')).map(({ id }) => id);

/** Returns the folder of an instance's journals. */
async function getInstanceFolder(): Promise<string> {
  const [name = ''] = await readdir(getJournalFolder(stateFolder));
  return join(getJournalFolder(stateFolder), name);
}

describe('the history of the editor', () => {
  test('lists changes of the command line on the same instance, in the order of time', async () => {
    const first = await recordChange();
    await clock.advance(1);
    const appliedId = await recordApply();
    await clock.advance(1);
    const last = await recordChange();
    expect(await readIds()).toEqual([last, appliedId, first]);
    const entry = await openEditor().readEntry('connection', appliedId);
    expect(entry).toMatchObject({
      source: 'command-line',
      actor,
      operation: { connectionId: 'connection', cause: 'apply', project },
    });
    expect((await openEditor().readEntry('connection', first))?.source).toBeUndefined();
    expect(getLastUndoable(await openEditor().readEntries('connection'))?.id).toBe(last);
  });

  test.each([
    ['address', { ...shop, url: 'https://other.example.com' }],
    ['tenant', { ...shop, tenantId: 'other' }],
  ])('has nothing of an instance with another %s', async (_difference, instance) => {
    await recordApply({ instance });
    expect(await readIds()).toEqual([]);
  });

  test('knows that the editor has undone a change of the command line', async () => {
    const appliedId = await recordApply();
    await recordChange(appliedId);
    expect(getUndoneIds(await openEditor().readEntries('connection'))).toEqual(new Set([appliedId]));
  });

  test('shows an undo of the editor with every connection of the instance, and to the command line', async () => {
    const appliedId = await recordApply();
    await clock.advance(1);
    const undo = await recordChange(appliedId);
    await openEditor().deleteEntries('connection');
    for (const connectionId of ['connection', 'another connection']) {
      const entries = await openEditor().readEntries(connectionId);
      expect(entries.map(({ id, source, operation }) => [id, source, operation.connectionId])).toEqual([
        [undo, undefined, connectionId],
        [appliedId, 'command-line', connectionId],
      ]);
      expect(getUndoneIds(entries)).toEqual(new Set([appliedId]));
    }
    const id = getCommandLineConnectionId(shop);
    expect(getUndoneIds(await openCommandLine().readEntries(id))).toEqual(new Set([appliedId]));
    await clock.advance(1);
    await recordChange(undo);
    expect(getUndoneIds(await openEditor().readEntries('another connection'))).toEqual(new Set([undo]));
  });

  test('keeps an undo for as long as the change that it undoes, regardless of the limits of the editor', async () => {
    const appliedId = await recordApply();
    await clock.advance(1);
    const history = openEditor(1);
    await recordChange(appliedId, history);
    await clock.advance(1);
    await recordChange(undefined, history);
    await clock.advance(1);
    await recordChange(undefined, history);
    expect(getUndoneIds(await openEditor().readEntries('connection'))).toEqual(new Set([appliedId]));
    await clock.advance(1);
    const later = await openCommandLine(1).begin({
      operation: {
        ...createOperation([], 'apply', 'analytics'),
        connectionId: getCommandLineConnectionId(shop),
      },
      before: [],
    });
    await later.end('done', { versionsAfter: [], changedIds: [] });
    expect((await readIds()).includes(appliedId)).toBe(false);
  });

  test('lists an interrupted undo of the editor, which the editor or the command line can continue', async () => {
    const appliedId = await recordApply();
    await clock.advance(1);
    const { id } = await openEditor().begin({
      operation: { ...createOperation([], 'undo'), connectionId: 'connection' },
      before: [],
      undoneEntryId: appliedId,
    });
    const file = join(await getInstanceFolder(), `${id}.jsonl`);
    const journalText = await readFile(file, 'utf8');
    await writeFile(file, journalText.replace(`"pid":${process.pid}`, `"pid":${deadPid}`));
    const readUnfinished = async (history: History, connectionId: string) => {
      const [entry, ...others] = await history.readUnfinishedEntries(connectionId);
      expect(others).toEqual([]);
      expect(entry).toMatchObject({ id, undoneEntryId: appliedId });
      expect(entry?.source).toBeUndefined();
      return entry;
    };
    await readUnfinished(openCommandLine(), getCommandLineConnectionId(shop));
    const editor = openEditor();
    const entry = await readUnfinished(editor, 'another connection');
    const claimedEntry = entry && (await editor.claim(entry));
    await claimedEntry?.end('done', { versionsAfter: [], changedIds: [] });
    expect(getUndoneIds(await openEditor().readEntries('connection'))).toEqual(new Set([appliedId]));
  });

  test('knows that the command line has reserved the instance', async () => {
    await recordApply();
    const editor = openEditor();
    await editor.requireUnreserved('connection');
    const claim = { pid: process.ppid, host: hostname(), token: 'x' };
    await writeFile(join(await getInstanceFolder(), 'reserved.claim'), JSON.stringify(claim));
    await expect(editor.requireUnreserved('connection')).rejects.toBeInstanceOf(ClaimedError);
  });

  test('parses only journals that have changed', async () => {
    const appliedId = await recordApply();
    const file = join(await getInstanceFolder(), `${appliedId}.jsonl`);
    const history = openEditor();
    const readActors = async () =>
      (await history.readEntries('connection')).map((entry) => entry.actor?.user);
    const setTime = (seconds: number): Promise<void> => utimes(file, seconds, seconds);
    await setTime(1000);
    expect(await readActors()).toEqual(['ann']);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"ann"', '"bob"'));
    await setTime(1000);
    expect(await readActors()).toEqual(['ann']);
    await setTime(1001);
    expect(await readActors()).toEqual(['bob']);
    await rm(file);
    expect(await readActors()).toEqual([]);
  });

  test('has no entries that are older than the limit of the editor', async () => {
    await recordApply();
    await clock.advance(limits.maxAgeMs + 1);
    expect(await readIds()).toEqual([]);
  });

  test('lists an interrupted apply, which only the command line can continue, but no running one', async () => {
    const runningId = await recordApply({ end: 'none' });
    const file = join(await getInstanceFolder(), `${runningId}.jsonl`);
    const journalText = await readFile(file, 'utf8');
    const setPid = (pid: number) =>
      writeFile(
        file,
        journalText.replace(new RegExp(`"pid":${process.pid},"process":\\{[^}]*\\}`), `"pid":${pid}`),
      );
    await setPid(process.ppid);
    expect(await openEditor().readUnfinishedEntries('connection')).toEqual([]);
    await setPid(deadPid);
    const text = await readFile(file, 'utf8');
    const history = openEditor();
    const [unfinished, ...others] = await history.readUnfinishedEntries('connection');
    expect(others).toEqual([]);
    expect(unfinished).toMatchObject({ id: runningId, source: 'command-line' });
    await expect(requireFinishedChanges(history, 'connection')).rejects.toThrow('was interrupted');
    await expect(unfinished && history.claim(unfinished)).rejects.toThrow('another program');
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test.each([
    ['another tenant', { ...shop, tenantId: 'other' }],
    ['no tenant', { ...shop, tenantId: '' }],
  ])(
    'lists changes that were made with %s only if they were interrupted, and only as such',
    async (_which, instance) => {
      const id = await recordApply({ instance, end: 'none' });
      const file = join(await getInstanceFolder(), `${id}.jsonl`);
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replace(`"pid":${process.pid}`, `"pid":${deadPid}`));
      await clock.advance(1);
      await recordApply({ instance });
      const history = openEditor();
      expect(await history.readEntries('connection')).toEqual([]);
      expect(await history.readEntry('connection', id)).toBeUndefined();
      expect(await history.readUnfinishedEntries('connection')).toMatchObject([{ id, hasOtherTenant: true }]);
      await expect(requireFinishedChanges(history, 'connection')).rejects.toMatchObject({
        message: expect.stringContaining('was interrupted'),
        entry: { id, hasOtherTenant: true },
      });
    },
  );

  test('leaves out files that are damaged or of a later version', async () => {
    const readableId = await recordApply();
    await clock.advance(1);
    const folder = await getInstanceFolder();
    const text = await readFile(join(folder, `${readableId}.jsonl`), 'utf8');
    const createName = (digit: string): string =>
      `${digit.repeat(9)}-${readableId.split('-').slice(1).join('-')}.jsonl`;
    await writeFile(join(folder, createName('0')), text.slice(0, text.length / 3));
    const later = text.replaceAll(readableId, createName('1').replace('.jsonl', ''));
    await writeFile(
      join(folder, createName('1')),
      later.replace('"writes":[]', '"writes":[{"endpoint":"later"}]'),
    );
    await mkdir(join(folder, createName('2')));
    await writeFile(join(folder, createName('3')), 'no journal');
    expect(await readIds()).toEqual([readableId]);
    // A line that is still being written and a line of an unknown kind are ignored.
    await appendFile(join(folder, `${readableId}.jsonl`), '\n{"line":"later"}\n{"line":"resu');
    expect(await readIds()).toEqual([readableId]);
  });

  test('has its own changes even if the folder of the command line is a file', async () => {
    const ownChange = await recordChange();
    await mkdir(stateFolder);
    await writeFile(getJournalFolder(stateFolder), '');
    expect(await readIds()).toEqual([ownChange]);
  });

  test.runIf(process.platform !== 'win32')('has nothing from a folder that others can write to', async () => {
    await recordApply();
    await chmod(stateFolder, 0o777);
    expect(await readIds()).toEqual([]);
  });
});

test.each([
  ['http://127.0.0.3:8443', false, 'http://127.0.0.2:8443'],
  ['https://127.0.0.2:8443', false, 'http://127.0.0.2:8443'],
  ['http://127.0.0.2:8443', true, undefined],
])(
  'a change is the last one to undo only at its own address of this machine: %s',
  async (url, isUndoable, expectedOtherAddress) => {
    const instance = { url: 'http://127.0.0.2:8443' };
    const commandLine = new History({
      folder: getJournalFolder(stateFolder),
      getLimits: () => limits,
      clock,
      log: silentLog,
      actor,
      environment: { name: 'dev', role: 'development', address: instance.url },
    });
    const connectionId = getCommandLineConnectionId(instance);
    const entry = await commandLine.begin({
      operation: { ...createOperation([], 'apply', 'analytics'), connectionId },
      before: [],
    });
    await entry.end('done', { versionsAfter: [], changedIds: [] });
    const journal = new CommandLineJournal(stateFolder, silentLog);
    const entries = await journal.readEntries({ url }, 'connection');
    expect(entries.map(({ otherAddress }) => otherAddress)).toEqual([expectedOtherAddress]);
    expect(getLastUndoable(entries)?.id).toBe(isUndoable ? entry.id : undefined);
  },
);

describe('tenants and other names of the address of an instance', () => {
  test.each([
    ['another tenant', { ...shop, tenantId: 'other' }, shop],
    ['no tenant', { ...shop, tenantId: '' }, shop],
    ['another name of this machine', { url: 'http://localhost:80/x' }, { url: 'http://[::1]:80/x' }],
  ])('share the reservation and interrupted changes: %s', async (_difference, first, second) => {
    const [firstId, secondId] = [getCommandLineConnectionId(first), getCommandLineConnectionId(second)];
    const history = openCommandLine();
    const reservation = await history.reserve(firstId);
    await expect(history.reserve(secondId)).rejects.toBeInstanceOf(ClaimedError);
    await reservation.release();
    await recordApply({ instance: { tenantId: '', ...first }, end: 'none' });
    await expect(requireFinishedChanges(openCommandLine(), secondId)).rejects.toThrow('was interrupted');
  });

  test('a finished change with one tenant does not end an interrupted one with another', async () => {
    const history = openCommandLine();
    for (const [tenantId, end] of [
      ['a', 'stopped'],
      ['b', 'done'],
    ] as const) {
      const entry = await history.begin({
        operation: {
          ...createOperation([createTableUpdate('Orders', {}), createTableUpdate('Stores', {})], 'apply'),
          connectionId: getCommandLineConnectionId({ ...shop, tenantId }),
        },
        before: [],
      });
      await entry.recordResult(0, { state: 'done', path: '', ms: 0 });
      await entry.end(end, { versionsAfter: [], changedIds: [] });
      await clock.advance(1);
    }
    await expect(requireFinishedChanges(openCommandLine(), getCommandLineConnectionId(shop))).rejects.toThrow(
      'was interrupted',
    );
  });
});

test('the entries of the command line are not deleted with those of a connection', async () => {
  const appliedId = await recordApply();
  await openEditor().deleteEntries('connection');
  expect(await readIds()).toEqual([appliedId]);
});

test.each([
  [{ platform: 'linux', env: {}, home: '/home/ann' }, '/home/ann/.local/state/datamodel-studio'],
  [{ platform: 'linux', env: { XDG_STATE_HOME: '/state' }, home: '/home/ann' }, '/state/datamodel-studio'],
  [{ platform: 'win32', env: { LOCALAPPDATA: '/local' }, home: '/home/ann' }, '/local/datamodel-studio'],
] as const)(
  'the command line keeps its state by the conventions of the system: %j',
  (environment, folder) => {
    expect(getDefaultStateFolder(environment)).toBe(join(folder));
  },
);

test('changes of an instance are reported while they are made, even the first one', async () => {
  const other = { url: 'https://other.example.com' };
  const { watch } = createCommandLineHistory(new CommandLineJournal(stateFolder, silentLog), (id) =>
    id === 'none' ? undefined : { ...(id === 'other' ? other : shop), id },
  );
  const reported: string[] = [];
  const watchers = ['connection', 'other', 'none'].map((id) => watch(id, () => reported.push(id)));
  await recordApply({ end: 'none' });
  await expect.poll(() => reported).toContain('connection');
  watchers.forEach((watcher) => watcher.dispose());
  expect(reported).not.toContain('other');

  reported.length = 0;
  const later = watch('connection', () => reported.push('later'));
  // A reservation changes nothing on the instance.
  const claim = await openCommandLine().reserve(getCommandLineConnectionId(shop));
  await recordApply();
  await expect.poll(() => reported).toContain('later');
  later.dispose();
  await claim.release();
});
