import { mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { History } from '../../../../src/changes/journal/history.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { connectionId, createOperation } from '../run/support.ts';

const done = { state: 'done', status: 200, ms: 1 } as const;
const createRequest = (path: string) =>
  ({ writeIndex: 0, method: 'POST', path, addedDenials: [], removedDenials: [] }) as const;

/** Begins an operation, whose journal can be replaced by a folder, so that nothing can be written to it. */
async function begin() {
  const folder = mkdtempSync(join(tmpdir(), 'datamodel-studio-results-'));
  const limits = () => ({ maxBytes: 1e6, maxAgeMs: 1e12 });
  const history = new History({ folder, getLimits: limits, clock: new FakeClock(), log: silentLog });
  const entry = await history.begin({ operation: createOperation([]), before: [] });
  const [name = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.includes(entry.id),
  );
  const path = join(folder, name);
  const readLines = (): readonly string[] =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { line: string; request?: number })
      .map(({ line, request }) => `${line}${request === undefined ? '' : ` ${request}`}`);
  return {
    entry,
    readLines,
    readEntry: () => history.readEntry(connectionId, entry.id),
    replaceJournalWithFolder: () => {
      renameSync(path, `${path}.kept`);
      mkdirSync(path);
    },
    restoreJournal: () => {
      rmSync(path, { recursive: true });
      renameSync(`${path}.kept`, path);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

test('a request is recorded before it is sent, and its result before the next line', async () => {
  using journal = await begin();
  const { entry, readLines } = journal;
  const recordFirst = await entry.recordRequest(createRequest('/a'));
  expect(readLines()).toEqual(['begin', 'request 0']);
  recordFirst(done);
  const recordSecond = await entry.recordRequest(createRequest('/b'));
  expect(readLines()).toEqual(['begin', 'request 0', 'response 0', 'request 1']);
  const recordThird = await entry.recordRequest(createRequest('/c'));
  recordThird(done);
  recordSecond({ ...done, state: 'failed' });
  await entry.recordResult(0, { state: 'done', path: '/', ms: 1 });
  expect(readLines().slice(4)).toEqual(['request 2', 'response 2', 'response 1', 'result']);
});

test('a request has no result until one is recorded', async () => {
  using journal = await begin();
  const record = await journal.entry.recordRequest(createRequest('/a'));
  expect((await journal.readEntry())?.requests?.map(({ result }) => result)).toEqual([undefined]);
  record(done);
  await journal.entry.release();
  expect((await journal.readEntry())?.requests?.map(({ result }) => result)).toEqual([done]);
});

test('a write stops before its next request if a result cannot be recorded, and is not recorded as done', async () => {
  using journal = await begin();
  const { entry } = journal;
  const recordFirst = await entry.recordRequest(createRequest('/a'));
  const recordSecond = await entry.recordRequest(createRequest('/b'));
  journal.replaceJournalWithFolder();
  recordFirst(done);
  await expect(entry.recordRequest(createRequest('/c'))).rejects.toThrow('EISDIR');
  recordSecond(done);
  await expect(entry.recordResult(0, { state: 'done', path: '/', ms: 1 })).rejects.toThrow('EISDIR');
  journal.restoreJournal();
  // The error was reported, and later lines are recorded as soon as that is possible again.
  await entry.end('stopped', { versionsAfter: [], changedIds: [] });
  expect(journal.readLines()).toEqual(['begin', 'request 0', 'request 1', 'end']);
});

test('a result that could not be recorded makes the next line fail, even if that could be written', async () => {
  using journal = await begin();
  const { entry } = journal;
  const record = await entry.recordRequest(createRequest('/a'));
  journal.replaceJournalWithFolder();
  record(done);
  await entry.release();
  journal.restoreJournal();
  await expect(entry.recordRequest(createRequest('/b'))).rejects.toThrow('EISDIR');
});
