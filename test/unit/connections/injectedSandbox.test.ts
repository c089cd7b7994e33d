import { expect, test } from 'vitest';
import { getInjectedSandbox } from '../../../src/connections/injectedSandbox.ts';

const environment = (url: string) => ({
  DATAMODEL_STUDIO_SANDBOX_URL: url,
  DATAMODEL_STUDIO_SANDBOX_TOKEN: 'token',
});

test('a sandbox on this machine is used', () => {
  const injected = getInjectedSandbox(environment('http://127.0.0.1:4711'), 'Sandbox');
  expect(injected?.connection).toMatchObject({ name: 'Sandbox', url: 'http://127.0.0.1:4711' });
  expect(injected?.token).toBe('token');
});

test.each(['https://bi.example.com', 'http://127.0.0.1.example.com', 'nonsense', ''])(
  'an address elsewhere is not: %s',
  (url) => {
    expect(getInjectedSandbox(environment(url), 'Sandbox')).toBeUndefined();
  },
);
