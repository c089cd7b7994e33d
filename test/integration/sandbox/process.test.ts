import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sandboxProgram } from '../../support/programs.ts';
import { startSandboxProcess } from '../../../src/sandbox/host/sandboxProcess.ts';
import type { SandboxAccess } from '../../../src/sandbox/server.ts';
import { isSoak } from '../../support/soak.ts';

const script = sandboxProgram;
let folder = '';
let children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-process-'));
});
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  children = [];
  rmSync(folder, { recursive: true, force: true });
});

interface StartedSandbox extends SandboxAccess {
  readonly child: ChildProcess;
}

function launch(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

async function readFirstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) {
    throw new Error('no output');
  }
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(() => ['']);
  const [line] = await Promise.race([once(lines, 'line'), ended]);
  return String(line);
}

async function readAccess(child: ChildProcess): Promise<StartedSandbox> {
  return { ...(JSON.parse(await readFirstLine(child)) as SandboxAccess), child };
}

const start = async (...args: string[]): Promise<StartedSandbox> =>
  await readAccess(launch('--data', folder, ...args));

const waitForExit = async (child: ChildProcess): Promise<number | null> =>
  child.exitCode ?? ((await once(child, 'exit')) as [number | null])[0];

const call = async ({ url, adminToken }: SandboxAccess, path: string, body?: unknown): Promise<Response> =>
  await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${adminToken}` },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });

const dataPath = '/api/v1/custom_data';

test('the first line of stdout has the address and the tokens; SIGTERM stops cleanly; tokens and data stay (decisions.md, "Stable interfaces")', async () => {
  const firstSandbox = await start('--seed', 'empty');
  expect(firstSandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await call(firstSandbox, dataPath, { a: 1 })).status).toBe(201);
  firstSandbox.child.kill('SIGTERM');
  expect(await waitForExit(firstSandbox.child)).toBe(0);
  const secondSandbox = await start('--seed', 'demo');
  expect([secondSandbox.adminToken, secondSandbox.userToken]).toEqual([
    firstSandbox.adminToken,
    firstSandbox.userToken,
  ]);
  expect(await (await call(secondSandbox, dataPath)).json()).toMatchObject([{ a: 1 }]);
});

test('a second start on the same data folder prints the address of the running sandbox and exits with 0 (decisions.md, "Sandbox")', async () => {
  const firstSandbox = await start('--seed', 'empty');
  const secondSandbox = await start('--seed', 'empty');
  expect(secondSandbox.url).toBe(firstSandbox.url);
  expect(secondSandbox.adminToken).toBe(firstSandbox.adminToken);
  expect(await waitForExit(secondSandbox.child)).toBe(0);
  expect((await call(firstSandbox, dataPath)).status).toBe(200);
});

/** The process is killed during concurrent writes: in a soak ten times during 1,000 writes, otherwise once during 200. */
const kills = isSoak ? 10 : 1;
const concurrentWrites = isSoak ? 1000 : 200;

test('after SIGKILL every acknowledged write is stored, and the next start is not delayed', async () => {
  const acknowledged = new Set<string>();
  for (let round = 0; round < kills; round += 1) {
    const running = await start('--seed', 'empty');
    const before = acknowledged.size;
    const writes = Array.from({ length: concurrentWrites }, async (_, n) => {
      const key = `${round}/${n}`;
      const reply = await call(running, dataPath, { key });
      if (reply.status === 201) {
        acknowledged.add(key);
      }
      if (acknowledged.size - before === 60) {
        running.child.kill('SIGKILL');
      }
    });
    await Promise.allSettled(writes);
    expect(acknowledged.size - before).toBeGreaterThanOrEqual(60);
  }
  const last = await start('--seed', 'empty');
  const stored = (await (await call(last, dataPath)).json()) as { key: string }[];
  const storedKeys = new Set(stored.map(({ key }) => key));
  expect([...acknowledged].filter((key) => !storedKeys.has(key))).toEqual([]);
});

test('the process exits when its standard input ends, if requested', async () => {
  const { child } = await start('--seed', 'empty', '--stdin-lifeline');
  child.stdin?.end();
  expect(await waitForExit(child)).toBe(0);
});

test('a forked sandbox exits when its parent is killed', async () => {
  const parentScript = `
    const { fork } = require('node:child_process');
    const child = fork(process.argv[1], ['--data', process.argv[2], '--seed', 'empty'], { silent: true });
    child.stdout.on('data', (chunk) => process.stdout.write(String(child.pid) + ' ' + chunk));`;
  const parent = spawn(process.execPath, ['-e', parentScript, script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(parent);
  const line = await readFirstLine(parent);
  const access = JSON.parse(line.slice(line.indexOf(' '))) as SandboxAccess;
  expect((await call(access, dataPath)).status).toBe(200);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  // A clean stop removes the announced address and unlocks the folder for the next process.
  const nextSandbox = await start('--seed', 'empty');
  expect(nextSandbox.child.exitCode).toBeNull();
  const pid = Number(line.split(' ')[0]);
  const address = JSON.parse(readFileSync(join(folder, 'sandbox.json'), 'utf8')) as { pid: number };
  expect(address.pid).not.toBe(pid);
});

test('a forked sandbox exits when disconnected', async () => {
  const child = fork(script, ['--data', folder, '--seed', 'empty'], { silent: true, execArgv: [] });
  children.push(child);
  await readAccess(child);
  child.disconnect();
  expect(await waitForExit(child)).toBe(0);
});

test.each([
  [['--seed', 'empty']],
  [['--data', 'x', '--seed', 'huge']],
  [['--data', 'x', '--port', 'y']],
  [['--what']],
])('bad arguments %j exit with 2 and one line of usage', async (args) => {
  const child = launch(...args);
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  expect(await waitForExit(child)).toBe(2);
  expect(errors.trim().split('\n')).toHaveLength(1);
  expect(errors).toContain('Usage: npm run sandbox -- --data DIR [OPTIONS]');
});

test('--help prints the options to standard output', async () => {
  const child = launch('--help');
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  expect(await waitForExit(child)).toBe(0);
  expect(output).toContain('--faults JSON');
});

test('a port that is in use ends the process with 1 and the reason', async () => {
  const firstSandbox = await start('--seed', 'empty');
  const port = new URL(firstSandbox.url).port;
  const child = launch('--data', join(folder, 'other'), '--port', port);
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  expect(await waitForExit(child)).toBe(1);
  expect(errors.trim()).toBe(
    `The sandbox can't start: port ${port} is already in use. Use another port, or omit --port.`,
  );
});

