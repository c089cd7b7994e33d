import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryEntry } from '../../../src/changes/journal/entry.ts';
import type { CommandContext } from '../../../src/cli/command.ts';
import { warnOfOutdatedLock } from '../../../src/cli/outdatedLock.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outdated-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

const args = {
  has: (name: string) => name === 'environment',
  getValue: (name: string) => (name === 'environment' ? 'test' : undefined),
  positionals: [],
} as unknown as CommandContext['args'];

/** An apply of the project that began at a time in seconds. */
const createApply = (seconds: number, members: Partial<HistoryEntry> = {}, environment = 'test') =>
  ({
    startedAt: seconds * 1000,
    end: 'done',
    operation: { connectionId: 'c', project: { folder, environment } },
    ...members,
  }) as unknown as HistoryEntry;

/** @param lockSeconds when the lock file was changed; `undefined` if there is none */
async function warn(entries: readonly HistoryEntry[], lockSeconds?: number): Promise<readonly string[]> {
  if (lockSeconds !== undefined) {
    const path = join(folder, 'environments/test.lock.json');
    await mkdir(join(folder, 'environments'), { recursive: true });
    await writeFile(path, '{}');
    await utimes(path, lockSeconds, lockSeconds);
  }
  const lines: string[] = [];
  await warnOfOutdatedLock(
    { readEntries: () => Promise.resolve(entries) },
    { folder, environmentName: 'test', instance: { connection: { id: 'c' } } },
    { args, output: { printMessage: (text) => lines.push(text) } },
  );
  return lines;
}

test('a lock file that is older than the last finished apply is reported, and how to update it', async () => {
  const lines = await warn([createApply(200), createApply(100)], 150);
  expect(lines).toEqual([
    expect.stringMatching(
      /^The last apply was finished, but the lock file wasn't updated afterward\. To update it: .+ pull .*--environment test/,
    ),
  ]);
  expect(await warn([createApply(200)])).toHaveLength(1);
  await rm(join(folder, 'environments'), { recursive: true });
  expect(await warn([createApply(200)])).toHaveLength(1);
});

test('nothing is reported unless the last apply of the environment has finished after the lock file changed', async () => {
  const { end: _end, ...interrupted } = createApply(200);
  const cases: readonly (readonly HistoryEntry[])[] = [
    [],
    [createApply(100)],
    [createApply(200, { end: 'rolled-back' }), createApply(160)],
    [createApply(200, { end: 'stopped' })],
    [interrupted],
    [createApply(200, {}, 'other')],
    [createApply(200, { operation: { connectionId: 'c' } } as unknown as Partial<HistoryEntry>)],
    // Another tenant belongs to another lock file.
    [
      createApply(200, {
        operation: { connectionId: 'c@tenant:t', project: { folder, environment: 'test' } },
      } as unknown as Partial<HistoryEntry>),
    ],
  ];
  for (const entries of cases) {
    expect(await warn(entries, 150)).toEqual([]);
  }
});
