import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { WriteState } from '../../../../src/changes/journal/entry.ts';
import { maskOperation } from '../../../../src/changes/model/maskWrite.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { Operation, Write } from '../../../../src/changes/model/operation.ts';
import { createDatasetCreationWrite } from '../../../../src/changes/model/datasetWrites.ts';
import {
  insertConnectionSecrets,
  listNeededVariables,
} from '../../../../src/project/apply/connectionSecrets.ts';

const address = 'https://a.example.com';
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'));
});
afterEach(() => rm(folder, { recursive: true }));

const connection = {
  provider: 'PostgreSQL',
  parameters: {
    Server: { $env: 'SERVER' },
    Password: { $env: 'PASSWORD' },
    Port: 5432,
    options: [{ token: { $env: 'TOKEN' } }],
  },
};
const variables = { SERVER: 'db.example.com', PASSWORD: 'hunter2', TOKEN: 't0ken' };
const sentConnection = {
  provider: 'PostgreSQL',
  parameters: { Server: 'db.example.com', Password: 'hunter2', Port: 5432, options: [{ token: 't0ken' }] },
};

const createWrite = (name: string, sent: JsonObject = sentConnection): Write =>
  createDatasetCreationWrite({ datamodelId: 'model' }, { name, type: 'extract', connection: sent });

/** Returns an apply as its journal has it. */
const createApply = (...writes: readonly Write[]): Operation =>
  maskOperation({
    connectionId: 'c',
    cause: 'apply',
    subject: { name: 'shop', within: ['prod'] },
    project: {
      folder,
      environment: 'prod',
      items: writes.map(({ body }) => ({
        key: `dataset/Retail/${getText((body as JsonObject)['name'])}`,
        content: {},
      })),
    },
    writes,
  });

async function writeConnections(connections: JsonObject): Promise<void> {
  await mkdir(join(folder, 'environments'), { recursive: true });
  await writeFile(join(folder, 'environments/prod.json'), JSON.stringify({ url: address, connections }));
}

const getConnections = async (operation: Operation, env: Readonly<Record<string, string>> = variables) =>
  (await insertConnectionSecrets(operation, { variables: env, address })).writes.map(
    ({ body }) => (body as { readonly connection?: unknown }).connection,
  );

test('the datasets that an apply still has to write get the secrets of the environment', async () => {
  await writeConnections({ Retail: { Sales: connection, Other: { provider: 'X' } } });
  const unrelated = createWrite('Other', { provider: 'X' });
  const apply = createApply(createWrite('Sales'), unrelated);
  expect(JSON.stringify(apply)).not.toMatch(/hunter2|t0ken/);
  expect(await getConnections(apply)).toEqual([sentConnection, { provider: 'X' }]);
  expect(
    await listNeededVariables(
      { operation: apply, writeStates: apply.writes.map(() => ({ state: 'waiting' })) },
      address,
    ),
  ).toEqual(['PASSWORD', 'SERVER', 'TOKEN']);
  const done = apply.writes.map(() => ({ state: 'done', requestIds: [] }) as unknown as WriteState);
  expect(await listNeededVariables({ operation: apply, writeStates: done }, address)).toEqual([]);
});

test('a variable that is not set is named', async () => {
  await writeConnections({ Retail: { Sales: connection } });
  for (const value of [{}, { PASSWORD: '' }]) {
    const { PASSWORD: _password, ...others } = variables;
    await expect(getConnections(createApply(createWrite('Sales')), { ...others, ...value })).rejects.toThrow(
      "The environment variable PASSWORD isn't set.",
    );
  }
});

test.each<readonly [string, JsonObject | undefined, Readonly<Record<string, string>>]>([
  ['has another server', { Retail: { Sales: { ...connection, provider: 'MySQL' } } }, variables],
  [
    'gets another server from a variable',
    { Retail: { Sales: connection } },
    { ...variables, SERVER: 'other' },
  ],
  ['no longer exists', { Retail: { Others: connection } }, variables],
  ['is that of a dataset of another datamodel', { Finance: { Sales: connection } }, variables],
  ['is in an environment that cannot be read', undefined, variables],
])('a connection that %s is not used', async (_state, connections, env) => {
  if (connections !== undefined) {
    await writeConnections(connections);
  }
  const apply = createApply(createWrite('Sales'));
  expect((await insertConnectionSecrets(apply, { variables: env, address })).writes).toEqual(apply.writes);
});

test.each(['https://other.example.com', undefined])(
  'the secrets of an environment are not used for the address %s',
  async (other) => {
    await writeConnections({ Retail: { Sales: connection } });
    const apply = createApply(createWrite('Sales'));
    expect((await insertConnectionSecrets(apply, { variables, address: other })).writes).toEqual(
      apply.writes,
    );
    const writes = apply.writes.map((): WriteState => ({ state: 'waiting' }));
    expect(await listNeededVariables({ operation: apply, writeStates: writes }, other)).toEqual([]);
  },
);

test('a dataset gets the secrets of its own datamodel, whatever another one has for that name', async () => {
  const other = { ...connection, parameters: { ...connection.parameters, Password: { $env: 'OTHER' } } };
  await writeConnections({ Retail: { Sales: connection }, Finance: { Sales: other } });
  expect(await getConnections(createApply(createWrite('Sales')))).toEqual([sentConnection]);
});

test('datasets of the same name that one apply creates get no secrets if these differ', async () => {
  const other = { ...connection, parameters: { ...connection.parameters, Password: { $env: 'OTHER' } } };
  await writeConnections({ Retail: { Sales: connection }, Finance: { Sales: other } });
  const apply = createApply(createWrite('Sales'));
  const items = ['Retail', 'Finance'].map((name) => ({ key: `dataset/${name}/Sales`, content: {} }));
  const applyToTwoDatamodels = { ...apply, project: { folder, environment: 'prod', items } };
  const env = { ...variables, OTHER: 'other' };
  expect((await insertConnectionSecrets(applyToTwoDatamodels, { variables: env, address })).writes).toEqual(
    apply.writes,
  );
});
