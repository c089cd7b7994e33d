import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkOut } from '../../bench/harness/checkout.ts';
import { createTemporaryFolder } from '../../editor/support/temporaryFolder.ts';

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim();

/** Creates a repository with two versions of the product; the second one is checked out, and has changes. */
async function createRepository(
  path: string,
): Promise<{ readonly root: string; readonly firstCommit: string }> {
  const root = join(path, 'repository');
  await mkdir(join(root, 'test', '.artifacts'), { recursive: true });
  const write = (name: string, text: string): Promise<void> => writeFile(join(root, name), text);
  git(path, 'init', '--quiet', 'repository');
  await write('.gitignore', 'node_modules\n.artifacts\n');
  await write('package-lock.json', '{}');
  await write('product.txt', 'first');
  await write('test/old.txt', 'first');
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '--message', 'First');
  const firstCommit = git(root, 'rev-parse', 'HEAD');
  await write('product.txt', 'second');
  git(root, 'commit', '--quiet', '--all', '--message', 'Second');
  await rm(join(root, 'test', 'old.txt'));
  await write('test/new.txt', 'second');
  await write('test/.artifacts/large.txt', '');
  await mkdir(join(root, 'node_modules'));
  return { root, firstCommit };
}

const { signal } = new AbortController();

test('another version is checked out with its own product, the tests of the current version, and the installed packages', async () => {
  await using temporary = await createTemporaryFolder();
  const { root, firstCommit } = await createRepository(temporary.path);
  const folder = join(temporary.path, 'other');
  await using checkout = await checkOut('HEAD~1', { root, folder, signal });
  expect(checkout.commit).toBe(firstCommit);
  expect(await readFile(join(folder, 'product.txt'), 'utf8')).toBe('first');
  expect(await readdir(join(folder, 'test'))).toEqual(['new.txt']);
  expect(await realpath(join(folder, 'node_modules'))).toBe(await realpath(join(root, 'node_modules')));
});

test('another version is removed after use, and the packages stay', async () => {
  await using temporary = await createTemporaryFolder();
  const { root } = await createRepository(temporary.path);
  const folder = join(temporary.path, 'other');
  {
    await using checkout = await checkOut('HEAD~1', { root, folder, signal });
    expect(git(root, 'worktree', 'list')).toContain(checkout.folder);
  }
  expect(git(root, 'worktree', 'list').split('\n')).toHaveLength(1);
  expect(await readdir(temporary.path)).toEqual(['repository']);
  expect((await lstat(join(root, 'node_modules'))).isDirectory()).toBe(true);
});

test('another version is removed if its packages cannot be installed', async () => {
  await using temporary = await createTemporaryFolder();
  const { root } = await createRepository(temporary.path);
  // The versions have different lock files, so npm has to install packages, and fails because there is no
  // package.json.
  await writeFile(join(root, 'package-lock.json'), '{ "name": "other" }');
  const options = { root, folder: join(temporary.path, 'other'), signal };
  await expect(checkOut('HEAD~1', options)).rejects.toThrow('npm ci');
  expect(git(root, 'worktree', 'list').split('\n')).toHaveLength(1);
  expect(await readdir(temporary.path)).toEqual(['repository']);
});

test('an unknown version is refused', async () => {
  await using temporary = await createTemporaryFolder();
  const { root } = await createRepository(temporary.path);
  const folder = join(temporary.path, 'other');
  await expect(checkOut('nowhere', { root, folder, signal })).rejects.toThrow('nowhere');
  expect(await readdir(temporary.path)).toEqual(['repository']);
});
