import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { CommandRefusedError } from './exitCodes.ts';
import type { Shell } from './shell.ts';

interface GitContext {
  readonly folder: string;
  readonly shell: Pick<Shell, 'env'>;
  readonly signal: AbortSignal;
}

/**
 * Returns the paths of the files in a folder that have changed since a commit: in later commits, in the index, and in
 * the working tree, with new and deleted ones. The paths are relative to the folder, separated by `/`. Changes that
 * were made only on the branch of that commit are not included.
 * @param ref a commit, branch, or tag
 * @throws CommandRefusedError if there is no Git, no repository, or no such commit
 */
export async function listChangedFiles(ref: string, context: GitContext): Promise<readonly string[]> {
  if (ref.startsWith('-')) {
    throw new CommandRefusedError('Invalid --changed-since. Expected: a commit, branch, or tag.');
  }
  await requireRepository(context);
  const commit = await runGit(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`],
    context,
  );
  if (commit.exitCode !== 0) {
    throw new CommandRefusedError(
      "Git can't find the commit, branch, or tag of --changed-since. In a shallow clone, fetch it first.",
    );
  }
  const commitId = commit.stdout.trim();
  const mergeBase = await runGit(['merge-base', commitId, 'HEAD'], context);
  // A shallow clone may not have the common ancestor: then changes on the branch of the commit are included.
  const baseId = mergeBase.exitCode === 0 ? mergeBase.stdout.trim() : commitId;
  const [tracked, untracked] = await Promise.all([
    readPaths(['diff', '--name-only', '-z', '--no-renames', '--relative', baseId, '--'], context),
    readPaths(['ls-files', '--others', '--exclude-standard', '-z'], context),
  ]);
  return [...new Set([...tracked, ...untracked])];
}

async function requireRepository(context: GitContext): Promise<void> {
  const { exitCode, stdout, stderr } = await runGit(['rev-parse', '--is-inside-work-tree'], context);
  if (exitCode !== 0) {
    throw new CommandRefusedError(
      /not a git repository/i.test(stderr)
        ? "The project isn't in a Git repository. --changed-since requires one."
        : describeFailure(stderr),
    );
  }
  if (stdout.trim() !== 'true') {
    throw new CommandRefusedError("The project isn't in the working tree of a Git repository.");
  }
}

async function readPaths(args: readonly string[], context: GitContext): Promise<readonly string[]> {
  const { exitCode, stdout, stderr } = await runGit(args, context);
  if (exitCode !== 0) {
    throw new CommandRefusedError(describeFailure(stderr));
  }
  return stdout.split('\0').filter((path) => path !== '');
}

const describeFailure = (stderr: string): string =>
  `Git can't list the changed files. ${stderr.trim().split('\n')[0] ?? ''}`;

interface GitResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const maxOutputBytes = 256 * 1024 * 1024;

/**
 * Removes the variables that select a repository: in a hook, Git sets them to paths relative to another folder.
 */
const repositoryVariables = { GIT_DIR: undefined, GIT_INDEX_FILE: undefined, GIT_WORK_TREE: undefined };

/** @throws CommandRefusedError if Git can't be started */
function runGit(args: readonly string[], { folder, shell, signal }: GitContext): Promise<GitResult> {
  const { promise, resolve, reject } = Promise.withResolvers<GitResult>();
  // Messages are matched, so they must be in English. `core.fsmonitor` is off, since the configuration of a repository
  // could name any program. Filters such as that of Git LFS do run: without them, unchanged files would seem changed.
  const env = { ...shell.env, ...repositoryVariables, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' };
  execFile(
    'git',
    ['-C', folder, '-c', 'core.fsmonitor=false', ...args],
    // Windows looks for programs in the working folder first, and a project may have a git.exe of its own.
    {
      cwd: dirname(process.execPath),
      env,
      signal,
      maxBuffer: maxOutputBytes,
      encoding: 'utf8',
      windowsHide: true,
    },
    (error, stdout, stderr) => {
      if (error === null) {
        resolve({ exitCode: 0, stdout, stderr });
      } else if (typeof error.code === 'number') {
        resolve({ exitCode: error.code, stdout, stderr });
      } else if (error.code === 'ENOENT') {
        reject(
          new CommandRefusedError("--changed-since requires Git, but Git isn't installed or isn't in PATH."),
        );
      } else {
        reject(error);
      }
    },
  );
  return promise;
}
