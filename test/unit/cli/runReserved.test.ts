import { mkdtemp, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runReserved } from '../../../src/cli/runReserved.ts';

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'reserved-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  let messages = '';
  const output = { printMessage: (text: string) => void (messages += text) };
  // No file system lets a program remove a folder as a file.
  const history = { reserve: async () => ({ release: () => unlink(folder) }) };
  return { folder, sources: { history, output }, getMessages: () => messages };
}

test('the result is reported although the reservation is not released, with a warning', async () => {
  const { folder, sources, getMessages } = await setUp();
  expect(await runReserved('c', sources, async () => 'done')).toBe('done');
  expect(getMessages()).toMatch(/^The file that marks the instance as in use couldn't be deleted\. .*\(E/);
  expect(getMessages()).toContain(`If other commands are refused because of it, delete ${folder}.`);
});

test('the error is reported although the reservation is not released', async () => {
  const { sources, getMessages } = await setUp();
  const run = async (): Promise<never> => {
    throw new Error('Refused');
  };
  await expect(runReserved('c', sources, run)).rejects.toThrow('Refused');
  expect(getMessages()).toContain("couldn't be deleted");
});
