import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { DataFolder } from '../../../src/sandbox/dataFolder.ts';
import { createEngineTasks, runTask } from '../../../src/sandbox/engine/tasks.ts';
import { getProfile } from '../../../src/sandbox/profiles/profiles.ts';
import { startSandboxServer } from '../../../src/sandbox/server.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { testSeed } from './support.ts';

let path = '';
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'sandbox-server-'));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

test('a sandbox that cannot be announced stops listening and releases its folder', async () => {
  const folder = new DataFolder(path);
  const failure = new Error('No space left');
  let announcedUrl = '';
  vi.spyOn(folder, 'writeAnnouncement').mockImplementation(({ url }) => {
    announcedUrl = url;
    throw failure;
  });
  const lock = { dispose: vi.fn<() => void>() };
  const starting = startSandboxServer({
    folder,
    lock,
    seed: testSeed,
    profile: getProfile('guide'),
    engine: { run: () => Promise.reject(new Error('Nothing is built here')) },
    tasks: createEngineTasks(async (task) => ({ result: runTask(task) })),
    port: 0,
    buildDelayMs: 0,
    faults: [],
    clock: new FakeClock(),
    log: silentLog,
  });
  await expect(starting).rejects.toBe(failure);
  await expect(fetch(announcedUrl)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  expect(lock.dispose).toHaveBeenCalledOnce();
});
