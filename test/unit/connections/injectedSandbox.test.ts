import { expect, test } from 'vitest';
import { demoCubeSets } from '../../../src/connections/demoCubeSets.ts';
import { getInjectedSandbox } from '../../../src/connections/injectedSandbox.ts';

const createEnvironment = (url: string) => ({
  DATAMODEL_STUDIO_SANDBOX_URL: url,
  DATAMODEL_STUDIO_SANDBOX_TOKEN: 'token',
});

test('a sandbox on this machine is used', () => {
  const injected = getInjectedSandbox(createEnvironment('http://127.0.0.1:4711'), 'Sandbox');
  expect(injected?.connection).toMatchObject({ name: 'Sandbox', url: 'http://127.0.0.1:4711' });
  expect(injected?.token).toBe('token');
});

test('only the demo data has known cube sets', () => {
  const url = 'http://127.0.0.1:4711';
  const demo = { ...createEnvironment(url), DATAMODEL_STUDIO_SANDBOX_SEED: 'demo' };
  expect(getInjectedSandbox(demo, 'Sandbox')?.connection.cubeSets).toEqual(demoCubeSets);
  expect(getInjectedSandbox(createEnvironment(url), 'Sandbox')?.connection.cubeSets).toBeUndefined();
});

test.each(['https://bi.example.com', 'http://127.0.0.1.example.com', 'nonsense', ''])(
  'a sandbox at an address that is not on this machine is not used: %s',
  (url) => {
    expect(getInjectedSandbox(createEnvironment(url), 'Sandbox')).toBeUndefined();
  },
);
