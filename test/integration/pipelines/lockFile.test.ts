import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyLock, formatLock } from '../../../src/project/pull/lock.ts';
import { readWorkflow } from './githubHost.ts';
import { readPipeline } from './gitlabHost.ts';
import { type BashExit, runBash } from './runBash.ts';

const lockPath = 'environments/test.lock.json';

const findScript = (scripts: readonly string[], text: string): string => {
  const found = scripts.filter((script) => script.includes(text));
  expect(found).toHaveLength(1);
  return found[0] ?? '';
};

/** For each CI server, the scripts of an apply that read the lock file before the apply and commit it afterward. */
const servers = {
  GitHub: () => {
    const scripts = readWorkflow('apply.yml').jobs['test']?.steps.map(({ run }) => run ?? '') ?? [];
    // Each step of GitHub runs in its own shell.
    return ['git cat-file', 'git commit'].map((text) => `(${findScript(scripts, text)})`);
  },
  GitLab: () => {
    const { script } = readPipeline().jobs['apply-test'] ?? { script: [] };
    return ['git cat-file', 'git commit'].map((text) => findScript(script, text));
  },
};

/** Returns a lock file with tables, by name with a hash of their last seen state. */
const createLock = (tables: Readonly<Record<string, string>>): string =>
  formatLock({
    ...emptyLock,
    entries: new Map(
      Object.entries(tables).map(([name, hash]) => [
        `table/Retail/${name}`,
        { parts: new Map([['', hash]]) },
      ]),
    ),
  });

const previousLock = createLock({ Customers: '1', Dates: '1', Orders: '1', Stores: '1' });
const appliedLock = createLock({ Customers: '2', Dates: '1', Orders: '1', Stores: '1' });

let root = '';
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com', ...args], {
    cwd: join(root, 'dev'),
    encoding: 'utf8',
  });

/** Commits a lock file, as a pull request with the result of a pull does. */
async function commitLock(text: string): Promise<void> {
  await writeFile(join(root, 'dev', lockPath), text);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Pull');
}

async function pushLock(text: string): Promise<void> {
  await commitLock(text);
  git('push', '--quiet', 'origin', 'HEAD:main');
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'datamodel-studio-lock-'));
  await mkdir(join(root, 'dev/environments'), { recursive: true });
  git('init', '--quiet', '--bare', '--initial-branch', 'main', '../origin.git');
  git('--git-dir', '../origin.git', 'config', 'receive.advertisePushOptions', 'true');
  git('init', '--quiet', '--initial-branch', 'main');
  git('remote', 'add', 'origin', `file://${join(root, 'origin.git')}`);
  await writeFile(join(root, 'dev/environments/test.json'), '{}\n');
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe.each(Object.entries(servers))('on %s', (_server, getScripts) => {
  /**
   * Runs an apply in a checkout of main.
   * @param result the lock file that the apply writes
   * @param meanwhile the lock file that is pushed to main during the apply
   */
  async function apply(result: string, meanwhile?: string): Promise<BashExit> {
    git('clone', '--quiet', '--depth=1', `file://${join(root, 'origin.git')}`, '../job');
    await writeFile(join(root, 'result.json'), result);
    const [before = '', after = ''] = getScripts();
    const options = {
      flags: ['-eo', 'pipefail'],
      cwd: join(root, 'job'),
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: root,
        RUNNER_TEMP: root,
        ENVIRONMENT: 'test',
        CI_DEFAULT_BRANCH: 'main',
        CI_SERVER_HOST: 'gitlab.example.com',
      },
    };
    if (meanwhile !== undefined) {
      await commitLock(meanwhile);
    }
    const push = meanwhile === undefined ? '' : 'git -C ../dev push --quiet origin HEAD:main';
    return runBash([before, `cp ../result.json ${lockPath}`, push, after].join('\n'), options);
  }

  const getMain = (): { readonly lock: string; readonly subjects: readonly string[] } => {
    git('fetch', '--quiet', 'origin', 'main');
    return {
      lock: git('show', `FETCH_HEAD:${lockPath}`),
      subjects: git('log', '--format=%s', 'FETCH_HEAD').trim().split('\n'),
    };
  };

  test('the lock file of an apply is committed, even if there was none before', async () => {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Start');
    git('push', '--quiet', 'origin', 'HEAD:main');
    const { code, log } = await apply(appliedLock);
    expect(code, log).toBe(0);
    expect(getMain()).toEqual({ lock: appliedLock, subjects: ['Record what was applied to test', 'Start'] });
  });

  test('items that were changed on main during the apply are kept', async () => {
    await pushLock(previousLock);
    const pulledLock = createLock({ Customers: '1', Dates: '1', Orders: '3', Products: '3', Stores: '1' });
    const { code, log } = await apply(appliedLock, pulledLock);
    expect(code, log).toBe(0);
    expect(getMain()).toEqual({
      lock: createLock({ Customers: '2', Dates: '1', Orders: '3', Products: '3', Stores: '1' }),
      subjects: ['Record what was applied to test', 'Pull', 'Pull'],
    });
  });

  test.each([
    ['the same item', { Customers: '3', Dates: '1', Orders: '1', Stores: '1' }],
    ['a neighbor', { Customers: '1', Dates: '3', Orders: '1', Stores: '1' }],
  ])(
    'if %s was changed on main during the apply, the job fails and keeps the lock file of the apply',
    async (_item, tables) => {
      await pushLock(previousLock);
      const pulledLock = createLock(tables);
      const { code, log } = await apply(appliedLock, pulledLock);
      expect(code).toBe(1);
      expect(log).toContain('were changed on main during the apply. Pull with --conflicts ours');
      expect(await readFile(join(root, 'job', lockPath), 'utf8')).toBe(appliedLock);
      expect(getMain()).toEqual({ lock: pulledLock, subjects: ['Pull', 'Pull'] });
    },
  );

  test('nothing is committed if main has the lock file already, or if nothing was applied', async () => {
    await pushLock(previousLock);
    const { code, log } = await apply(appliedLock, appliedLock);
    expect(code, log).toBe(0);
    expect(getMain()).toEqual({ lock: appliedLock, subjects: ['Pull', 'Pull'] });
    await rm(join(root, 'job'), { recursive: true });
    const unchanged = await apply(appliedLock);
    expect(unchanged.code, unchanged.log).toBe(0);
    expect(getMain().subjects).toEqual(['Pull', 'Pull']);
  });
});
