import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import { type SandboxProcessOptions, startSandboxProcess } from '../../src/sandbox/host/sandboxProcess.ts';
import { createTemporaryFolder } from '../editor/support/temporaryFolder.ts';

/** Starts a sandbox in its own process. Returns its address, its token, and functions for requests to the sandbox. */
export async function startBenchSandbox(seed: SandboxProcessOptions['seed']) {
  const folder = await createTemporaryFolder();
  const script = join(projectRoot, 'dist', 'sandbox.js');
  const sandbox = await startSandboxProcess({ script, folder: folder.path, seed });
  const headers = { authorization: `Bearer ${sandbox.adminToken}`, accept: 'application/json' };
  return {
    url: sandbox.url,
    token: sandbox.adminToken,
    headers,
    async fetchText(path: string): Promise<string> {
      return (await fetch(`${sandbox.url}${path}`, { headers })).text();
    },
    async [Symbol.asyncDispose]() {
      await sandbox.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Starts a bare `node:http` server in its own process that answers every request with `body`. */
export async function startBareServer(body: string) {
  // Pass the body on standard input: it may exceed the length limit of a command line.
  const program = `
    const body = require('node:fs').readFileSync(0);
    const server = require('node:http').createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(body);
  // Awaited from the start, since the process may end before it is stopped: Ctrl+C reaches it, too.
  const exited = once(child, 'exit');
  const [port] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    url: `http://127.0.0.1:${String(port)}`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}
