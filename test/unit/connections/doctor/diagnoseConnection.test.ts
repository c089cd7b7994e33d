import { describe, expect, test } from 'vitest';
import {
  type DoctorRemedy,
  type StepFinding,
  type StepOutcome,
  type StepId,
  stepIds,
} from '../../../../src/connections/doctor/diagnosis.ts';
import { TransportFailure } from '../../../../src/client/transport.ts';
import { readRecordedText } from '../../../support/recorded.ts';
import {
  type DoctorSetup,
  startDiagnosis,
  createError,
  getStep,
  token,
  createTransportFailure,
} from './support.ts';

async function diagnose(setup: DoctorSetup) {
  const started = await startDiagnosis(setup);
  return { ...started, diagnosis: await started.running };
}

const loginPage = { headers: { 'content-type': 'text/html' }, body: '<html><h1>Log in</h1></html>' };

test('every step for a healthy connection is ok, and the token is sent only by the last steps', async () => {
  const { diagnosis, events, steps, transport, log } = await diagnose({});
  expect(diagnosis.verdict).toBe('ok');
  expect(diagnosis.steps.map(({ step, outcome }) => [step, outcome])).toEqual(
    stepIds.map((step) => [step, 'ok']),
  );
  expect(steps).toEqual(stepIds);
  expect(events).toEqual([
    'lookup bi.example.test',
    'connect bi.example.test:443',
    'handshake bi.example.test',
    'closed',
    'http',
    'isauth',
    'administrator',
    'viewpoints',
  ]);
  expect(transport.requestLines).toEqual([
    'GET /api/auth/isauth',
    'GET /api/auth/isauth',
    'POST /api/elasticubes/datasecurity',
    'GET /api/v1/infusion/status',
  ]);
  expect(transport.requests[0]?.headers['authorization']).toBeUndefined();
  expect(transport.requests[2]?.body).toBe('[]');
  expect(transport.isDisposed).toBe(true);
  expect(log.text).not.toContain(token);
  expect(JSON.stringify(diagnosis)).not.toContain(token);
});

