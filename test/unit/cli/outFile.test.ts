import { chmod, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CommandRefusedError } from '../../../src/cli/exitCodes.ts';
import { type WriteText, writeOutFile } from '../../../src/cli/outFile.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'out-file-'));
});
afterEach(() => rm(folder, { recursive: true }));

const writeToFullDisk: WriteText = async (path, text) => {
  await writeFile(path, text.slice(0, 2));
  throw Object.assign(new Error('full'), { code: 'ENOSPC' });
};

describe('the file of --out', () => {
  test('stays as it was if the disk is full', async () => {
    const path = join(folder, 'rules.csv');
    await writeFile(path, 'old');
    for (const target of [path, join(folder, 'new.csv')]) {
      const failure = writeOutFile(target, 'new text', writeToFullDisk);
      await expect(failure).rejects.toBeInstanceOf(CommandRefusedError);
      await expect(failure).rejects.toThrow("Can't write the --out file. The disk is full (ENOSPC).");
    }
    expect(await readdir(folder)).toEqual(['rules.csv']);
    expect(await readFile(path, 'utf8')).toBe('old');
  });

  test('is replaced with its permissions, also through a symbolic link', async () => {
    const [path, link] = [join(folder, 'rules.csv'), join(folder, 'link.csv')];
    await writeFile(path, 'old');
    await chmod(path, 0o640);
    await symlink(path, link);
    await writeOutFile(link, 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    await writeOutFile(join(folder, 'other.csv'), 'other');
    expect((await readdir(folder)).toSorted()).toEqual(['link.csv', 'other.csv', 'rules.csv']);
  });

  test('may be a device', async () => {
    await writeOutFile('/dev/null', 'text');
    expect((await stat('/dev/null')).isFile()).toBe(false);
  });
});
