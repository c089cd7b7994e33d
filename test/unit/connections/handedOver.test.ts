import { expect, test } from 'vitest';
import { HandedOverTokens, handedOverSandbox } from '../../../src/connections/handedOver.ts';
import type { TokenStore } from '../../../src/connections/tokenStore.ts';

const environment = (url: string) => ({
  DATAMODEL_STUDIO_SANDBOX_URL: url,
  DATAMODEL_STUDIO_SANDBOX_TOKEN: 'token',
});

const emptyStore: TokenStore = { get: async () => 'stored', set: async () => {}, forget: async () => {} };

test('a sandbox on this machine is taken over', async () => {
  const handedOver = handedOverSandbox(environment('http://127.0.0.1:4711'), 'Sandbox');
  expect(handedOver?.connection).toMatchObject({ name: 'Sandbox', url: 'http://127.0.0.1:4711' });
  const tokens = new HandedOverTokens(emptyStore, handedOver);
  expect(await tokens.get('handed-over', 'http://127.0.0.1:4711')).toBe('token');
});

test('its token goes to its own origin only', async () => {
  const tokens = new HandedOverTokens(
    emptyStore,
    handedOverSandbox(environment('http://127.0.0.1:4711'), 'S'),
  );
  expect(await tokens.get('handed-over', 'http://127.0.0.1:4712')).toBe('stored');
  expect(await tokens.get('another', 'http://127.0.0.1:4711')).toBe('stored');
});

test.each(['https://bi.example.com', 'http://127.0.0.1.example.com', 'nonsense', ''])(
  'an address elsewhere is not: %s',
  (url) => {
    expect(handedOverSandbox(environment(url), 'Sandbox')).toBeUndefined();
  },
);

test('a person signs in with another token, or out, for this session and without a trace in the store', async () => {
  const kept: string[] = [];
  const store: TokenStore = {
    get: async () => undefined,
    set: async (_id, _origin, token) => void kept.push(token),
    forget: async () => void kept.push('forgotten'),
  };
  const origin = 'http://127.0.0.1:4711';
  const tokens = new HandedOverTokens(store, handedOverSandbox(environment(origin), 'Sandbox'));
  await tokens.set('handed-over', origin, 'of a plain user');
  expect(await tokens.get('handed-over', origin)).toBe('of a plain user');
  await tokens.forget('handed-over', origin);
  expect(await tokens.get('handed-over', origin)).toBeUndefined();
  expect(kept).toEqual([]);
  await tokens.set('another', origin, 'token');
  await tokens.forget('another', origin);
  expect(kept).toEqual(['token', 'forgotten']);
});