/** One fault in the environment, the step that finds it and its result. */
const faults: readonly (readonly [
  title: string,
  setup: DoctorSetup,
  step: StepId,
  outcome: StepOutcome,
  finding: StepFinding,
  remedy: DoctorRemedy | undefined,
])[] = [
  [
    'an address that cannot be parsed',
    { locate: async () => 'nonsense://' },
    'address',
    'failed',
    'address-unusable',
    'edit-connection',
  ],
  [
    'a sandbox that does not start',
    { kind: 'sandbox', locate: () => Promise.reject(new Error('no port')) },
    'address',
    'failed',
    'sandbox-not-started',
    'start-sandbox',
  ],
  [
    'an unusable proxy setting',
    { proxy: 'ftp://proxy' },
    'address',
    'failed',
    'proxy-setting-unusable',
    'check-proxy',
  ],
  [
    'a proxy setting whose password is not encoded',
    { proxy: 'http://me:50%@proxy.test' },
    'address',
    'failed',
    'proxy-setting-unusable',
    'check-proxy',
  ],
  [
    'an unknown host',
    { lookup: createError('ENOTFOUND') },
    'dns',
    'failed',
    'name-unknown',
    'edit-connection',
  ],
  [
    'an unknown proxy',
    { proxy: 'http://proxy.test:3128', lookup: createError('ENOTFOUND') },
    'dns',
    'failed',
    'name-unknown',
    'check-proxy',
  ],
  [
    'no name server',
    { lookup: createError('EAI_AGAIN') },
    'dns',
    'failed',
    'resolver-failed',
    'check-network',
  ],
  ['a name server that hangs', { lookup: 'hangs' }, 'dns', 'failed', 'resolver-failed', 'check-network'],
  [
    'a closed port',
    { connect: createError('ECONNREFUSED') },
    'tcp',
    'failed',
    'port-closed',
    'edit-connection',
  ],
  [
    'no route',
    { connect: createError('EHOSTUNREACH') },
    'tcp',
    'failed',
    'host-unreachable',
    'check-network',
  ],
  ['a firewall that drops packets', { connect: 'hangs' }, 'tcp', 'failed', 'timed-out', 'check-network'],
  [
    'a dead proxy',
    { proxy: 'proxy.test:3128', connect: createError('ECONNREFUSED') },
    'tcp',
    'failed',
    'port-closed',
    'check-proxy',
  ],
  [
    'a proxy with a password',
    { proxy: 'proxy.test:3128', tunnel: { status: 407 } },
    'proxy',
    'failed',
    'proxy-needs-password',
    'check-proxy',
  ],
  [
    'a proxy that refuses',
    { proxy: 'proxy.test:3128', tunnel: { status: 403 } },
    'proxy',
    'failed',
    'proxy-refuses',
    'check-proxy',
  ],
  [
    'a proxy setting that leads to another kind of server',
    { proxy: 'proxy.test:22', tunnel: { status: undefined } },
    'proxy',
    'failed',
    'not-a-proxy',
    'check-proxy',
  ],
  [
    'a proxy that hangs up',
    { proxy: 'proxy.test:22', tunnel: createError('ECONNRESET') },
    'proxy',
    'failed',
    'not-a-proxy',
    'check-proxy',
  ],
  [
    'an untrusted HTTPS proxy',
    { proxy: 'https://proxy.test', handshake: { problem: 'SELF_SIGNED_CERT_IN_CHAIN' } },
    'proxy',
    'failed',
    'proxy-untrusted',
    'add-authority',
  ],
  [
    'an HTTPS proxy with an expired certificate',
    { proxy: 'https://proxy.test', handshake: { problem: 'CERT_HAS_EXPIRED' } },
    'proxy',
    'failed',
    'proxy-untrusted',
    'check-certificate',
  ],
  [
    'an HTTPS proxy with a certificate for another name',
    { proxy: 'https://proxy.test', handshake: { problem: 'ERR_TLS_CERT_ALTNAME_INVALID' } },
    'proxy',
    'failed',
    'proxy-untrusted',
    'check-proxy',
  ],
  [
    'an HTTPS proxy that hangs',
    { proxy: 'https://proxy.test', handshake: 'hangs' },
    'proxy',
    'failed',
    'timed-out',
    'check-proxy',
  ],
  [
    'an HTTPS proxy that hangs up',
    { proxy: 'https://proxy.test', handshake: createError('ECONNRESET') },
    'proxy',
    'failed',
    'no-handshake',
    'check-proxy',
  ],
  [
    'a certificate file that is missing, with an HTTPS proxy',
    { proxy: 'https://proxy.test', certificates: () => Promise.reject(new Error('no file')) },
    'proxy',
    'failed',
    'certificate-file-unusable',
    'add-authority',
  ],
  [
    'a certificate file without a certificate, with an HTTPS proxy',
    {
      proxy: 'https://proxy.test',
      handshake: new TransportFailure('tls', { mayHaveBeenSent: false, cause: createError('ERR_OSSL_PEM') }),
    },
    'proxy',
    'failed',
    'certificate-file-unusable',
    'add-authority',
  ],
  [
    'a self-signed certificate',
    { handshake: { problem: 'DEPTH_ZERO_SELF_SIGNED_CERT' } },
    'tls',
    'failed',
    'self-signed',
    'add-authority',
  ],
  [
    'an unknown authority',
    { handshake: { problem: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' } },
    'tls',
    'failed',
    'unknown-authority',
    'add-authority',
  ],
  [
    'an expired certificate',
    { handshake: { problem: 'CERT_HAS_EXPIRED' } },
    'tls',
    'failed',
    'expired',
    'check-certificate',
  ],
  [
    'a certificate that is not valid yet',
    { handshake: { problem: 'CERT_NOT_YET_VALID' } },
    'tls',
    'failed',
    'not-yet-valid',
    'check-certificate',
  ],
  [
    'a certificate for another name',
    { handshake: { problem: 'ERR_TLS_CERT_ALTNAME_INVALID' } },
    'tls',
    'failed',
    'other-name',
    'edit-connection',
  ],
  [
    'a certificate with another fault',
    { handshake: { problem: 'CERT_REVOKED' } },
    'tls',
    'failed',
    'untrusted',
    'check-certificate',
  ],
  [
    'a certificate that is not checked',
    { strictSSL: false, handshake: { problem: 'CERT_HAS_EXPIRED' } },
    'tls',
    'warning',
    'unverified',
    'verify-certificates',
  ],
  [
    'a certificate that expires soon',
    { handshake: { validTo: new Date(1_000_000 + 1000) } },
    'tls',
    'warning',
    'expires-soon',
    'check-certificate',
  ],
  [
    'no TLS',
    { handshake: createError('ERR_SSL_WRONG_VERSION_NUMBER') },
    'tls',
    'failed',
    'no-handshake',
    'edit-connection',
  ],
  ['a server that hangs before TLS', { handshake: 'hangs' }, 'tls', 'failed', 'timed-out', 'check-network'],
  ['plain HTTP', { url: 'http://bi.example.test' }, 'tls', 'warning', 'not-encrypted', 'use-https'],
  [
    'a certificate file that is missing',
    { certificates: () => Promise.reject(new Error('no file')) },
    'tls',
    'failed',
    'certificate-file-unusable',
    'add-authority',
  ],
  [
    'a certificate file without a certificate',
    {
      handshake: new TransportFailure('tls', { mayHaveBeenSent: false, cause: createError('ERR_OSSL_PEM') }),
    },
    'tls',
    'failed',
    'certificate-file-unusable',
    'add-authority',
  ],
  ['a login page', { answers: { http: loginPage } }, 'http', 'failed', 'web-page', 'edit-connection'],
  [
    'another server',
    { answers: { http: { body: '{"hello":1}' } } },
    'http',
    'failed',
    'not-the-platform',
    'edit-connection',
  ],
  [
    'a path without the platform',
    { answers: { http: { status: 404 } } },
    'http',
    'failed',
    'nothing-there',
    'edit-connection',
  ],
  [
    'a redirect elsewhere',
    { answers: { http: { status: 302, headers: { location: 'https://sso.example.test/x?y' } } } },
    'http',
    'failed',
    'sent-elsewhere',
    'edit-connection',
  ],
  [
    'a redirect without a target',
    { answers: { http: { status: 300 } } },
    'http',
    'failed',
    'not-the-platform',
    'edit-connection',
  ],
  [
    'a redirect loop',
    { answers: { http: { status: 302, headers: { location: '/login' } } } },
    'http',
    'failed',
    'sent-elsewhere',
    'edit-connection',
  ],
  [
    'a forwarding proxy with a password',
    { answers: { http: { status: 407 } } },
    'http',
    'failed',
    'proxy-needs-password',
    'check-proxy',
  ],
  [
    'a server error',
    { answers: { http: { status: 503 } } },
    'http',
    'failed',
    'server-error',
    'check-server',
  ],
  ['a server that hangs', { answers: { http: 'hangs' } }, 'http', 'failed', 'timed-out', 'check-server'],
  [
    'a connection that breaks',
    { answers: { http: createTransportFailure('reset') } },
    'http',
    'failed',
    'exchange-failed',
    'edit-connection',
  ],
  [
    'a proxy that fails at the platform request',
    { answers: { http: createTransportFailure('proxy') } },
    'http',
    'failed',
    'exchange-failed',
    'check-proxy',
  ],
  ['no token', { token: undefined }, 'isauth', 'failed', 'no-token', 'sign-in'],
  ['a token with a blank', { token: 'a b' }, 'isauth', 'failed', 'token-unusable', 'sign-in'],
  [
    'a wrong token, by status',
    { answers: { isauth: { status: 401, body: '{}' } } },
    'isauth',
    'failed',
    'token-refused',
    'sign-in',
  ],
  [
    'a wrong token, by response body',
    { answers: { isauth: { body: '{"isauthenticated":false}' } } },
    'isauth',
    'failed',
    'token-refused',
    'sign-in',
  ],
  [
    'a wrong token, in the spelling of the contract',
    { answers: { isauth: { body: readRecordedText('isauth-not-signed-in.json') } } },
    'isauth',
    'failed',
    'token-refused',
    'sign-in',
  ],
  [
    'a wrong token, with single sign-on',
    { answers: { isauth: { body: readRecordedText('isauth-sso-not-signed-in.json') } } },
    'isauth',
    'failed',
    'token-refused',
    'sign-in',
  ],
  [
    'a session check without a boolean',
    { answers: { isauth: { body: '{"isAuthenticated":"yes"}' } } },
    'isauth',
    'failed',
    'unclear',
    'check-server',
  ],
  [
    'a session check with a server error',
    { answers: { isauth: { status: 500 } } },
    'isauth',
    'failed',
    'unclear',
    'check-server',
  ],
  [
    'a user who is no administrator',
    { answers: { administrator: { status: 403 } } },
    'administrator',
    'warning',
    'no-administrator',
    'ask-administrator',
  ],
  [
    'a user who is no administrator, by 401',
    { answers: { administrator: { status: 401 } } },
    'administrator',
    'warning',
    'no-administrator',
    'ask-administrator',
  ],
  [
    'a web page in place of the answer to an empty list',
    { answers: { administrator: loginPage } },
    'administrator',
    'warning',
    'unclear',
    'check-server',
  ],
  [
    'a server that refuses empty lists',
    { answers: { administrator: { status: 400 } } },
    'administrator',
    'warning',
    'unclear',
    'check-server',
  ],
  [
    'a read-only connection',
    { refusal: 'read-only' },
    'administrator',
    'skipped',
    'refuses-writes',
    undefined,
  ],
  ['a locked connection', { refusal: 'locked' }, 'administrator', 'skipped', 'refuses-writes', 'unlock'],
  [
    'no viewpoint service',
    { answers: { viewpoints: { status: 404 } } },
    'viewpoints',
    'warning',
    'no-viewpoints',
    'check-version',
  ],
  [
    'a web page in place of the viewpoint service',
    { answers: { viewpoints: loginPage } },
    'viewpoints',
    'warning',
    'no-viewpoints',
    'check-version',
  ],
  [
    'a viewpoint service that says no',
    { answers: { viewpoints: { body: '{"status":"ok","enabled":false}' } } },
    'viewpoints',
    'warning',
    'viewpoints-not-ready',
    'check-server',
  ],
  [
    'a viewpoint service that hangs',
    { answers: { viewpoints: 'hangs' } },
    'viewpoints',
    'warning',
    'timed-out',
    'check-server',
  ],
];

describe('each fault is found by its step, with advice', () => {
  test.each(faults)('%s', async (_, setup, step, outcome, finding, remedy) => {
    const { diagnosis, log } = await diagnose(setup);
    const report = getStep(diagnosis, step);
    expect([report.outcome, report.finding, report.remedy]).toEqual([outcome, finding, remedy]);
    expect(diagnosis.verdict).toBe(outcome === 'skipped' ? 'ok' : outcome);
    // All other steps are ok, or skipped because of the fault.
    const others = diagnosis.steps.filter((each) => each.step !== step && each.outcome !== 'ok');
    expect(others.filter(({ failedDependency }) => failedDependency !== step)).toEqual([]);
    expect(log.text).not.toContain(token);
    expect(JSON.stringify(diagnosis)).not.toContain(token);
  });
});

describe('the token is withheld', () => {
  const stepsWithoutToken = new Set<StepId>(['address', 'dns', 'tcp', 'proxy', 'tls', 'http']);
  test.each(faults.filter(([, , step, outcome]) => stepsWithoutToken.has(step) && outcome === 'failed'))(
    'with %s',
    async (_, setup) => {
      const { transport } = await diagnose(setup);
      expect(transport.requests.flatMap(({ headers }) => headers['authorization'] ?? [])).toEqual([]);
    },
  );
});

test('a check whose connection breaks reports the code of the error', async () => {
  const failure = new TransportFailure('reset', { mayHaveBeenSent: true });
  const { diagnosis } = await diagnose({ answers: { viewpoints: failure } });
  expect(getStep(diagnosis, 'viewpoints')).toMatchObject({
    outcome: 'warning',
    finding: 'unclear',
    facts: { reason: 'network-reset' },
  });
});

test.each(['isauth-signed-in.json', 'isauth-not-signed-in.json', 'isauth-sso-not-signed-in.json'])(
  'a server that responds with %s is the platform',
  async (name) => {
    const { diagnosis } = await diagnose({ answers: { http: { body: readRecordedText(name) } } });
    expect(getStep(diagnosis, 'http')).toMatchObject({ outcome: 'ok', finding: 'answers' });
  },
);

test('the sign-in page of single sign-on is reported by its origin only', async () => {
  const { diagnosis } = await diagnose({
    answers: { isauth: { body: readRecordedText('isauth-sso-not-signed-in.json') } },
  });
  expect(getStep(diagnosis, 'isauth').facts).toEqual({ targetOrigin: 'http://login.url' });
});

test('a connection that rejects writes is sent no write', async () => {
  for (const refusal of ['read-only', 'locked'] as const) {
    const { transport, diagnosis } = await diagnose({ refusal });
    expect(transport.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
    expect(getStep(diagnosis, 'administrator').facts.refusal).toBe(refusal);
  }
});

test('a token echoed by the server is removed', async () => {
  const { diagnosis } = await diagnose({
    answers: { isauth: { status: 401, body: JSON.stringify({ detail: `no ${token}` }) } },
  });
  expect(getStep(diagnosis, 'isauth').facts.serverMessage).toBe('no •••');
});

test('a step that depends on a failed one is skipped and names it; independent steps still run', async () => {
  const { diagnosis } = await diagnose({ token: undefined });
  expect(
    diagnosis.steps.map(({ step, outcome, failedDependency }) => [step, outcome, failedDependency]),
  ).toEqual([
    ['address', 'ok', undefined],
    ['dns', 'ok', undefined],
    ['tcp', 'ok', undefined],
    ['proxy', 'ok', undefined],
    ['tls', 'ok', undefined],
    ['http', 'ok', undefined],
    ['isauth', 'failed', undefined],
    ['administrator', 'skipped', 'isauth'],
    ['viewpoints', 'ok', undefined],
  ]);
});

describe('through a proxy', () => {
  test('the proxy is resolved, connected to and asked for a tunnel; its password never appears', async () => {
    const { diagnosis, events, log } = await diagnose({
      proxy: 'http://anna:pass%20word@proxy.test:3128',
    });
    expect(events.slice(0, 4)).toEqual([
      'lookup proxy.test',
      'connect proxy.test:3128',
      `tunnel bi.example.test:443 Basic ${btoa('anna:pass word')}`,
      'handshake bi.example.test',
    ]);
    expect(getStep(diagnosis, 'proxy').facts).toMatchObject({
      proxy: 'http://proxy.test:3128',
      proxySource: 'setting',
    });
    expect(JSON.stringify(diagnosis) + log.text).not.toMatch(/anna|pass/);
  });

  test('plain HTTP is forwarded without a tunnel, and the environment variables apply', async () => {
    const { diagnosis, events } = await diagnose({
      url: 'http://bi.example.test',
      environment: { http_proxy: 'http://proxy.test:3128' },
    });
    expect(events.slice(0, 3)).toEqual(['lookup proxy.test', 'connect proxy.test:3128', 'http']);
    expect(getStep(diagnosis, 'proxy')).toMatchObject({
      finding: 'proxy-forwards',
      facts: { proxySource: 'environment' },
    });
  });

  test('TLS is used with an HTTPS proxy before the tunnel request', async () => {
    const { events } = await diagnose({ proxy: 'https://proxy.test' });
    expect(events.slice(1, 5)).toEqual([
      'connect proxy.test:443',
      'handshake proxy.test',
      'tunnel bi.example.test:443',
      'handshake bi.example.test',
    ]);
  });

  test('a SOCKS proxy is left to the platform step, which still runs first without the token', async () => {
    const { diagnosis } = await diagnose({ proxy: 'socks5://proxy.test' });
    expect(getStep(diagnosis, 'proxy').outcome).toBe('skipped');
    expect(getStep(diagnosis, 'tls').outcome).toBe('skipped');
    expect(getStep(diagnosis, 'http').outcome).toBe('ok');
    expect(diagnosis.verdict).toBe('ok');
  });

  test('this machine is reached directly', async () => {
    const { diagnosis } = await diagnose({ proxy: 'http://proxy.test', url: 'http://127.0.0.1:8080' });
    expect(getStep(diagnosis, 'dns').finding).toBe('name-is-address');
    expect(getStep(diagnosis, 'proxy').finding).toBe('no-proxy');
    expect(getStep(diagnosis, 'tls').finding).toBe('encryption-not-needed');
  });
});

test.each(stepIds)(
  'canceling at the step %s ends the diagnosis at once and closes the connection',
  async (abortAt) => {
    const { running, steps, events } = await startDiagnosis({ abortAt });
    await expect(running).rejects.toThrow('the user canceled');
    expect(steps.at(-1)).toBe(abortAt);
    expect(events.filter((event) => event === 'closed').length).toBe(
      events.filter((event) => event.startsWith('connect')).length,
    );
  },
);
