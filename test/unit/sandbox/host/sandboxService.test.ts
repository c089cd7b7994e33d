import { expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { SandboxStartError } from '../../../../src/sandbox/host/sandboxProcess.ts';
import { SandboxService, SandboxStoppedError } from '../../../../src/sandbox/host/sandboxService.ts';

/** A service whose processes the test ends, with `starts[index].end(exitCode)`. */
function getService() {
  const starts: { end(code: number | null): void }[] = [];
  const service = new SandboxService(
    { script: 'sandbox.js', folder: '/data', seed: 'empty' },
    silentLog,
    async () => {
      const { promise: exited, resolve } = Promise.withResolvers<number | null>();
      starts.push({ end: resolve });
      const stop = async (): Promise<void> => resolve(0);
      return { url: `http://127.0.0.1:${starts.length}`, adminToken: 'a', userToken: 'u', exited, stop };
    },
  );
  let ends = 0;
  service.onDidEnd(() => {
    ends += 1;
  });
  return { service, starts, ends: () => ends };
}

/** Runs all pending work. */
const waitForPendingWork = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('all callers share one sandbox', async () => {
  const { service, starts } = getService();
  const [first, second] = await Promise.all([service.ensureRunning(), service.ensureRunning()]);
  expect(first).toBe(second);
  expect(starts).toHaveLength(1);
});

test('a stopped sandbox is started by explicit request only', async () => {
  const { service, starts, ends } = getService();
  await service.ensureRunning();
  expect(await service.stop()).toBe(true);
  expect(await service.stop()).toBe(false);
  await expect(service.ensureRunning()).rejects.toEqual(new SandboxStoppedError('stopped'));
  await waitForPendingWork();
  expect([starts.length, ends()]).toEqual([1, 0]);
  const again = await service.start();
  await waitForPendingWork();
  expect(await service.ensureRunning()).toBe(again);
  expect(starts).toHaveLength(2);
});

test('an unexpected end is reported, and the sandbox does not restart on its own', async () => {
  const { service, starts, ends } = getService();
  await service.ensureRunning();
  starts[0]?.end(null);
  await waitForPendingWork();
  expect(ends()).toBe(1);
  await expect(service.ensureRunning()).rejects.toEqual(new SandboxStoppedError('unexpected'));
  await service.start();
  expect(starts).toHaveLength(2);
});

test("a sandbox replaced by another window's is found again", async () => {
  const { service, starts, ends } = getService();
  await service.ensureRunning();
  starts[0]?.end(0);
  await waitForPendingWork();
  await service.ensureRunning();
  expect([starts.length, ends()]).toEqual([2, 0]);
});

test("the end of another window's sandbox is reported once, when it no longer listens", async () => {
  const { service, starts, ends } = getService();
  const { url } = await service.ensureRunning();
  starts[0]?.end(0);
  await waitForPendingWork();
  await Promise.all([service.handleConnectionLost(url), service.handleConnectionLost(url)]);
  expect(ends()).toBe(1);
  await expect(service.ensureRunning()).rejects.toEqual(new SandboxStoppedError('stopped'));
  await service.start();
  expect(starts).toHaveLength(2);
});

test('a caller with a former address is sent to the running sandbox', async () => {
  const { service, starts, ends } = getService();
  const { url } = await service.ensureRunning();
  starts[0]?.end(0);
  await waitForPendingWork();
  const running = await service.ensureRunning();
  await service.handleConnectionLost(url);
  expect(ends()).toBe(1);
  expect(await service.ensureRunning()).toBe(running);
});

test("a connection lost to this window's own process is not reported in addition to its end", async () => {
  const { service, starts, ends } = getService();
  const { url } = await service.ensureRunning();
  await service.handleConnectionLost(url);
  expect(ends()).toBe(0);
  starts[0]?.end(null);
  await waitForPendingWork();
  await service.handleConnectionLost(url);
  expect(ends()).toBe(1);
});

test('the end of a former sandbox does not affect the running one', async () => {
  const { service, starts } = getService();
  await service.ensureRunning();
  const stopping = service.stop();
  const running = await service.start();
  await stopping;
  starts[0]?.end(null);
  await waitForPendingWork();
  expect(await service.ensureRunning()).toBe(running);
});

test('a failed start is reported to its callers, and the next one tries again', async () => {
  let attempts = 0;
  const service = new SandboxService({ script: 's', folder: '/d', seed: 'empty' }, silentLog, async () => {
    attempts += 1;
    throw new SandboxStartError('no disk');
  });
  await expect(service.ensureRunning()).rejects.toThrow('no disk');
  await waitForPendingWork();
  await expect(service.ensureRunning()).rejects.toThrow('no disk');
  expect(attempts).toBe(2);
  await service.stop();
});