test('a program that starts a sandbox on a port that is in use reports the reason only once', async () => {
  const { url } = await start('--seed', 'empty');
  const port = Number(new URL(url).port);
  const options = { script, folder: join(folder, 'other'), seed: 'empty', port } as const;
  await expect(startSandboxProcess(options)).rejects.toThrow(
    `The sandbox didn't start: port ${port} is already in use. Use another port, or omit --port.`,
  );
});

test('data of another format version is refused, with a message that says what to do', async () => {
  const { child } = await start('--seed', 'empty');
  child.kill('SIGTERM');
  await waitForExit(child);
  const db = new DatabaseSync(join(folder, 'sandbox.sqlite'));
  db.exec('PRAGMA user_version = 99');
  db.close();
  await expect(startSandboxProcess({ script, folder, seed: 'empty' })).rejects.toThrow(
    /^The sandbox didn't start: The data folder of the sandbox has format version 99, but this version of Datamodel Studio reads version \d+\. Update Datamodel Studio, or delete the data folder\.$/,
  );
});

test('in profile contract, seeded datamodels are built and published at the start, but those that a caller creates are not (decisions.md, "Two kinds of server")', async () => {
  const sandbox = await start('--seed', 'demo', '--profile', 'contract', '--stdin-lifeline');
  const getRulesStatus = async (path: string): Promise<number> => (await call(sandbox, path)).status;
  const getExtractPath = (title: string): string => `/api/elasticubes/LocalHost/${title}/datasecurity`;
  const getLivePath = (title: string): string => `/api/v1/elasticubes/live/${title}/datasecurity`;
  const publishedPaths = [
    getExtractPath('Retail'),
    getExtractPath('Marketing'),
    getLivePath('Support%20Desk'),
  ];
  expect(await Promise.all(publishedPaths.map(getRulesStatus))).toEqual([200, 200, 200]);
  await fetch(`${sandbox.url}/api/v2/datamodels`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.adminToken}` },
    body: JSON.stringify({ title: 'Draft' }),
  });
  expect(await getRulesStatus(getExtractPath('Draft'))).toBe(404);
  const tasks: unknown = await (await call(sandbox, '/api/v2/builds')).json();
  expect(tasks).toEqual([]);
  sandbox.child.stdin?.end();
  expect(await waitForExit(sandbox.child)).toBe(0);

  const restarted = await start('--profile', 'contract', '--same-shares', 'add', '--stdin-lifeline');
  const models = await call(restarted, '/api/v2/datamodels/schema?fields=title,lastSuccessfulBuildTime');
  const built = (await models.json()) as { title: string; lastSuccessfulBuildTime: string | null }[];
  expect(
    built.map(({ title, lastSuccessfulBuildTime }) => [title, lastSuccessfulBuildTime !== null]),
  ).toEqual([
    ['Retail', true],
    ['Marketing', true],
    ['Support Desk', true],
    ['Draft', false],
  ]);
});
