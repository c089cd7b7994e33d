import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  closedPort,
  startHttp2Server,
  startTestServer,
  startTlsServer,
  testCertificate,
} from '../../support/testServer.ts';
import { respond, expectFailure, session, useServers } from './servers.ts';

const { closeAfterTest, startServer, connect } = useServers();

/** A host that is reached only through a proxy. */
const target = 'platform.test';

/** A proxy that forwards nothing: it responds to plain requests itself and tunnels CONNECT to `port`. */
async function startProxy(port: number, refuse = false) {
  const receivedRequests: string[] = [];
  const recordRequest = (request: IncomingMessage): void => {
    receivedRequests.push(
      `${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim(),
    );
  };
  const server = createServer((request, response) => {
    recordRequest(request);
    respond(response, refuse ? '' : session, refuse ? 407 : 200);
  });
  server.on('connect', (request, socket) => {
    recordRequest(request);
    socket.on('error', () => undefined);
    if (refuse) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const tunnel = connectSocket(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(tunnel).pipe(socket);
    });
    tunnel.on('error', () => socket.destroy());
  });
  return { ...closeAfterTest(await startTestServer(server)), receivedRequests };
}

describe('TLS', () => {
  const respondOk: RequestListener = (_request, response) => respond(response, session);

  test('refuses an untrusted certificate, before the token is sent', async () => {
    let requestCount = 0;
    const server = closeAfterTest(
      await startTlsServer((request, response) => {
        requestCount += 1;
        respondOk(request, response);
      }),
    );
    const realClient = connect(server.url);
    expect(await expectFailure(realClient.client.session.check(), realClient)).toMatchObject({
      kind: 'tls',
      remedy: 'check-certificate',
    });
    const error = await expectFailure(realClient.client.datamodels.create({ title: 'X' }), realClient);
    expect(error).toMatchObject({ kind: 'tls', mayHaveTakenEffect: false });
    expect(requestCount).toBe(0);
  });

  test.each([
    ['the certificate as an authority', { caCertificates: [testCertificate] }],
    ['strictSSL off', { strictSSL: false }],
  ])('accepts an untrusted certificate with %s', async (_name, transport) => {
    const server = closeAfterTest(await startTlsServer(respondOk));
    const { client } = connect(server.url, { transport });
    expect((await client.session.check()).value.isauthenticated).toBe(true);
  });

  test.each([false, true])(
    'is used with HTTP/1.1 on a server that prefers HTTP/2 (through a proxy: %s)',
    async (usesProxy) => {
      const versions: string[] = [];
      const server = closeAfterTest(
        await startHttp2Server(({ httpVersion }, response) => {
          versions.push(httpVersion);
          response.setHeader('content-type', 'application/json');
          response.end(session);
        }),
      );
      const proxy = usesProxy ? (await startProxy(server.port)).url : undefined;
      const { client } = connect(usesProxy ? `https://${target}` : server.url, {
        transport: { strictSSL: false, proxy },
      });
      expect((await client.session.check()).value.isauthenticated).toBe(true);
      expect(versions).toEqual(['1.1']);
    },
  );

  test('plain HTTP where TLS is expected is a TLS error, and TLS where plain HTTP is expected is a network error', async () => {
    const plain = await startServer(respondOk);
    const httpsClient = connect(plain.url.replace('http:', 'https:'));
    expect(await expectFailure(httpsClient.client.session.check(), httpsClient)).toMatchObject({
      kind: 'tls',
    });
    const secure = closeAfterTest(await startTlsServer(respondOk));
    const httpClient = connect(secure.url.replace('https:', 'http:'));
    expect(await expectFailure(httpClient.client.session.check(), httpClient)).toMatchObject({
      name: 'NetworkError',
    });
  });

  test('an invalid certificate file is a TLS error', async () => {
    const server = closeAfterTest(await startTlsServer(respondOk));
    const realClient = connect(server.url, {
      transport: { caCertificates: ['-----BEGIN CERTIFICATE-----\nnonsense'] },
    });
    expect(await expectFailure(realClient.client.session.check(), realClient)).toMatchObject({
      name: 'NetworkError',
      kind: 'tls',
    });
  });
});

describe('proxies', () => {
  const secret = 'proxy-password';

  test('that are down cause a proxy error, for plain and for secure addresses', async () => {
    const proxy = `http://user:${secret}@127.0.0.1:${closedPort}`;
    for (const scheme of ['http', 'https']) {
      const realClient = connect(`${scheme}://${target}`, { transport: { proxy } });
      const error = await expectFailure(
        realClient.client.datamodels.create({ title: 'X' }),
        realClient,
        secret,
      );
      expect(error).toMatchObject({ kind: 'proxy', remedy: 'check-proxy', mayHaveTakenEffect: false });
    }
  });

  test('with an unknown host name cause a proxy error', async () => {
    const realClient = connect(`https://${target}`, {
      transport: { proxy: 'http://no-such-proxy.invalid:1' },
    });
    expect(await expectFailure(realClient.client.session.check(), realClient)).toMatchObject({
      kind: 'proxy',
    });
  });

  test('that refuse requests cause a proxy error', async () => {
    const proxy = await startProxy(0, true);
    for (const scheme of ['http', 'https']) {
      const realClient = connect(`${scheme}://${target}`, { transport: { proxy: proxy.url } });
      expect(await expectFailure(realClient.client.session.check(), realClient)).toMatchObject({
        kind: 'proxy',
      });
    }
  });

  test('with an invalid address cause a proxy error without the password', async () => {
    const realClient = connect(`https://${target}`, { transport: { proxy: `http://user:${secret}@[` } });
    const error = await expectFailure(realClient.client.session.check(), realClient, secret);
    expect(error).toMatchObject({ kind: 'proxy' });
  });

  test('forward plain requests and tunnel secure ones', async () => {
    const secure = closeAfterTest(await startTlsServer((_request, response) => respond(response, session)));
    const proxy = await startProxy(secure.port);
    const proxyUrlWithUser = proxy.url.replace('//', `//user:${secret}@`);
    const basicAuthorization = `Basic ${Buffer.from(`user:${secret}`).toString('base64')}`;
    const plain = connect(`http://${target}`, { transport: { proxy: proxyUrlWithUser } });
    await plain.client.session.check();
    const tls = connect(`https://${target}`, {
      transport: { environment: { HTTPS_PROXY: proxyUrlWithUser }, caCertificates: [testCertificate] },
    });
    await tls.client.session.check();
    expect(proxy.receivedRequests).toEqual([
      `GET http://${target}/api/auth/isauth ${basicAuthorization}`,
      `CONNECT ${target}:443 ${basicAuthorization}`,
    ]);
    expect(tls.log.text + plain.log.text).not.toContain(secret);
  });

  test('are bypassed for this machine', async () => {
    const server = await startServer((_request, response) => respond(response, session));
    const { client } = connect(server.url, {
      transport: { proxy: `http://127.0.0.1:${closedPort}` },
    });
    expect((await client.session.check()).value.isauthenticated).toBe(true);
  });
});
