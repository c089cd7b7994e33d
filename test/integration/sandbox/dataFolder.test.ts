import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DamagedFileError, DataFolder } from '../../../src/sandbox/dataFolder.ts';

let parent = '';
const getPath = (): string => join(parent, 'deep', 'data');
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'sandbox-folder-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const getMode = (name: string): number => statSync(join(getPath(), name)).mode & 0o777;

test('tokens are created once, differ, and are readable by their owner only', () => {
  const folder = new DataFolder(getPath());
  expect(folder.readTokens()).toBeUndefined();
  const tokens = folder.getOrCreateTokens();
  expect(tokens.adminToken).not.toBe(tokens.userToken);
  expect(new DataFolder(getPath()).getOrCreateTokens()).toEqual(tokens);
  expect(folder.readTokens()).toEqual(tokens);
  expect(getMode('tokens.json')).toBe(0o600);
});

test.runIf(process.platform !== 'win32')(
  'a folder and tokens that others could read become accessible to their owner only',
  () => {
    mkdirSync(getPath(), { recursive: true });
    chmodSync(getPath(), 0o755);
    const tokens = new DataFolder(getPath()).getOrCreateTokens();
    chmodSync(join(getPath(), 'tokens.json'), 0o644);
    expect(new DataFolder(getPath()).getOrCreateTokens()).toEqual(tokens);
    expect([getMode(''), getMode('tokens.json')]).toEqual([0o700, 0o600]);
  },
);

test('the address is announced in a file, which can be removed', () => {
  const folder = new DataFolder(getPath());
  expect(folder.readAnnouncement()).toBeUndefined();
  folder.writeAnnouncement({ pid: 1, url: 'http://127.0.0.1:1' });
  folder.writeAnnouncement({ pid: 2, url: 'http://127.0.0.1:2' });
  expect(folder.readAnnouncement()).toEqual({ pid: 2, url: 'http://127.0.0.1:2' });
  expect(getMode('sandbox.json')).toBe(0o600);
  folder.removeAnnouncement();
  folder.removeAnnouncement();
  expect(folder.readAnnouncement()).toBeUndefined();
});

test('only one process at a time can lock the folder', () => {
  const firstLock = new DataFolder(getPath()).lock();
  expect(firstLock).toBeDefined();
  expect(new DataFolder(getPath()).lock()).toBeUndefined();
  firstLock?.dispose();
  const secondLock = new DataFolder(getPath()).lock();
  expect(secondLock).toBeDefined();
  secondLock?.dispose();
});

test('a damaged token file is an error, and is not replaced by new tokens', () => {
  const folder = new DataFolder(getPath());
  folder.getOrCreateTokens();
  for (const text of ['{"adminToken":"x"}', 'garbage', '']) {
    writeFileSync(join(getPath(), 'tokens.json'), text);
    expect(() => folder.getOrCreateTokens()).toThrow(
      `${join(getPath(), 'tokens.json')} is damaged. Delete it. The sandbox creates a new one when it starts.`,
    );
  }
});

test('the error of a damaged token file contains nothing of the file, not even in a cause', () => {
  const folder = new DataFolder(getPath());
  writeFileSync(join(getPath(), 'tokens.json'), 'secret-token');
  let failure: unknown;
  try {
    folder.readTokens();
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(DamagedFileError);
  expect(inspect(failure)).not.toContain('secret');
});
