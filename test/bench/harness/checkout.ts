import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

const runProgram = promisify(execFile);

export interface CheckoutOptions {
  /** The checkout whose benchmarks are run on the other version, too. */
  readonly root: string;
  /** Where the other version is checked out. The folder doesn't exist yet. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Another version of the product, in a temporary worktree of git that is removed by `await using`. */
export interface Checkout extends AsyncDisposable {
  readonly folder: string;
  /** The full name of its commit. */
  readonly commit: string;
}

/**
 * Checks out another version with the packages that it needs, and with the tests and benchmarks of this version, so
 * that the same comparisons are measured on both.
 */
export async function checkOut(ref: string, { root, folder, signal }: CheckoutOptions): Promise<Checkout> {
  const git = async (...args: readonly string[]): Promise<string> =>
    (await runProgram('git', args, { cwd: root, signal })).stdout.trim();
  const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
  // Git removes what it has created if it is interrupted.
  await git('worktree', 'add', '--detach', '--quiet', folder, commit);
  const remove = async (): Promise<void> => {
    // The signal isn't passed on, because this also runs after an interruption.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    await runProgram('git', ['worktree', 'remove', '--force', folder], { cwd: root });
  };
  try {
    await installPackages({ root, folder, signal });
    await copyTests(root, folder);
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder, commit, [Symbol.asyncDispose]: remove };
}

/**
 * Links the installed packages if both versions have the same lock file, and otherwise installs those of the other
 * version.
 */
async function installPackages({ root, folder, signal }: CheckoutOptions): Promise<void> {
  const [ours, theirs] = await Promise.all(
    [root, folder].map((path) => readFile(join(path, 'package-lock.json'), 'utf8')),
  );
  if (ours === theirs) {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  } else {
    await runProgram('npm', ['ci'], { cwd: folder, signal });
  }
}

async function copyTests(root: string, folder: string): Promise<void> {
  const [source, target] = [join(root, 'test'), join(folder, 'test')];
  await rm(target, { recursive: true, force: true });
  await mkdir(target);
  await cp(source, target, {
    recursive: true,
    filter: (path) => relative(source, path) !== '.artifacts',
  });
}
