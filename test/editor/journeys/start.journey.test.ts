import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { findFilesContaining } from '../support/findFiles.ts';
import { journey } from '../support/journey.ts';
import { findDescendantProcesses, waitForProcessesToExit } from '../support/processes.ts';
import { Studio } from '../support/studio.ts';

const goneWithinMs = 10_000;

interface Started {
  readonly child: ChildProcess;
  readonly vscode: string;
  readonly sandbox: { readonly url: string; readonly adminToken: string; readonly userToken: string };
  /** All output on stdout so far. */
  readonly stdout: readonly string[];
}

/** Runs what `npm start -- --web --no-open --port 0` runs after the build. */
async function startProduct(options: readonly string[] = []): Promise<Started> {
  const script = join(projectRoot, 'src', 'launcher', 'start.ts');
  const child = spawn(process.execPath, [script, '--web', '--no-open', '--port', '0', ...options], {
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

/** Returns the response status of a request or an upgrade, with any headers. */
async function getStatus(address: URL, path: string, headers: OutgoingHttpHeaders): Promise<number> {
  const asking = request({ host: address.hostname, port: address.port, path, headers, agent: false });
  asking.end();
  const [answer] = await Promise.race([once(asking, 'response'), once(asking, 'upgrade')]);
  asking.destroy();
  return answer.statusCode;
}

async function endsWhole(started: Started, signal: NodeJS.Signals): Promise<void> {
  const { child } = started;
  const family = findDescendantProcesses(child.pid ?? 0);
  assert.ok(family.length >= 3, 'supervisor, server and sandbox are running');
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  assert.deepEqual(await waitForProcessesToExit(family, goneWithinMs), []);
}

/** Sends what a page of another origin, or a program without the token, would send; then what the own page sends. */
async function checkAdmission(address: URL, token: string): Promise<void> {
  const { origin, host } = address;
  const passwd = `${address.pathname}vscode-remote-resource?path=/etc/passwd`;
  const cookie = `vscode-tkn=${token}`;
  const socket = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const open = { ...socket, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  const attacks: readonly (readonly [string, string, OutgoingHttpHeaders])[] = [
    ['no token', passwd, {}],
    ['a wrong token', `${passwd}&tkn=0`, { cookie: 'vscode-tkn=0' }],
    ['a foreign Host', passwd, { cookie, host: 'evil.example' }],
    ['a foreign Host with the port', passwd, { cookie, host: `evil.example:${address.port}` }],
    ['a foreign Origin', passwd, { cookie, origin: 'http://evil.example' }],
    ['a page of another port', passwd, { cookie, origin: 'http://127.0.0.1:1' }],
    ['a WebSocket of a foreign page', address.pathname, { ...open, cookie, origin: 'http://evil.example' }],
    ['a WebSocket under a foreign name', address.pathname, { ...open, cookie, host: 'evil.example' }],
    ['a WebSocket without a token', address.pathname, { ...open, origin }],
    ['a WebSocket with a wrong token', address.pathname, { ...open, origin, cookie: 'vscode-tkn=0' }],
  ];
  for (const [what, path, headers] of attacks) {
    assert.equal(await getStatus(address, path, { host, ...headers }), 403, what);
  }
  assert.equal(await getStatus(address, passwd, { host, cookie, origin }), 200);
  assert.equal(await getStatus(address, passwd, { host: 'work.example', cookie }), 200);
  assert.equal(await getStatus(address, address.pathname, { ...open, host, origin, cookie }), 101);
}

/** Checks that other users of the machine can read neither the files nor the token. */
async function checkPrivacy({ child }: Started, state: string, token: string): Promise<void> {
  const others = 0o077;
  for (const path of ['', 'server', 'server/connection-token', 'open.html', 'workspace', 'sandbox']) {
    assert.equal((await stat(join(state, path))).mode & others, 0, `${path} is its owner's alone`);
  }
  for (const pid of [child.pid ?? 0, ...findDescendantProcesses(child.pid ?? 0)]) {
    const args = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    assert.ok(!args.includes(token), `the token is no argument of ${args}`);
  }
}

journey('npm start opens on the demo sandbox, for its own page only, and ends clean', async ({ browser }) => {
  const started = await startProduct(['--allow-host', 'work.example']);
  try {
    const { vscode, sandbox } = started;
    const session = await fetch(new URL('/api/auth/isauth', sandbox.url), {
      headers: { authorization: `Bearer ${sandbox.adminToken}` },
    });
    assert.equal(session.status, 200);
    const address = new URL(vscode);
    const folder = address.searchParams.get('folder') ?? '';
    const token = address.searchParams.get('tkn') ?? '';
    const state = dirname(folder);
    assert.ok(existsSync(folder));
    assert.match(token, /^[0-9a-f]{32}$/);
    await checkAdmission(address, token);
    await checkPrivacy(started, state, token);

    // The same way the browser is opened: no program argument contains the token.
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(state, 'open.html')).href);
    await page.waitForURL((url) => url.searchParams.get('folder') === folder);
    assert.equal(new URL(page.url()).searchParams.get('tkn'), null, 'the token has left the address');
    const studio = new Studio(page, folder, 'Datamodel Studio');
    await studio.ready();
    await studio.openView();
    await studio.treeItem(/\S/);
    await studio.statusBar('Restricted Mode');
    await studio.screenshot('start');
    assert.deepEqual(await findFilesContaining(join(state, 'server', 'data'), token), []);
    assert.equal(started.stdout.length, 1, 'one line on stdout');

    await endsWhole(started, 'SIGINT');
    assert.equal(existsSync(state), false, 'the scratch workspace and all other state are gone');
  } finally {
    started.child.kill('SIGTERM');
  }
});

journey('npm start follows a profile, and leaves nothing running when it is killed', async () => {
  const started = await startProduct(['--profile', 'contract']);
  // The published contract lets everyone ask whether they are signed in.
  assert.equal((await fetch(new URL('/api/auth/isauth', started.sandbox.url))).status, 200);
  await endsWhole(started, 'SIGKILL');
  // After SIGKILL, no process was left to remove the folder.
  await rm(dirname(new URL(started.vscode).searchParams.get('folder') ?? ''), { recursive: true });
});
