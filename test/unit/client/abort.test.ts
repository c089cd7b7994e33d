import { describe, expect, test } from 'vitest';
import { ConnectionClosedError, CancelledError } from '../../../src/client/errors.ts';
import { retryOnSessionReplaced } from '../../../src/client/abort.ts';
import { getFailure, json, makeClient } from './support.ts';

describe('a caller waiting for a response while the connection is replaced', () => {
  test('gets it from the new client', async () => {
    const old = makeClient(() => new Promise<never>(() => {})).client;
    const renewed = makeClient(json([{ oid: 'm', title: 'Retail' }])).client;
    const clients = [old, renewed];
    const reading = retryOnSessionReplaced(() => (clients.shift() ?? renewed).datamodels.list());
    await Promise.resolve();
    old.dispose();
    expect((await reading).value.map(({ title }) => title)).toEqual(['Retail']);
  });

  test('is notified when that one is closed, too', async () => {
    const { client } = makeClient(json({}));
    client.dispose();
    expect(await getFailure(retryOnSessionReplaced(() => client.session.check()))).toBeInstanceOf(
      ConnectionClosedError,
    );
  });

  test('sends no request that it has canceled', async () => {
    const { client, transport } = makeClient(json({}));
    const given = AbortSignal.abort();
    expect(await getFailure(retryOnSessionReplaced(() => client.session.check(given)))).toBeInstanceOf(
      CancelledError,
    );
    expect(transport.requests).toEqual([]);
  });
});

test('a write in progress may have happened, and the error says so', async () => {
  const sent = Promise.withResolvers<void>();
  const { client } = makeClient(() => {
    sent.resolve();
    return new Promise<never>(() => {});
  });
  const writing = getFailure(client.datamodels.create({ title: 'X' }));
  await sent.promise;
  client.dispose();
  expect(await writing).toMatchObject({
    code: 'connection-closed',
    mayHaveHappened: true,
    remedy: 'look-before-repeating',
  });
});
