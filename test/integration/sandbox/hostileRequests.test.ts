import { randomUUID } from 'node:crypto';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sandboxProgram } from '../../support/programs.ts';
import type { SandboxAccess } from '../../../src/sandbox/server.ts';
import { startTemporarySandbox, type TemporarySandbox } from '../../support/temporarySandbox.ts';

// No request may block other requests or the shutdown of the sandbox (decisions.md, "Sandbox").

const script = sandboxProgram;
const dataPath = '/api/v1/custom_data';
const slowFilter = { key: { $regex: '^(a+)+$' } };
const slowObject = { key: `${'a'.repeat(40)}!` };
const endlessToRun =
  'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) AS c FROM n';

/** Sends a request: a GET if it has no body. */
async function send(
  { url, adminToken }: SandboxAccess,
  path: string,
  body?: unknown,
  method = 'POST',
): Promise<Response> {
  return await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${adminToken}` },
    ...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
  });
}

interface CreatedResource {
  readonly oid: string;
}

async function create(access: SandboxAccess, path: string, body: unknown): Promise<CreatedResource> {
  const reply = await send(access, path, body);
  expect(reply.status).toBe(201);
  return (await reply.json()) as CreatedResource;
}

type ProfileName = 'guide' | 'contract';

/** Creates a model with one custom table. */
async function createModel(
  access: SandboxAccess,
  profile: ProfileName,
  expression: string,
): Promise<{ readonly model: string; readonly table: unknown }> {
  const schema = profile === 'contract' ? '/schema' : '';
  const { oid } = await create(access, '/api/v2/datamodels', {
    title: `Model ${randomUUID()}`,
    type: 'extract',
  });
  const path = `/api/v2/datamodels/${oid}${schema}/datasets`;
  const dataset = await create(access, path, { name: 'Custom', type: 'custom' });
  const table = await create(access, `${path}/${dataset.oid}/tables`, {
    id: 'Custom',
    name: 'Custom',
    type: 'custom',
    columns: [],
    expression: { expression },
  });
  return { model: oid, table };
}

/** A statement that SQLite never finishes parsing: each CTE uses the previous one twice. */
const endlessToParse = `WITH c0 AS (SELECT 1 AS a), ${Array.from(
  { length: 40 },
  (_, n) => `c${n + 1} AS (SELECT x.a FROM c${n} x, c${n} y)`,
).join(', ')} SELECT a FROM c40`;

describe.each<ProfileName>(['guide', 'contract'])('a busy sandbox of profile %s', (profile) => {
  let sandbox: TemporarySandbox;
  beforeAll(async () => {
    sandbox = await startTemporarySandbox('empty', { profile });
    await send(sandbox, dataPath, slowObject);
  });
  afterAll(async () => await sandbox.stop());

  /** Expects that other requests get a response before a slow one. Returns the result of the slow request. */
  async function expectOthersFirst<T>(slow: Promise<T>): Promise<T> {
    const order: string[] = [];
    const slowResult = slow.then((result) => {
      order.push('slow');
      return result;
    });
    for (const _ of Array.from({ length: 20 })) {
      expect((await send(sandbox, dataPath)).status).toBe(200);
    }
    order.push('others');
    const result = await slowResult;
    expect(order).toEqual(['others', 'slow']);
    return result;
  }

  // The test takes ten seconds, and both profiles filter custom data in the same way.
  if (profile === 'guide') {
    test('refuses a regular expression that takes too long, with a message', async () => {
      const filter = encodeURIComponent(JSON.stringify(slowFilter));
      const reply = await expectOthersFirst(send(sandbox, `${dataPath}/query?query=${filter}`));
      expect(reply.status).toBe(400);
      expect(await reply.text()).toContain('The filter took longer than 5 seconds');
      const deletion = await expectOthersFirst(send(sandbox, `${dataPath}/query`, slowFilter, 'DELETE'));
      expect(deletion.status).toBe(400);
      expect(await (await send(sandbox, dataPath)).json()).toHaveLength(1);
    });
  }

  test('stores a SQL expression that takes forever to parse; its check returns a message, and its build fails', async () => {
    const creation = createModel(sandbox, profile, endlessToParse);
    // In profile contract, a custom table gets its columns when it is created, so its SQL is parsed then.
    const { model } = await (profile === 'contract' ? expectOthersFirst(creation) : creation);
    const limitMessage = /(took longer than|needed more than)/;
    const reply = await expectOthersFirst(
      send(sandbox, '/sandbox/check', { datamodel: model, sql: endlessToParse }),
    );
    expect(await reply.json()).toEqual({ ok: false, message: expect.stringMatching(limitMessage) });
    const next = await send(sandbox, '/sandbox/check', { datamodel: model, sql: 'SELECT 1 AS a' });
    expect(await next.json()).toEqual({ ok: true, columns: ['a'] });
    const build = await create(sandbox, '/api/v2/builds', { datamodelId: model, buildType: 'full' });
    let task: { readonly status?: unknown; readonly error?: unknown } = {};
    while (task.status !== 'failed') {
      task = (await (await send(sandbox, `/api/v2/builds/${build.oid}`)).json()) as typeof task;
    }
    if (profile === 'guide') {
      // The task of the contract has no error text.
      expect(JSON.stringify(task)).toMatch(limitMessage);
    }
  });
});

describe('a sandbox process', () => {
  const children: ChildProcess[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
    for (const folder of folders.splice(0)) {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  async function start(): Promise<SandboxAccess & { readonly child: ChildProcess }> {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-hostile-'));
    folders.push(folder);
    const child = fork(script, ['--data', folder, '--seed', 'empty'], { silent: true, execArgv: [] });
    children.push(child);
    if (child.stdout === null) {
      throw new Error('no output');
    }
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    return { ...(JSON.parse(String(line)) as SandboxAccess), child };
  }

  /**
   * Starts work that keeps a sandbox busy for longer than any test; each promise resolves when the work has started.
   */
  const startSlowWork: Readonly<Record<string, (access: SandboxAccess) => Promise<unknown>>> = {
    async pattern(access) {
      await send(access, dataPath, slowObject);
      const unanswered = send(access, `${dataPath}/query`, slowFilter, 'DELETE');
      // The sandbox stops before it responds.
      unanswered.catch(() => undefined);
      return await send(access, dataPath);
    },
    async build(access) {
      const { model: datamodelId } = await createModel(access, 'guide', endlessToRun);
      const task = await create(access, '/api/v2/builds', { datamodelId, buildType: 'full' });
      let status: unknown;
      while (status !== 'building') {
        const reply = await send(access, `/api/v2/builds/${task.oid}`);
        ({ status } = (await reply.json()) as { status?: unknown });
      }
    },
  };
  const stops: Readonly<Record<string, (child: ChildProcess) => unknown>> = {
    SIGTERM: (child) => child.kill('SIGTERM'),
    'the end of its parent': (child) => child.disconnect(),
  };

  test.each(
    Object.keys(startSlowWork).flatMap((what) => Object.keys(stops).map((how) => [how, what] as const)),
  )('exits cleanly on %s while it is busy with: %s', async (how, what) => {
    const { child, ...access } = await start();
    await startSlowWork[what]?.(access);
    stops[how]?.(child);
    // A clean exit shows that the server itself isn't blocked, whatever its engine does.
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('ends when its parent disconnects, even while it waits for a folder that another process has locked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-hostile-'));
    folders.push(folder);
    using lock = new DatabaseSync(join(folder, 'lock.sqlite'));
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;');
    const child = fork(script, ['--data', folder, '--seed', 'empty'], { silent: true, execArgv: [] });
    children.push(child);
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  });

  test('exits with 0 if another sandbox has locked its folder', async () => {
    await start();
    const child = fork(script, ['--data', folders[0] ?? '', '--seed', 'empty'], {
      silent: true,
      execArgv: [],
    });
    children.push(child);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('ends its engine processes, even if it is killed', async () => {
    const { child, ...access } = await start();
    await startSlowWork['build']?.(access);
    const engines = await getChildren(child.pid ?? 0);
    expect(engines.length).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    while (engines.some(isAlive)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
});

/** Returns the child processes of a process. A minimal Linux has no `ps`, but has `/proc`. */
async function getChildren(pid: number): Promise<readonly number[]> {
  if (process.platform === 'linux') {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.filter((name) => readParent(name) === pid).map(Number);
  }
  const list = spawn('ps', ['-A', '-o', 'pid=,ppid='], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  list.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(list, 'close');
  const rows = text.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return rows.flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []));
}

/** Returns the ID of the parent of a process; `undefined` if the process has ended. */
function readParent(pid: string): number | undefined {
  try {
    // The second field is the name in parentheses, which may contain spaces and parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[1]);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // The process does not exist.
    return false;
  }
}
