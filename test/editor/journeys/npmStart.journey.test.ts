import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { findFilesContaining, readIfExists } from '../support/findFiles.ts';
import { journey } from '../support/journey.ts';
import { findDescendantProcesses, waitForProcessesToExit } from '../support/processes.ts';
import { Studio } from '../support/studio.ts';

const exitTimeoutMs = 10_000;

interface StartedProduct {
  readonly child: ChildProcess;
  readonly vscode: string;
  readonly sandbox: { readonly url: string; readonly adminToken: string; readonly userToken: string };
  /** All output on stdout so far. */
  readonly stdout: readonly string[];
}

/** Starts the product like `npm start -- --web --no-open --port 0`, but without a build. */
async function startProduct(options: readonly string[] = []): Promise<StartedProduct> {
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

/** Sends a request or an upgrade with any headers, and returns the status of the response. */
async function getStatus(address: URL, path: string, headers: OutgoingHttpHeaders): Promise<number> {
  const outgoingRequest = request({
    host: address.hostname,
    port: address.port,
    path,
    headers,
    agent: false,
  });
  outgoingRequest.end();
  const [response] = await Promise.race([
    once(outgoingRequest, 'response'),
    once(outgoingRequest, 'upgrade'),
  ]);
  outgoingRequest.destroy();
  return response.statusCode;
}

async function checkThatAllProcessesEnd(started: StartedProduct, signal: NodeJS.Signals): Promise<void> {
  const { child } = started;
  const processIds = findDescendantProcesses(child.pid ?? 0);
  assert.ok(processIds.length >= 3, 'supervisor, server and sandbox are running');
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  assert.deepEqual(await waitForProcessesToExit(processIds, exitTimeoutMs), []);
}

/**
 * Checks one request of each kind that must be accepted or refused; unit tests of request admission cover the details.
 */
async function checkAdmission(address: URL, token: string): Promise<void> {
  const { origin, host } = address;
  const passwordFilePath = `${address.pathname}vscode-remote-resource?path=/etc/passwd`;
  const cookie = `vscode-tkn=${token}`;
  const webSocketHeaders = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const upgradeHeaders = { ...webSocketHeaders, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  const requests: readonly (readonly [string, number, string, OutgoingHttpHeaders])[] = [
    ['no token', 403, passwordFilePath, { host }],
    ['a foreign Host', 403, passwordFilePath, { host: 'evil.example', cookie }],
    [
      'a WebSocket of a foreign page',
      403,
      address.pathname,
      { ...upgradeHeaders, host, cookie, origin: 'http://evil' },
    ],
    ['its own page', 200, passwordFilePath, { host, cookie, origin }],
    ['an allowed name', 200, passwordFilePath, { host: 'work.example', cookie }],
    ['a WebSocket of its own page', 101, address.pathname, { ...upgradeHeaders, host, cookie, origin }],
  ];
  for (const [description, status, path, headers] of requests) {
    assert.equal(await getStatus(address, path, headers), status, description);
  }
}

/** Checks that other users of the machine can read neither the files nor the token. */
async function checkPrivacy({ child }: StartedProduct, state: string, token: string): Promise<void> {
  const otherUsersMask = 0o077;
  for (const path of ['', 'server', 'server/connection-token', 'open.html', 'workspace', 'sandbox']) {
    assert.equal((await stat(join(state, path))).mode & otherUsersMask, 0, `${path} is its owner's alone`);
  }
  for (const pid of [child.pid ?? 0, ...findDescendantProcesses(child.pid ?? 0)]) {
    const args = String(await readIfExists(`/proc/${pid}/cmdline`));
    assert.ok(!args.includes(token), `the token is no argument of ${args}`);
  }
}

journey(
  'npm start accepts only requests of its own page, and leaves no processes or files behind',
  async ({ browser }) => {
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

      // Like `npm start`, open the page through the redirect file, so that the token isn't in the browser's arguments.
      const page = await browser.newPage();
      await page.goto(pathToFileURL(join(state, 'open.html')).href);
      await page.waitForURL((url) => url.searchParams.get('folder') === folder);
      assert.equal(new URL(page.url()).searchParams.get('tkn'), null, 'the token has left the address');
      const studio = new Studio(page, folder, 'Datamodel Studio');
      await studio.waitUntilReady();
      await studio.openView();
      await studio.findTreeItem(/\S/);
      await studio.waitForStatusBarItem('Restricted Mode');
      await studio.screenshot('start');
      assert.deepEqual(await findFilesContaining(join(state, 'server', 'data'), token), []);
      assert.equal(started.stdout.length, 1, 'one line on stdout');

      await checkThatAllProcessesEnd(started, 'SIGINT');
      assert.equal(existsSync(state), false, 'the scratch workspace and all other state are gone');
    } finally {
      started.child.kill('SIGTERM');
    }
  },
);

journey('npm start applies a profile, and leaves no process running when it is killed', async () => {
  const started = await startProduct(['--profile', 'contract']);
  // In profile contract, the endpoint that checks whether a token is signed in accepts requests without a token.
  assert.equal((await fetch(new URL('/api/auth/isauth', started.sandbox.url))).status, 200);
  await checkThatAllProcessesEnd(started, 'SIGKILL');
  // SIGKILL left no process that could remove the folder.
  await rm(dirname(new URL(started.vscode).searchParams.get('folder') ?? ''), { recursive: true });
});
