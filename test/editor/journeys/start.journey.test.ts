import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { journey } from '../support/journey.ts';
import { descendants, survivors } from '../support/processes.ts';
import { Studio } from '../support/studio.ts';

const goneWithinMs = 10_000;

interface Started {
  readonly child: ChildProcess;
  readonly vscode: string;
  readonly sandbox: { readonly url: string; readonly adminToken: string; readonly userToken: string };
  /** Everything on stdout so far. */
  readonly stdout: readonly string[];
}

/** What `npm start -- --web --no-open --port 0` runs after the build. */
async function startProduct(): Promise<Started> {
  const script = join(projectRoot, 'src', 'launcher', 'start.ts');
  const child = spawn(process.execPath, [script, '--web', '--no-open', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stdout: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => stdout.push(line));
  const [line] = await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(([code]) => assert.fail(`It ended with ${code}`)),
  ]);
  const { vscode, sandbox } = JSON.parse(String(line));
  return { child, vscode, sandbox, stdout };
}

async function endsWhole(started: Started, signal: NodeJS.Signals): Promise<void> {
  const { child } = started;
  const family = descendants(child.pid ?? 0);
  assert.ok(family.length >= 3, 'supervisor, server and sandbox are running');
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  assert.deepEqual(await survivors(family, goneWithinMs), []);
}

journey('npm start opens on the demo sandbox and ends without a trace', async ({ browser }) => {
  const started = await startProduct();
  try {
    const { vscode, sandbox } = started;
    const session = await fetch(new URL('/api/auth/isauth', sandbox.url), {
      headers: { authorization: `Bearer ${sandbox.adminToken}` },
    });
    assert.equal(session.status, 200);
    const folder = new URL(vscode).searchParams.get('folder') ?? '';
    assert.ok(existsSync(folder));

    const page = await browser.newPage();
    await page.goto(vscode);
    const studio = new Studio(page, folder, 'Datamodel Studio');
    await studio.ready();
    await studio.openView();
    await studio.treeItem(/\S/);
    await studio.screenshot('start');
    assert.equal(started.stdout.length, 1, 'one line on stdout');

    await endsWhole(started, 'SIGINT');
    assert.equal(existsSync(folder), false, 'the scratch workspace is gone');
  } finally {
    started.child.kill('SIGTERM');
  }
});

journey('npm start leaves nothing running when it is killed', async () => {
  const started = await startProduct();
  await endsWhole(started, 'SIGKILL');
  // Nobody was left to do it.
  await rm(dirname(new URL(started.vscode).searchParams.get('folder') ?? ''), { recursive: true });
});
