import { existsSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeAppliedLock } from '../../../../src/project/apply/finishApply.ts';
import { type Lock, emptyLock, getLockPath, readLock } from '../../../../src/project/pull/lock.ts';
import { ProjectWriteError } from '../../../../src/project/pull/writeProjectFiles.ts';
import { defaultProjectSettings } from '../../../../src/project/settings/projectSettings.ts';

const environmentName = 'test';

const entries = new Map([['datamodel/Retail', { parts: new Map([['/title', 'hash']]) }]]);

async function writeLock(
  folder: string,
  recorded: Partial<Lock> = { entries },
  lock = emptyLock,
): Promise<void> {
  const target = {
    folder,
    settings: defaultProjectSettings,
    environmentName,
    connections: {},
    address: { url: 'https://shop.example.com' },
    connectionId: 'id',
  };
  await writeAppliedLock(
    { sources: { target, texts: new Map() }, lock },
    { lock: { ...lock, instance: 'hash', ...recorded } },
  );
}

function createFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'datamodel-studio-lock-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

test('the lock file is written to a project', async () => {
  using temporary = createFolder();
  writeFileSync(join(temporary.folder, 'datamodel-studio.json'), '{"version": 1}');
  await writeLock(temporary.folder);
  expect(await readLock(temporary.folder, environmentName)).toMatchObject({ instance: 'hash', entries });
});

test('an empty lock file is not created, so the environment still counts as never pulled', async () => {
  using temporary = createFolder();
  const { folder } = temporary;
  writeFileSync(join(folder, 'datamodel-studio.json'), '{"version": 1}');
  await writeLock(folder, {});
  expect(existsSync(join(folder, getLockPath(environmentName)))).toBe(false);
  // The last item was deleted.
  await writeLock(folder);
  await writeLock(folder, { entries: new Map() }, await readLock(folder, environmentName));
  expect(await readLock(folder, environmentName)).toEqual({ ...emptyLock, instance: 'hash' });
});

test('a project that was deleted in the meantime is not created again', async () => {
  using temporary = createFolder();
  const folder = join(temporary.folder, 'deleted');
  await expect(writeLock(folder)).rejects.toThrow(ProjectWriteError);
  expect(existsSync(folder)).toBe(false);
  mkdirSync(folder);
  await expect(writeLock(folder)).rejects.toThrow(
    'datamodel-studio.json no longer exists, so nothing was written.',
  );
  expect(existsSync(join(folder, getLockPath(environmentName)))).toBe(false);
});
