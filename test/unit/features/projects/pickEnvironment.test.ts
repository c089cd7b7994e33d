import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { getInjectedSandbox } from '../../../../src/connections/injectedSandbox.ts';
import { expectDefined } from '../../../support/expectations.ts';
import type { Connection } from '../../../../src/connections/connection.ts';

const loadModule = () => import('../../../../src/features/projects/pickEnvironment.ts');
let pickEnvironment: Awaited<ReturnType<typeof loadModule>>['pickEnvironment'];
/** The prompts for a name. */
let prompts: string[] = [];
let folder = '';

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('vscode', () => ({
    l10n: { t: (text: string, ...args: readonly string[]) => text.replace('{0}', args[0] ?? '') },
    window: {
      showInputBox: ({ prompt }: { readonly prompt: string }) => {
        prompts.push(prompt);
        return Promise.resolve('typed');
      },
      showQuickPick: (items: readonly unknown[]) => Promise.resolve(items[1]),
    },
  }));
  ({ pickEnvironment } = await loadModule());
});

afterAll(() => {
  vi.doUnmock('vscode');
  vi.resetModules();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pick-environment-'));
  mkdirSync(join(folder, 'environments'));
  prompts = [];
});

afterEach(() => rmSync(folder, { recursive: true }));

const sandbox: Connection = { kind: 'sandbox', id: 'sandbox', name: 'My sandbox', role: 'development' };

const addEnvironment = (name: string, role = 'staging'): void =>
  writeFileSync(
    join(folder, 'environments', `${name}.json`),
    JSON.stringify({ url: 'https://a.example.com', role }),
  );

test('the environment of the sandbox is called sandbox without a prompt, unless another instance has one of this name', async () => {
  addEnvironment('staging');
  expect(await pickEnvironment(folder, sandbox, 'Pull')).toEqual({ name: 'sandbox', isNew: true });
  expect(prompts).toEqual([]);
  addEnvironment('Sandbox');
  expect(await pickEnvironment(folder, sandbox, 'Pull')).toEqual({ name: 'typed', isNew: true });
  expect(prompts).toEqual(['Name of the environment for My sandbox, such as "prod"']);
});

test('the environment of a sandbox that was started outside the editor is called sandbox without a prompt, too', async () => {
  const env = { DATAMODEL_STUDIO_SANDBOX_URL: 'http://127.0.0.1:4000', DATAMODEL_STUDIO_SANDBOX_TOKEN: 't' };
  const { connection } = expectDefined(getInjectedSandbox(env, 'Sandbox'));
  expect(await pickEnvironment(folder, connection, 'Pull')).toEqual({ name: 'sandbox', isNew: true });
  expect(prompts).toEqual([]);
});

test('the name of the environment of another instance is asked for once', async () => {
  const remote: Connection = {
    kind: 'remote',
    id: 'r',
    name: 'Shop',
    role: 'staging',
    url: 'https://a.example.com',
  };
  expect(await pickEnvironment(folder, remote, 'Pull')).toEqual({ name: 'typed', isNew: true });
  addEnvironment('typed');
  expect(await pickEnvironment(folder, remote, 'Pull')).toEqual({
    name: 'typed',
    role: 'staging',
    isNew: false,
  });
  expect(prompts).toHaveLength(1);
});

test('an existing environment has the role of its file, whatever that of the connection', async () => {
  const connection: Connection = {
    kind: 'remote',
    id: 'r',
    name: 'Shop',
    role: 'development',
    url: 'https://a.example.com',
  };
  addEnvironment('live', 'production');
  expect(await pickEnvironment(folder, connection, 'Pull')).toMatchObject({
    name: 'live',
    role: 'production',
  });
  addEnvironment('second', 'development');
  expect(await pickEnvironment(folder, connection, 'Pull')).toMatchObject({
    name: 'second',
    role: 'production',
  });
});
