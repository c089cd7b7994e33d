import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { runCli } from '../../support/cliInProcess.ts';
import { findRetailTable } from '../../support/demoTables.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';
import { readFolderTexts } from '../../support/readFolderTexts.ts';

/** Secrets that must not be in any file, each at another place of a connection or of the options of a table. */
const secrets = {
  password: 'correct-horse-battery',
  nestedPassword: 'staple-of-the-nest',
  numericPin: '72946103',
  accessToken: 'at7Kq2Xw9ZpL4mN8',
  clientSecret: 'cs~8Q~zWq1Lr5Tn',
  urlPassword: 'p4ss-in-the-address',
  queryToken: 'qt5Vb8Nm2Xc7Lk4',
  bareToken: 'aVeryLongTokenInPlaceOfAUser42',
  jdbcPassword: 'jdbc-Pa55-word',
  odbcPassword: 'odbc-Pa55-word',
  headerToken: 'hdr.Zx8Cv7Bn6Mq5Wr4',
  pairSecret: 'pair-of-key-and-value-9',
  privateKey: 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
  keyFilePart: 'k3y-file-in-a-string',
  signature: 'sig%2Fk9Lm3Qw7Er5Ty1%3D',
  accountKey: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq',
  encrypted: 'AQICAHhE8y3mR0x5Zc1Vd2Ff7Gg9Hh',
  uiPassword: 'ui-params-Pa55',
  filePassword: 'f1le-Pa55-word',
  basicHeader: 'cmVwb3J0aW5nOmJhc2ljLVBhNTU=',
  optionToken: 'opt-t0ken-of-a-table',
  optionAddress: 'opt-p4ss-of-an-address',
} as const;

const connections: Readonly<Record<string, JsonObject>> = {
  Database: {
    provider: 'PostgreSQL',
    parameters: {
      Server: 'db.example.com',
      UserName: 'reporting',
      Password: secrets.password,
      Pin: Number(secrets.numericPin),
      AdditionalParameters: `sslmode=require;Pwd=${secrets.odbcPassword}`,
      credentials: { user: 'reporting', value: secrets.nestedPassword },
      headers: [{ name: 'Authorization', value: `Bearer ${secrets.headerToken}` }],
      options: [
        { key: 'client_secret', value: secrets.pairSecret },
        { key: 'region', value: 'eu' },
      ],
    },
    uiParams: { form: { password: secrets.uiPassword } },
  },
  Address: {
    provider: 'GenericJDBC',
    fileName: `sftp://loader:${secrets.filePassword}@files.example.com/orders.csv`,
    globalTableConfigOptions: { httpHeader: `Authorization: Basic ${secrets.basicHeader}` },
    parameters: {
      ConnectionString: `jdbc:postgresql://db.example.com/sales?user=reporting&password=${secrets.jdbcPassword}`,
      Proxy: `https://reporting:${secrets.urlPassword}@proxy.example.com:8080/`,
      Repository: `https://${secrets.bareToken}@git.example.com/reports.git`,
      Export: `https://files.example.com/orders.csv?access_token=${secrets.queryToken}&page=1`,
      Storage: `https://account.blob.example.com/data?sv=2024-01-01&sig=${secrets.signature}`,
    },
  },
  Service: {
    provider: 'REST',
    parameters: {
      access_token: secrets.accessToken,
      oauth: { clientId: 'reports', clientSecret: secrets.clientSecret },
      keyFile: JSON.stringify({ type: 'service_account', private_key: secrets.keyFilePart }),
      certificate: `-----BEGIN PRIVATE KEY-----\n${secrets.privateKey}\n-----END PRIVATE KEY-----`,
      ConnectionString: `DefaultEndpointsProtocol=https;AccountName=sales;AccountKey=${secrets.accountKey}==`,
    },
  },
  Encrypted: { provider: 'Snowflake', parameters: secrets.encrypted },
};

const datasetNames = Object.keys(connections);

async function addSecrets(client: PlatformClient): Promise<void> {
  const { keys } = await findRetailTable(client, 'Orders');
  const { datamodelId } = keys;
  for (const [name, connection] of Object.entries(connections)) {
    await client.datasets.create(
      { datamodelId },
      { name, type: 'extract', connection },
      { sendEncryptedParameters: true },
    );
  }
  await client.tables.update(keys, {
    configOptions: {
      Table: 'orders.csv',
      apiToken: secrets.optionToken,
      source: `ftp://loader:${secrets.optionAddress}@files.example.com/orders.csv`,
    },
  });
}

/** Returns the secrets that occur in texts: unchanged, escaped as in JSON or in an address, or encoded. */
const findSecretsIn = (texts: ReadonlyMap<string, string>): readonly string[] =>
  Object.entries(secrets).flatMap(([name, secret]) =>
    [...texts].flatMap(([path, text]) =>
      [
        secret,
        decodeURIComponent(secret),
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64'),
      ].some((form) => text.includes(form) || path.includes(form))
        ? [`${name} in ${path}`]
        : [],
    ),
  );

