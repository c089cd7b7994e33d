import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SandboxCheckError, SandboxClient } from '../../../src/client/sandboxClient.ts';
import { UndiciTransport } from '../../../src/client/undiciTransport.ts';
import type { Datamodel } from '../../../src/contract/datamodel.ts';
import { getExpressionText, getTableName } from '../../../src/contract/table.ts';
import { startTemporarySandbox, type TemporarySandbox } from '../../support/temporarySandbox.ts';

let sandbox: TemporarySandbox;
let models: readonly Datamodel[] = [];
const transport = new UndiciTransport();

beforeAll(async () => {
  sandbox = await startTemporarySandbox('demo');
  const response = await fetch(`${sandbox.url}/api/v2/datamodels`, {
    headers: { authorization: `Bearer ${sandbox.adminToken}` },
  });
  models = (await response.json()) as Datamodel[];
});
afterAll(async () => {
  transport.dispose();
  await sandbox.stop();
});

const createClient = (token: string | null = sandbox.adminToken, baseUrl = sandbox.url): SandboxClient =>
  new SandboxClient({ baseUrl, tokenSource: () => Promise.resolve(token ?? undefined), transport });
const getRetailId = (): string => models.find(({ title }) => title === 'Retail')?.oid ?? '';
const check = (sql: string, columnOf?: string, sender = createClient()) =>
  sender.check(
    { datamodel: getRetailId(), sql, ...(columnOf === undefined ? {} : { columnOf }) },
    AbortSignal.timeout(10_000),
  );

test('the engine accepts every expression of the demo before any build', async () => {
  const refused: string[] = [];
  let checkedCount = 0;
  for (const { oid: datamodel, type, datasets } of models.filter((model) => model.type === 'extract')) {
    for (const table of (datasets ?? []).flatMap(({ schema }) => schema?.tables ?? [])) {
      const texts = [
        { sql: getExpressionText(table.expression), columnOf: undefined },
        ...(table.columns ?? []).map((column) => ({
          sql: getExpressionText(column.expression),
          columnOf: getTableName(table),
        })),
      ];
      for (const { sql, columnOf } of texts.filter((text) => text.sql)) {
        checkedCount += 1;
        const question = { datamodel, sql: sql ?? '', ...(columnOf === undefined ? {} : { columnOf }) };
        const verdict = await createClient().check(question, AbortSignal.timeout(10_000));
        if (!verdict.ok) {
          refused.push(`${type} ${getTableName(table)}: ${verdict.message}`);
        }
      }
    }
  }
  expect(refused).toEqual([]);
  expect(checkedCount).toBeGreaterThan(5);
});

test('errors have the message of the engine', async () => {
  expect(await check('SELECT o.[Nope] FROM [Orders] o')).toEqual({
    ok: false,
    message: 'no such column: o.Nope',
  });
  expect(await check('SELECT FROM [Orders]')).toMatchObject({
    ok: false,
    message: expect.stringMatching(/syntax/),
  });
  expect(await check('[Nope] + 1', 'Orders')).toEqual({ ok: false, message: 'no such column: Nope' });
});

test.each([
  ['without a token', () => createClient(null)],
  ['with an unknown token', () => createClient('0'.repeat(32))],
  ['from a user who is not an administrator', () => createClient(sandbox.userToken)],
])('a check %s is refused', async (_case, sender) => {
  await expect(check('SELECT 1', undefined, sender())).rejects.toThrow(SandboxCheckError);
});

test('the error of a refused check has the message of the sandbox, and the error of an unreachable server has no message', async () => {
  await expect(check('SELECT 1', undefined, createClient(sandbox.userToken))).rejects.toMatchObject({
    serverMessage: 'Only administrators can use the paths under /sandbox',
  });
  await expect(check('SELECT 1', undefined, createClient('x', 'http://127.0.0.1:9'))).rejects.toMatchObject({
    serverMessage: undefined,
  });
});

/** Sends a request as a page of another origin or under a rebound name would; `fetch` can't forge these headers. */
const getStatus = (headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      `${sandbox.url}/sandbox/check`,
      { method: 'POST', headers: { authorization: `Bearer ${sandbox.adminToken}`, ...headers } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    outgoing.once('error', reject);
    outgoing.end(JSON.stringify({ datamodel: getRetailId(), sql: 'SELECT 1' }));
  });

test('no web page can request a check: Host and Origin are verified', async () => {
  expect(await getStatus({})).toBe(200);
  expect(await getStatus({ host: 'rebound.example' })).toBe(403);
  expect(await getStatus({ origin: 'https://evil.example' })).toBe(403);
  expect(await getStatus({ 'sec-fetch-site': 'cross-site' })).toBe(403);
});
