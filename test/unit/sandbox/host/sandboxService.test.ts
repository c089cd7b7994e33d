import { expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { SandboxStartError } from '../../../../src/sandbox/host/sandboxProcess.ts';
import { SandboxService, SandboxStoppedError } from '../../../../src/sandbox/host/sandboxService.ts';

/** A service whose processes the test ends, with `processes[index].end(exitCode)`. */
function createService() {
  const processes: { end(code: number | null): void }[] = [];
  const service = new SandboxService(
    { script: 'sandbox.js', folder: '/data', seed: 'empty' },
    silentLog,
    async () => {
      const { promise: exited, resolve } = Promise.withResolvers<number | null>();
      processes.push({ end: resolve });
      const stop = async (): Promise<void> => resolve(0);
      return { url: `http://127.0.0.1:${processes.length}`, adminToken: 'a', userToken: 'u', exited, stop };
    },
  );
  let endCount = 0;
  service.onDidEnd(() => {
    endCount += 1;
  });
  return { service, processes, getEndCount: () => endCount };
}

/** Waits until all pending callbacks have run. */
const waitForPendingWork = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('all callers share one sandbox', async () => {
  const { service, processes } = createService();
  const [first, second] = await Promise.all([service.ensureRunning(), service.ensureRunning()]);
  expect(first).toBe(second);
  expect(processes).toHaveLength(1);
});

test('a stopped sandbox is started by explicit request only', async () => {
  const { service, processes, getEndCount } = createService();
  await service.ensureRunning();
  expect(await service.stop()).toBe(true);
  expect(await service.stop()).toBe(false);
  await expect(service.ensureRunning()).rejects.toEqual(new SandboxStoppedError('stopped'));
  await waitForPendingWork();
  expect([processes.length, getEndCount()]).toEqual([1, 0]);
  const restarted = await service.start();
  await waitForPendingWork();
  expect(await service.ensureRunning()).toBe(restarted);
  expect(processes).toHaveLength(2);
});

test('an unexpected end is reported, and the sandbox does not restart on its own', async () => {
  const { service, processes, getEndCount } = createService();
  await service.ensureRunning();
  processes[0]?.end(null);
  await waitForPendingWork();
  expect(getEndCount()).toBe(1);
  await expect(service.ensureRunning()).rejects.toEqual(new SandboxStoppedError('unexpected'));
  await service.start();
  expect(processes).toHaveLength(2);
});

test("a sandbox that another window's sandbox has replaced is found again", async () => {
  const { service, processes, getEndCount } = createService();
  await service.ensureRunning();
  processes[0]?.end(0);
  await waitForPendingWork();
  await service.ensureRunning();
  expect([processes.length, getEndCount()]).toEqual([2, 0]);
});

test("the end of another window's sandbox is reported once, when it no longer listens", async () => {
  const { service, processes, getEndCount } = createService();
  const { url } = await service.ensureRunning();
  processes[0]?.end(0);
  await waitForPendingWork();
  await Promise.all([service.handleConnectionLost(url), service.handleConnectionLost(url)]);
  expect(getEndCount()).toBe(1);
  await expect(service.ensureRunning()).rejects.toEqual(new SandboxStoppedError('stopped'));
  await service.start();
  expect(processes).toHaveLength(2);
});

test('a caller with the address of a previous sandbox gets the running one', async () => {
  const { service, processes, getEndCount } = createService();
  const { url } = await service.ensureRunning();
  processes[0]?.end(0);
  await waitForPendingWork();
  const running = await service.ensureRunning();
  await service.handleConnectionLost(url);
  expect(getEndCount()).toBe(1);
  expect(await service.ensureRunning()).toBe(running);
});

test("a connection lost to this window's own process is not reported in addition to its end", async () => {
  const { service, processes, getEndCount } = createService();
  const { url } = await service.ensureRunning();
  await service.handleConnectionLost(url);
  expect(getEndCount()).toBe(0);
  processes[0]?.end(null);
  await waitForPendingWork();
  await service.handleConnectionLost(url);
  expect(getEndCount()).toBe(1);
});

test('the end of a previous sandbox does not affect the running one', async () => {
  const { service, processes } = createService();
  await service.ensureRunning();
  const stopping = service.stop();
  const running = await service.start();
  await stopping;
  processes[0]?.end(null);
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
