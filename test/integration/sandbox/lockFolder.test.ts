import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { lockFolderOrFindSandbox } from '../../../src/sandbox/lockFolder.ts';
import { DataFolder } from '../../../src/sandbox/dataFolder.ts';

test('a process that took over the address of a killed sandbox gets no token and is not trusted', async () => {
  await using cleanup = new AsyncDisposableStack();
  const parent = mkdtempSync(join(tmpdir(), 'sandbox-attach-'));
  cleanup.defer(() => rmSync(parent, { recursive: true, force: true }));
  const folder = new DataFolder(join(parent, 'data'));
  const tokens = folder.getOrCreateTokens();
  // Another process is starting: it holds the folder, and has not announced its address yet.
  const lock = folder.lock();
  const requests: string[] = [];
  const impostor = createServer(({ url, headers }, response) => {
    requests.push(JSON.stringify([url, headers]));
    response.end(JSON.stringify({ pid: process.pid, proof: 'x'.repeat(64) }));
    lock?.dispose();
  }).listen(0, '127.0.0.1');
  cleanup.defer(() => void impostor.close());
  await once(impostor, 'listening');
  const { port } = impostor.address() as AddressInfo;
  folder.writeAnnouncement({ pid: process.pid, url: `http://127.0.0.1:${port}` });

  const claimed = await lockFolderOrFindSandbox(folder, systemClock);

  expect(Object.keys(claimed)).toEqual(['lock']);
  expect(requests).not.toEqual([]);
  expect(requests.join()).not.toContain(tokens.adminToken);
  if ('lock' in claimed) {
    claimed.lock.dispose();
  }
});
