import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxProgram } from '../../support/programs.ts';
import { UndiciTransport, type TransportOptions } from '../../../src/client/undiciTransport.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { Doctor } from '../../../src/connections/doctor/doctor.ts';
import type { Diagnosis, StepId } from '../../../src/connections/doctor/diagnosis.ts';
import { type RunningSandbox, startSandboxProcess } from '../../../src/sandbox/host/sandboxProcess.ts';
import { MemoryLog } from '../../fakes/memoryLog.ts';
import {
  respondLikePlatform,
  startProxy,
  startServer,
  startSilentServer,
  testAuthority,
  respondWithLoginPage,
} from './servers.ts';
import { isWrite, startInterceptingProxy } from '../../support/interceptingProxy.ts';
import { closedPort } from '../../support/testServer.ts';

const token = 'the-token-of-a-person';

interface DoctorSetup extends TransportOptions {
  readonly token?: string | undefined;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** Runs the connection test on an address with the real probes and the real transport. */
async function runDoctor(
  url: string,
  setup: DoctorSetup = {},
): Promise<{ diagnosis: Diagnosis; log: MemoryLog }> {
  const { caCertificates = [], strictSSL = true, proxy, noProxy } = setup;
  const log = new MemoryLog();
  const doctor = new Doctor({
    ensureAddress: async () => url,
    tokens: { get: async () => ('token' in setup ? setup.token : token) },
    locks: { getRefusal: () => undefined },
    getNetworkSettings: () => ({ proxy, noProxy, strictSSL, environment: {} }),
    loadCertificates: async () => caCertificates,
    createTransport: async () =>
      new UndiciTransport({ proxy, noProxy, strictSSL, caCertificates, environment: {} }),
    getLimits: () => ({ timeoutMs: setup.timeoutMs ?? 10_000 }),
    clock: systemClock,
    log,
  });
  const diagnosis = await doctor.diagnose(
    { kind: 'remote', id: 'c', name: 'BI', role: 'development', url },
    { signal: setup.signal ?? new AbortController().signal },
  );
  expect(log.text + JSON.stringify(diagnosis)).not.toContain(setup.token ?? token);
  return { diagnosis, log };
}

/** The first step with a problem, as `step: outcome: finding`. */
function describeProblem({ steps }: Diagnosis): string {
  const found = steps.find(
    ({ outcome, failedDependency }) => outcome !== 'ok' && failedDependency === undefined,
  );
  return found === undefined ? 'none' : `${found.step}: ${found.outcome}: ${found.finding}`;
}

const getFacts = ({ steps }: Diagnosis, id: StepId) => steps.find(({ step }) => step === id)?.facts;

describe('against a sandbox', () => {
  let sandbox: RunningSandbox;
  let folder = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'doctor-'));
    const script = sandboxProgram;
    sandbox = await startSandboxProcess({ script, folder, seed: 'empty' });
  });
  afterAll(async () => {
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const sendRequest = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${sandbox.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${sandbox.adminToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  test('finds no problem for an administrator', async () => {
    const { diagnosis } = await runDoctor(sandbox.url, { token: sandbox.adminToken });
    expect(describeProblem(diagnosis)).toBe('none');
    expect(diagnosis.verdict).toBe('ok');
    expect(getFacts(diagnosis, 'tcp')).toMatchObject({ addresses: ['127.0.0.1'] });
  });

  test('creates no rule: its only write is an empty list of rules', async () => {
    const proxy = await startInterceptingProxy();
    proxy.setInstance(sandbox);
    try {
      const { diagnosis } = await runDoctor(proxy.url, { token: proxy.token });
      expect(diagnosis.verdict).toBe('ok');
      const writes = proxy.takeRequests().filter(isWrite);
      expect(writes.map(({ method, body }) => ({ method, body }))).toEqual([{ method: 'POST', body: '[]' }]);
    } finally {
      await proxy.close();
    }
  });

  test('fails at the token if it is wrong', async () => {
    const { diagnosis } = await runDoctor(sandbox.url, { token: 'wrong-token' });
    expect(describeProblem(diagnosis)).toBe('isauth: failed: token-refused');
    expect(diagnosis.verdict).toBe('failed');
  });

  test('warns about a user who is not an administrator', async () => {
    const { diagnosis } = await runDoctor(sandbox.url, { token: sandbox.userToken });
    expect(describeProblem(diagnosis)).toBe('administrator: warning: no-administrator');
    expect(getFacts(diagnosis, 'administrator')).toMatchObject({ status: 403 });
    expect(diagnosis.verdict).toBe('warning');
  });

  test('warns about an instance without viewpoint service', async () => {
    const fault = { kind: 'status', status: 404, pathPrefix: '/api/v1/infusion' };
    await sendRequest('PUT', '/sandbox/faults', { faults: [fault] });
    try {
      const { diagnosis } = await runDoctor(sandbox.url, { token: sandbox.adminToken });
      expect(describeProblem(diagnosis)).toBe('viewpoints: warning: no-viewpoints');
      expect(diagnosis.steps.at(-1)?.requirements).toEqual({ since: 'L2023.11', license: 'assistant-apps' });
    } finally {
      await sendRequest('PUT', '/sandbox/faults', { faults: [] });
    }
  });
});

describe('below HTTP', () => {
  test('fails at DNS if the host is unknown', async () => {
    const { diagnosis } = await runDoctor('https://no-such-host.invalid');
    // Where no name server is reachable, the connection test reports that.
    expect(describeProblem(diagnosis)).toMatch(/^dns: failed: (name-unknown|resolver-failed)$/);
    expect(diagnosis.steps.slice(2).every(({ failedDependency }) => failedDependency === 'dns')).toBe(true);
  });

  test('fails at TCP if the port is closed', async () => {
    const { diagnosis } = await runDoctor(`http://127.0.0.1:${closedPort}`);
    expect(describeProblem(diagnosis)).toBe('tcp: failed: port-closed');
  });

  test('sends no token to a server with a self-signed certificate', async () => {
    await using server = await startServer(respondLikePlatform, 'selfSigned');
    const { diagnosis } = await runDoctor(`https://127.0.0.1:${server.port}`);
    expect(describeProblem(diagnosis)).toBe('tls: failed: self-signed');
    expect(getFacts(diagnosis, 'tls')).toMatchObject({ chain: ['self.test'], reason: expect.any(String) });
    expect(server.requests).toEqual([]);
  });

  test('sends no token to a server with a certificate of an unknown authority, until that authority is configured', async () => {
    await using server = await startServer(respondLikePlatform, 'signed');
    const url = `https://127.0.0.1:${server.port}`;
    const before = await runDoctor(url);
    expect(describeProblem(before.diagnosis)).toBe('tls: failed: unknown-authority');
    expect(server.requests).toEqual([]);
    const after = await runDoctor(url, { caCertificates: [testAuthority] });
    expect(describeProblem(after.diagnosis)).toBe('none');
    expect(getFacts(after.diagnosis, 'tls')).toMatchObject({
      chain: ['analytics.test', 'Datamodel Studio Test Authority'],
      names: ['analytics.test', 'localhost', '127.0.0.1'],
      protocol: 'TLSv1.3',
      validTo: expect.any(Date),
    });
  });

  test('warns about an unverified certificate, and continues', async () => {
    await using server = await startServer(respondLikePlatform, 'selfSigned');
    const { diagnosis } = await runDoctor(`https://127.0.0.1:${server.port}`, { strictSSL: false });
    expect(describeProblem(diagnosis)).toBe('tls: warning: unverified');
    expect(diagnosis.steps.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  });

  test('fails at TLS if the certificate file is invalid', async () => {
    await using server = await startServer(respondLikePlatform, 'signed');
    const { diagnosis } = await runDoctor(`https://127.0.0.1:${server.port}`, {
      caCertificates: ['-----BEGIN CERTIFICATE-----\nnot a certificate\n-----END CERTIFICATE-----\n'],
    });
    expect(describeProblem(diagnosis)).toBe('tls: failed: certificate-file-unusable');
  });

  test('fails at TLS if the server does not support it', async () => {
    await using server = await startServer(respondLikePlatform);
    const { diagnosis } = await runDoctor(`https://127.0.0.1:${server.port}`);
    expect(describeProblem(diagnosis)).toBe('tls: failed: no-handshake');
  });

  test('times out at TLS or HTTP if the server never responds', async () => {
    await using server = await startSilentServer();
    const secure = await runDoctor(`https://127.0.0.1:${server.port}`, { timeoutMs: 1000 });
    expect(describeProblem(secure.diagnosis)).toBe('tls: failed: timed-out');
    const plain = await runDoctor(`http://127.0.0.1:${server.port}`, { timeoutMs: 1000 });
    expect(describeProblem(plain.diagnosis)).toBe('http: failed: timed-out');
  });

  test('cancels at once', async () => {
    await using server = await startSilentServer();
    const controller = new AbortController();
    const running = runDoctor(`https://127.0.0.1:${server.port}`, { signal: controller.signal });
    controller.abort(new Error('the person gave up'));
    await expect(running).rejects.toThrow('the person gave up');
  });
});

describe('HTTP', () => {
  test('sends no token to a login page', async () => {
    await using server = await startServer(respondWithLoginPage);
    const { diagnosis } = await runDoctor(`http://127.0.0.1:${server.port}`);
    expect(describeProblem(diagnosis)).toBe('http: failed: web-page');
    expect(getFacts(diagnosis, 'http')).toMatchObject({ serverMessage: 'Please log in' });
    expect(server.authorizationHeaders).toEqual([]);
  });

  test('sends no token to a server that redirects everyone to its login', async () => {
    await using server = await startServer((_, response) => {
      response.writeHead(302, { location: 'https://sso.example.test/start?state=1' }).end();
    });
    const { diagnosis } = await runDoctor(`http://127.0.0.1:${server.port}`);
    expect(describeProblem(diagnosis)).toBe('http: failed: sent-elsewhere');
    expect(getFacts(diagnosis, 'http')).toMatchObject({ targetOrigin: 'https://sso.example.test' });
    expect(server.authorizationHeaders).toEqual([]);
  });
});

describe('through a proxy', () => {
  test('fails at TCP if the proxy does not run', async () => {
    const proxy = `http://127.0.0.1:${closedPort}`;
    const { diagnosis } = await runDoctor('https://analytics.test', { proxy });
    expect(describeProblem(diagnosis)).toBe('tcp: failed: port-closed');
    expect(diagnosis.steps[2]).toMatchObject({ remedy: 'check-proxy', facts: { proxy } });
  });

  test('a working proxy resolves a name that only it knows', async () => {
    await using server = await startServer(respondLikePlatform, 'signed');
    await using proxy = await startProxy(server.port);
    const { diagnosis } = await runDoctor('https://analytics.test', {
      proxy: `http://127.0.0.1:${proxy.port}`,
      caCertificates: [testAuthority],
    });
    expect(describeProblem(diagnosis)).toBe('none');
    expect(diagnosis.verdict).toBe('ok');
    expect(new Set(proxy.requests)).toEqual(new Set(['CONNECT analytics.test:443']));
    expect(proxy.authorizationHeaders).toEqual([]);
  });

  test('fails at a proxy that requires a password, and continues with the password', async () => {
    await using server = await startServer(respondLikePlatform, 'signed');
    await using proxy = await startProxy(server.port, `Basic ${btoa('anna:pass word')}`);
    const withoutPassword = await runDoctor('https://analytics.test', {
      proxy: `http://127.0.0.1:${proxy.port}`,
    });
    expect(describeProblem(withoutPassword.diagnosis)).toBe('proxy: failed: proxy-needs-password');
    const withPassword = await runDoctor('https://analytics.test', {
      proxy: `http://anna:pass%20word@127.0.0.1:${proxy.port}`,
      caCertificates: [testAuthority],
    });
    expect(describeProblem(withPassword.diagnosis)).toBe('none');
    expect(JSON.stringify(withPassword.diagnosis) + withPassword.log.text).not.toMatch(/anna|pass/);
  });

  test('fails at the proxy step if the server is not a proxy', async () => {
    await using server = await startServer(respondLikePlatform);
    await using silence = await startSilentServer();
    const silentProxyResult = await runDoctor('https://analytics.test', {
      proxy: `http://127.0.0.1:${silence.port}`,
      timeoutMs: 1000,
    });
    expect(describeProblem(silentProxyResult.diagnosis)).toBe('proxy: failed: timed-out');
    const webServerResult = await runDoctor('https://analytics.test', {
      proxy: `http://127.0.0.1:${server.port}`,
    });
    expect(describeProblem(webServerResult.diagnosis)).toMatch(/^proxy: failed: /);
  });
});
