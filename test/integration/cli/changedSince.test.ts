import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listChangedFiles } from '../../../src/cli/changedFiles.ts';
import { startCli } from '../../support/cliProcess.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'changed-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const env = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};
const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const writeProjectFile = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};
const commit = (): string => {
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', 'x');
  return git('rev-parse', 'HEAD').trim();
};
const listChanged = async (ref: string, project = '', variables: Record<string, string> = {}) =>
  (
    await listChangedFiles(ref, {
      folder: join(folder, project),
      shell: { env: { ...env, ...variables } },
      signal: new AbortController().signal,
    })
  ).toSorted();

describe('the files changed since a commit', () => {
  beforeEach(async () => {
    git('init', '--quiet', '--initial-branch', 'main');
    for (const name of ['kept', 'committed', 'staged', 'edited', 'deleted', 'renamed']) {
      await writeProjectFile(`project/${name}.json`, name.repeat(100));
    }
    await writeProjectFile('outside.json', '1');
    await writeProjectFile('.gitignore', 'ignored.json\n');
    commit();
  });

  test('include changes in commits, the index, and the working tree: edited, deleted, renamed, and new files', async () => {
    git('checkout', '--quiet', '-b', 'work');
    await writeProjectFile('project/committed.json', '2');
    commit();
    await writeProjectFile('project/staged.json', '2');
    git('add', '--all');
    await writeProjectFile('project/edited.json', '2');
    await rm(join(folder, 'project/deleted.json'));
    await rename(join(folder, 'project/renamed.json'), join(folder, 'project/other.json'));
    await writeProjectFile('project/new/ü "x"\n.json', '1');
    await writeProjectFile('project/ignored.json', '1');
    await writeProjectFile('outside.json', '2');
    const expected = [
      'committed.json',
      'deleted.json',
      'edited.json',
      'new/ü "x"\n.json',
      'other.json',
      'renamed.json',
      'staged.json',
    ];
    expect(await listChanged('main', 'project')).toEqual(expected);
    expect(await listChanged('main')).toEqual(
      [...expected.map((path) => `project/${path}`), 'outside.json'].toSorted(),
    );
  });

  test('do not include changes on the other branch since the two branches diverged', async () => {
    git('checkout', '--quiet', '-b', 'work');
    await writeProjectFile('project/committed.json', '2');
    commit();
    git('checkout', '--quiet', 'main');
    await writeProjectFile('project/kept.json', '2');
    commit();
    git('checkout', '--quiet', 'work');
    expect(await listChanged('main', 'project')).toEqual(['committed.json']);
  });

  test('are all differences between two branches without a common ancestor', async () => {
    git('checkout', '--quiet', '--orphan', 'work');
    await writeProjectFile('project/committed.json', '2');
    commit();
    expect(await listChanged('main', 'project')).toEqual(['committed.json']);
  });

  test('are found in a Git hook, where environment variables name the repository', async () => {
    await writeProjectFile('project/kept.json', '2');
    const variables = { GIT_DIR: '.git', GIT_INDEX_FILE: '.git/index', GIT_WORK_TREE: '.' };
    expect(await listChanged('HEAD', 'project', variables)).toEqual(['kept.json']);
  });

  test('are listed without starting the file system monitor from the Git configuration of the repository', async () => {
    const marker = join(folder, '.git', 'started');
    git('config', 'core.fsmonitor', `touch '${marker}'; false`);
    await writeProjectFile('project/kept.json', '2');
    expect(await listChanged('HEAD', 'project')).toEqual(['kept.json']);
    await expect(rm(marker)).rejects.toThrow('ENOENT');
  });

  test.each([
    ['--output=x', 'Invalid --changed-since.'],
    ['-h', 'Invalid --changed-since.'],
    ['nope', "Git can't find the commit, branch, or tag of --changed-since."],
    ['HEAD; touch started', "Git can't find the commit"],
    ['HEAD:project', "Git can't find the commit"],
  ])('are not listed for the invalid reference %s', async (ref, message) => {
    await expect(listChanged(ref)).rejects.toThrow(message);
    // Git is started directly, not by a command interpreter that would run the second command.
    expect(existsSync(join(folder, 'started'))).toBe(false);
  });

  test('are not listed if Git is missing', async () => {
    await expect(listChanged('HEAD', '', { PATH: folder })).rejects.toThrow(
      "--changed-since requires Git, but Git isn't installed or isn't in PATH.",
    );
  });
});

test('changed files are not listed outside of a repository', async () => {
  await expect(listChanged('HEAD', '', { GIT_CEILING_DIRECTORIES: dirname(folder) })).rejects.toThrow(
    "The project isn't in a Git repository. --changed-since requires one.",
  );
});

test('changed files are not listed in a repository without commits', async () => {
  git('init', '--quiet');
  await expect(listChanged('HEAD')).rejects.toThrow("Git can't find the commit");
});

test('validate reports changed files only, with paths from the current folder', async () => {
  git('init', '--quiet');
  await writeProjectFile('project/viewpoints/Old.viewpoint.json', '{');
  commit();
  await writeProjectFile('project/viewpoints/New.viewpoint.json', '{');
  const run = (...args: readonly string[]) =>
    startCli(['validate', '--project', 'project', '--format', 'github', ...args], {
      env: { HOME: '/nonexistent' },
      cwd: folder,
    }).ended;
  const all = await run();
  expect(all.stdout.trim().split('\n')).toHaveLength(2);
  const changed = await run('--changed-since', 'HEAD');
  expect(changed.code).toBe(1);
  expect(changed.stdout).toMatch(
    /^::error file=project\/viewpoints\/New\.viewpoint\.json,line=1,col=\d+,title=project\/syntax::.*\n$/,
  );
  expect(changed.stderr).toContain('Only changed files and files that depend on them are reported.\n');
  const refused = await run('--changed-since=--output=x');
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain('Invalid --changed-since. Expected: a commit, branch, or tag.');
});