describe.each(['guide', 'contract'] as const)('an instance of the profile %s with secrets', (profile) => {
  const fixture = new ProjectFixture({ profile });

  test('is pulled, planned, applied, and rolled back without a secret in any file or message', async () => {
    await fixture.runAsOtherUser(addSecrets);
    const responseText = await fixture.runAsOtherUser(async (client) => {
      const { keys } = await findRetailTable(client, 'Orders');
      const datasets = await client.datasets.list({ datamodelId: keys.datamodelId });
      const table = await client.tables.get(keys);
      return JSON.stringify([datasets.json, table.json]);
    });
    // The instance returns all secrets; otherwise, the test would prove nothing.
    const escapeAsJson = (secret: string): string => JSON.stringify(secret).slice(1, -1);
    expect(Object.values(secrets).filter((secret) => !responseText.includes(escapeAsJson(secret)))).toEqual(
      [],
    );

    const outputs = new Map<string, string>();
    const run = async (code: number, ...args: readonly string[]) => {
      const { stdout, stderr } = await fixture.expectExit(code, ...args);
      outputs.set(`output ${outputs.size} of ${args[0] ?? ''}`, `${stdout}\n${stderr}`);
      return { stdout, stderr };
    };
    const inProject = ['--project', fixture.project, '--state', fixture.stateFolder];
    await run(0, 'pull', ...inProject, '--conflicts', 'theirs');
    for (const name of datasetNames) {
      expect(await fixture.read(`datamodels/Retail/datasets/${name}.dataset.json`)).toContain('••••••');
    }
    await run(0, 'pull', ...inProject, '--format', 'json');
    await run(0, 'drift', '--format', 'json');
    await fixture.changeJson('datamodels/Retail/tables/Orders.table.json', { description: 'Mine' });
    await fixture.remove('datamodels/Retail/datasets/Encrypted.dataset.json');
    const plan = join(fixture.project, 'retail.plan.json');
    await run(2, 'plan', '--prune', 'datasets', '--format', 'json', '--out', plan);
    await run(2, 'plan', '--prune', 'datasets', '--format', 'markdown');
    let count = 0;
    fixture.proxy.intercept(({ method }) => {
      count += method === 'GET' ? 0 : 1;
      return count === 2 && method !== 'GET' ? 500 : 'forward';
    });
    const { stderr } = await run(1, 'apply', plan, '--execute');
    fixture.proxy.intercept();
    const journal = /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
    await run(0, 'resume', '--format', 'json');
    await run(0, 'abandon', journal, '--format', 'json');
    await run(0, 'roll-back', journal, '--execute');
    await run(0, 'apply', '--prune', 'datasets', '--execute', '--format', 'json');

    const journals = await readFolderTexts(fixture.stateFolder);
    expect([...journals.values()].join('\n')).toContain('••••••');
    const files = await readFolderTexts(fixture.project);
    expect([...files.keys()]).toContain('environments/default.lock.json');
    expect(findSecretsIn(new Map([...files, ...journals, ...outputs]))).toEqual([]);
  });

  test('is pulled without custom data that has secrets', async () => {
    const content = { app: 'hooks', title: 'Deploy', webhook: { token: secrets.accessToken } };
    await fixture.runAsOtherUser((client) => client.customData.create(content));
    const settings = {
      version: 1,
      manage: { datamodels: [], viewpoints: [], customData: { hooks: { app: 'hooks' } } },
    };
    await fixture.write('datamodel-studio.json', settings);
    const { stdout, stderr } = await fixture.expectExit(3, 'pull', '--project', fixture.project);
    expect(stderr).toContain('hooks');
    const files = await readFolderTexts(fixture.project);
    expect(findSecretsIn(new Map([...files, ['output', stdout + stderr]]))).toEqual([]);
  });

  test('gets no custom data with secrets from files', async () => {
    await fixture.write('datamodel-studio.json', {
      version: 1,
      manage: { datamodels: [], viewpoints: [], customData: { hooks: { app: 'hooks' } } },
    });
    const content = { app: 'hooks', title: 'Deploy', webhook: { token: secrets.accessToken } };
    await fixture.write('custom-data/hooks.custom-data.json', { name: 'hooks', content });
    fixture.proxy.takeRequests();
    const exits = [
      await runCli(['validate', '--project', fixture.project]),
      await fixture.run('plan'),
      await fixture.run('apply', '--execute'),
    ];
    expect(exits.map(({ code }) => code)).toEqual([1, 4, 4]);
    const outputs = exits.map(({ stdout, stderr }) => stdout + stderr);
    expect(
      outputs.filter((output) => !/custom-data\/hooks\.custom-data\.json:.*might be a secret/.test(output)),
    ).toEqual([]);
    expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
    expect(findSecretsIn(new Map(outputs.map((output, index) => [`output ${index}`, output])))).toEqual([]);
  });
});
