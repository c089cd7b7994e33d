import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensurePrivateFolder, ensurePrivateFolderSync } from '../../../../src/base/storage/privateFiles.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'private-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const getMode = (path: string): number => statSync(path).mode & 0o7777;

describe.runIf(process.platform !== 'win32').each([
  ['asynchronously', ensurePrivateFolder],
  ['synchronously', async (path: string) => ensurePrivateFolderSync(path)],
])('a private folder, created %s', (_how, createFolder) => {
  test('is accessible to its owner only, like the parent folders that were created for it', async () => {
    const path = join(root, 'a', 'b');
    await createFolder(path);
    expect([getMode(path), getMode(join(root, 'a'))]).toEqual([0o700, 0o700]);
  });

  test('is restricted if it existed with wider permissions', async () => {
    const path = join(root, 'wide');
    mkdirSync(path);
    chmodSync(path, 0o777);
    await createFolder(path);
    expect(getMode(path)).toBe(0o700);
  });

  test('keeps the permissions of a folder that is shared by all users, like /tmp', async () => {
    const path = join(root, 'shared');
    mkdirSync(path);
    chmodSync(path, 0o1777);
    await createFolder(path);
    expect(getMode(path)).toBe(0o1777);
  });
});
