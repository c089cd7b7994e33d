import { link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { History } from '../../../../src/changes/journal/history.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { createOperation } from '../run/support.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'datamodel-studio-planted-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const limits = () => ({ maxBytes: 1e6, maxAgeMs: 1e12 });
const open = (): History =>
  new History({ folder, getLimits: limits, clock: new FakeClock(), log: silentLog });
const { connectionId } = createOperation([]);

/** An operation of a dead process that did not end; returns its ID, the folder of its connection, and its file. */
async function createInterrupted(
  forConnectionId = connectionId,
): Promise<{ id: string; connectionFolder: string; file: string }> {
  const before = new Set(await readdir(folder));
  const { id } = await open().begin({
    operation: { ...createOperation([]), connectionId: forConnectionId },
    before: [],
  });
  const [folderName = ''] = (await readdir(folder)).filter((name) => !before.has(name));
  const connectionFolder = join(folder, folderName);
  const file = join(connectionFolder, `${id}.jsonl`);
  await writeFile(file, (await readFile(file, 'utf8')).replace(/"pid":\d+/, '"pid":2147483647'));
  return { id, connectionFolder, file };
}

test('the journal of another connection is ignored, and its operation is not offered to be finished', async () => {
  const ownOperation = await createInterrupted();
  const otherOperation = await createInterrupted('other');
  await link(otherOperation.file, join(ownOperation.connectionFolder, `${otherOperation.id}.jsonl`));
  const history = open();
  expect((await history.readUnfinishedEntries(connectionId)).map(({ id }) => id)).toEqual([ownOperation.id]);
  expect(await history.readEntry(connectionId, otherOperation.id)).toBeUndefined();
});

test('an entry whose ID differs from its file name is ignored, because the ID leads to files that are written', async () => {
  const ownOperation = await createInterrupted();
  const text = await readFile(ownOperation.file, 'utf8');
  await writeFile(ownOperation.file, text.replaceAll(ownOperation.id, `../${ownOperation.id}`));
  expect(await open().readEntries(connectionId)).toEqual([]);
  expect(await open().readEntry(connectionId, ownOperation.id)).toBeUndefined();
});

test('unreadable files are skipped, and the others are listed', async () => {
  const ownOperation = await createInterrupted();
  await mkdir(
    join(
      ownOperation.connectionFolder,
      `${ownOperation.id.slice(0, 9)}-${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.jsonl`,
    ),
  );
  expect((await open().readEntries(connectionId)).map(({ id }) => id)).toEqual([ownOperation.id]);
});
