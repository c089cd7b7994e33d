import { appendFile, chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import {
  CommandLineJournal,
  getCommandLineConnectionId,
  getDefaultStateFolder,
  getJournalFolder,
} from '../../../../src/changes/journal/commandLineJournal.ts';
import { History } from '../../../../src/changes/journal/history.ts';
import { requireFinishedChanges } from '../../../../src/changes/journal/requireFinished.ts';
import { getLastUndoable, getUndoneIds } from '../../../../src/changes/journal/undoneEntries.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { createOperation } from '../run/support.ts';

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
const openCommandLine = (): History =>
  new History({
    folder: getJournalFolder(stateFolder),
    getLimits: () => limits,
    clock,
    log: silentLog,
    actor,
  });
const openEditor = (): History => {
  const journal = new CommandLineJournal(stateFolder, silentLog);
  return new History({
    folder: join(root, 'editor'),
    getLimits: () => limits,
    clock,
    log: silentLog,
    readCommandLineEntries: (connectionId) => journal.readEntries(shop, connectionId),
  });
};

/** Records an apply of the command line, with its end if there is one. */
async function apply({
  instance = shop,
  end = 'done',
}: {
  instance?: typeof shop;
  end?: 'done' | 'none';
} = {}): Promise<string> {
  const operation = {
    ...createOperation([], 'apply', 'analytics'),
    connectionId: getCommandLineConnectionId(instance),
    project,
  };
  const entry = await openCommandLine().begin({ operation, before: [] });
  if (end === 'done') {
    await entry.end('done', { after: [], changedIds: [] });
  }
  return entry.id;
}

/** Records a change of the editor. */
async function change(undoes?: string): Promise<string> {
  const operation = {
    ...createOperation([], undoes === undefined ? 'save' : 'undo'),
    connectionId: 'connection',
  };
  const entry = await openEditor().begin({ operation, before: [], undoes });
  await entry.end('done', { after: [], changedIds: [] });
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
  test('has what the command line has changed on the same instance, in the order of time', async () => {
    const first = await change();
    await clock.advance(1);
    const applied = await apply();
    await clock.advance(1);
    const last = await change();
    expect(await readIds()).toEqual([last, applied, first]);
    const entry = await openEditor().readEntry('connection', applied);
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
    await apply({ instance });
    expect(await readIds()).toEqual([]);
  });

  test('knows that the editor has undone a change of the command line', async () => {
    const applied = await apply();
    await change(applied);
    expect(getUndoneIds(await openEditor().readEntries('connection'))).toEqual(new Set([applied]));
  });

  test('has no changes that it would have deleted by age, because their undo may be gone', async () => {
    await apply();
    await clock.advance(limits.maxAgeMs + 1);
    expect(await readIds()).toEqual([]);
  });

  test('shows what runs and what was interrupted, and lets only the command line continue it', async () => {
    const running = await apply({ end: 'none' });
    const file = join(await getInstanceFolder(), `${running}.jsonl`);
    const began = await readFile(file, 'utf8');
    const setPid = (pid: number) => writeFile(file, began.replace(`"pid":${process.pid}`, `"pid":${pid}`));
    await setPid(process.ppid);
    expect(await openEditor().readUnfinished('connection')).toEqual([]);
    await setPid(deadPid);
    const text = await readFile(file, 'utf8');
    const history = openEditor();
    const [unfinished, ...others] = await history.readUnfinished('connection');
    expect(others).toEqual([]);
    expect(unfinished).toMatchObject({ id: running, source: 'command-line' });
    await expect(requireFinishedChanges(history, 'connection')).rejects.toThrow('was interrupted');
    await expect(unfinished && history.claim(unfinished)).rejects.toThrow('another program');
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test('leaves out files that are damaged or of a later version', async () => {
    const readable = await apply();
    await clock.advance(1);
    const folder = await getInstanceFolder();
    const text = await readFile(join(folder, `${readable}.jsonl`), 'utf8');
    const createName = (digit: string): string =>
      `${digit.repeat(9)}-${readable.split('-').slice(1).join('-')}.jsonl`;
    await writeFile(join(folder, createName('0')), text.slice(0, text.length / 3));
    const later = text.replaceAll(readable, createName('1').replace('.jsonl', ''));
    await writeFile(
      join(folder, createName('1')),
      later.replace('"writes":[]', '"writes":[{"endpoint":"later"}]'),
    );
    await mkdir(join(folder, createName('2')));
    await writeFile(join(folder, createName('3')), 'no journal');
    expect(await readIds()).toEqual([readable]);
    // A line that is being written, and a kind of line that this version doesn't know.
    await appendFile(join(folder, `${readable}.jsonl`), '\n{"line":"later"}\n{"line":"resu');
    expect(await readIds()).toEqual([readable]);
  });

  test('is there even if the folder of the command line is a file', async () => {
    const own = await change();
    await mkdir(stateFolder);
    await writeFile(getJournalFolder(stateFolder), '');
    expect(await readIds()).toEqual([own]);
  });

  test.runIf(process.platform !== 'win32')('has nothing from a folder that others can write to', async () => {
    await apply();
    await chmod(stateFolder, 0o777);
    expect(await readIds()).toEqual([]);
  });
});

test('the entries of another connection are not deleted with the connection', async () => {
  const applied = await apply();
  await openEditor().deleteEntries('connection');
  expect(await readIds()).toEqual([applied]);
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
