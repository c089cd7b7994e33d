import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSandboxProcess } from '../../../../src/sandbox/host/sandboxProcess.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-host-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a process that does not exit on request is killed', async () => {
  const script = join(folder, 'ignoresStop.mjs');
  const access = { url: 'http://127.0.0.1:1', adminToken: 'a', userToken: 'u' };
  writeFileSync(
    script,
    `process.on('SIGTERM', () => {}); process.stdout.write(${JSON.stringify(`${JSON.stringify(access)}\n`)}); setInterval(() => {}, 1000);`,
  );
  const sandbox = await startSandboxProcess({ script, folder, seed: 'empty', stopTimeoutMs: 10 });
  await sandbox.stop();
  expect(await sandbox.exited).toBe(null);
});
