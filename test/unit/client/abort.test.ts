import { describe, expect, test } from 'vitest';
import { ConnectionClosedError, CanceledError } from '../../../src/client/errors.ts';
import { retryOnSessionReplaced } from '../../../src/client/abort.ts';
import { getFailure, json, createTestClient } from './support.ts';

describe('a caller waiting for a response while the connection is replaced', () => {
  test('gets the response from the new client', async () => {
    const { client: oldClient, transport } = createTestClient(() => new Promise<never>(() => {}));
    const newClient = createTestClient(json([{ oid: 'm', title: 'Retail' }])).client;
    const clients = [oldClient, newClient];
    const reading = retryOnSessionReplaced(() => (clients.shift() ?? newClient).datamodels.list());
    await transport.waitForRequests(1);
    oldClient.dispose();
    expect((await reading).value.map(({ title }) => title)).toEqual(['Retail']);
  });

  test('gets an error if the new connection is closed, too', async () => {
    const { client } = createTestClient(json({}));
    client.dispose();
    expect(await getFailure(retryOnSessionReplaced(() => client.session.check()))).toBeInstanceOf(
      ConnectionClosedError,
    );
  });

  test('sends no request that it has canceled', async () => {
    const { client, transport } = createTestClient(json({}));
    const signal = AbortSignal.abort();
    expect(await getFailure(retryOnSessionReplaced(() => client.session.check(signal)))).toBeInstanceOf(
      CanceledError,
    );
    expect(transport.requests).toEqual([]);
  });
});

test('closing the client during a write reports that the write may have happened', async () => {
  const { client, transport } = createTestClient(() => new Promise<never>(() => {}));
  const writing = getFailure(client.datamodels.create({ title: 'X' }));
  await transport.waitForRequests(1);
  client.dispose();
  expect(await writing).toMatchObject({
    code: 'connection-closed',
    mayHaveTakenEffect: true,
    remedy: 'look-before-repeating',
  });
});
