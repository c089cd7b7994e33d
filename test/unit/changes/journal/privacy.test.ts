import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { History } from '../../../../src/changes/journal/history.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { createOperation } from '../run/support.ts';

test.runIf(process.platform !== 'win32')('other users on the machine cannot read the history', async () => {
  const root = await mkdtemp(join(tmpdir(), 'datamodel-studio-privacy-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, 'history');
  const limits = () => ({ maxBytes: 1e6, maxAgeMs: 1e12 });
  const open = () => new History({ folder, getLimits: limits, clock: new FakeClock(), log: silentLog });
  const change = async (): Promise<void> => {
    const entry = await open().begin({ operation: createOperation([]), before: [] });
    await entry.end('done', { versionsAfter: [], changedIds: [] });
  };
  const readModes = async (): Promise<readonly (readonly [string, number])[]> => {
    const names = ['.', ...(await readdir(folder, { recursive: true }))];
    return Promise.all(
      names.map(async (name) => [name, (await stat(join(folder, name))).mode & 0o077] as const),
    );
  };
  await change();
  expect((await readModes()).filter(([, others]) => others !== 0)).toEqual([]);

  // A copy widened the permissions.
  const [connectionFolder = ''] = await readdir(folder);
  await chmod(join(folder, connectionFolder), 0o755);
  await change();
  expect((await readModes()).filter(([, others]) => others !== 0)).toEqual([]);
});
