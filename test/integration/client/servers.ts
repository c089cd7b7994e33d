import type { RequestListener, ServerResponse } from 'node:http';
import { afterEach } from 'vitest';
import type { PlatformClientDeps } from '../../../src/client/platformClient.ts';
import type { TransportOptions } from '../../../src/client/undiciTransport.ts';
import { type TestServer, startHttpServer } from '../../support/testServer.ts';
import { type RealClient, expectApiErrorWithoutSecrets, createRealClient } from './realClient.ts';

/** The token that the clients of these tests send; it must not show up anywhere. */
export const token = 'secret-token-4711';

/** The response to a session check. */
export const session = '{"isauthenticated":true}';

export const respond = (
  response: ServerResponse,
  body: string,
  status = 200,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
};

export const expectFailure = (call: Promise<unknown>, { log }: RealClient, ...secrets: readonly string[]) =>
  expectApiErrorWithoutSecrets(call, log, [token, ...secrets]);

/** Creates servers and clients that are closed after the test. */
export function useServers() {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
  });
  const closeAfterTest = <T extends { close(): unknown }>(closable: T): T => {
    open.push(closable);
    return closable;
  };
  return {
    closeAfterTest,
    startServer: async (handler: RequestListener): Promise<TestServer> =>
      closeAfterTest(await startHttpServer(handler)),
    connect: (
      url: string,
      options: { transport?: TransportOptions; deps?: Partial<PlatformClientDeps> } = {},
    ): RealClient => {
      const realClient = createRealClient(url, token, options);
      closeAfterTest({ close: () => realClient.client.dispose() });
      return realClient;
    },
  };
}
