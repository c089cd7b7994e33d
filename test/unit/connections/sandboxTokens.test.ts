import { expect, test } from 'vitest';
import { getInjectedSandbox } from '../../../src/connections/injectedSandbox.ts';
import { SandboxTokens } from '../../../src/connections/sandboxTokens.ts';
import type { TokenStore } from '../../../src/connections/tokenStore.ts';

const createEnvironment = (url: string) => ({
  DATAMODEL_STUDIO_SANDBOX_URL: url,
  DATAMODEL_STUDIO_SANDBOX_TOKEN: 'token',
});

const fallbackStore: TokenStore = { get: async () => 'stored', set: async () => {}, forget: async () => {} };

test('the token of the embedded sandbox is returned for its current address only, and never stored', async () => {
  const storeChanges: string[] = [];
  const store: TokenStore = {
    get: async () => 'token of an earlier start',
    set: async (_id, _origin, token) => void storeChanges.push(token),
    forget: async () => void storeChanges.push('forgotten'),
  };
  const tokens = new SandboxTokens(store, undefined);
  expect(await tokens.get('sandbox', 'http://127.0.0.1:1')).toBeUndefined();
  await tokens.set('sandbox', 'http://127.0.0.1:1', 'first');
  await tokens.set('sandbox', 'http://127.0.0.1:2', 'second');
  expect(await tokens.get('sandbox', 'http://127.0.0.1:1')).toBeUndefined();
  expect(await tokens.get('sandbox', 'http://127.0.0.1:2')).toBe('second');
  await tokens.forget('sandbox', 'http://127.0.0.1:2');
  expect(await tokens.get('sandbox', 'http://127.0.0.1:2')).toBeUndefined();
  expect(storeChanges).toEqual([]);
});

test('the token of an injected sandbox is returned for its own origin only', async () => {
  const tokens = new SandboxTokens(
    fallbackStore,
    getInjectedSandbox(createEnvironment('http://127.0.0.1:4711'), 'S'),
  );
  expect(await tokens.get('handed-over', 'http://127.0.0.1:4711')).toBe('token');
  expect(await tokens.get('handed-over', 'http://127.0.0.1:4712')).toBe('stored');
  expect(await tokens.get('another', 'http://127.0.0.1:4711')).toBe('stored');
});

test('signing in to an injected sandbox with another token, or signing out, does not change the token store', async () => {
  const storeChanges: string[] = [];
  const store: TokenStore = {
    get: async () => undefined,
    set: async (_id, _origin, token) => void storeChanges.push(token),
    forget: async () => void storeChanges.push('forgotten'),
  };
  const origin = 'http://127.0.0.1:4711';
  const tokens = new SandboxTokens(store, getInjectedSandbox(createEnvironment(origin), 'Sandbox'));
  await tokens.set('handed-over', origin, 'of a plain user');
  expect(await tokens.get('handed-over', origin)).toBe('of a plain user');
  await tokens.forget('handed-over', origin);
  expect(await tokens.get('handed-over', origin)).toBeUndefined();
  expect(storeChanges).toEqual([]);
  await tokens.set('another', origin, 'token');
  await tokens.forget('another', origin);
  expect(storeChanges).toEqual(['token', 'forgotten']);
});
