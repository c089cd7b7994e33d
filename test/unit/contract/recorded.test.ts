import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createBaseTableCreationOperation,
  createCustomColumnCreationOperation,
  createCustomTableCreationOperation,
} from '../../../src/changes/operations/tableActions.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { getRuleRefusal } from '../../../src/client/httpError.ts';
import { type BuildTask, getBuildTaskDetails } from '../../../src/contract/build.ts';
import { getColumnType } from '../../../src/contract/terms.ts';
import { getSignInPage } from '../../../src/contract/people.ts';
import { getExpressionText } from '../../../src/contract/table.ts';
import { readRecorded } from '../../support/recorded.ts';
import { getFailure, json, createTestClient } from '../client/support.ts';

/** Checks every recorded payload: responses are read correctly, and the client sends equivalent requests. */

type Json = Record<string, unknown>;

const readObject = (name: string): Json => readRecorded(name) as Json;
const readList = (name: string): readonly Json[] => readRecorded(name) as readonly Json[];
const parent = { connectionId: 'c', within: [] };
const dataset = { datamodelId: 'm', datasetId: 'd' };

/** Returns the body that the client sends for an operation. */
async function getSentBody(run: (client: PlatformClient) => Promise<unknown>): Promise<unknown> {
  const { client, transport } = createTestClient(({ method }) =>
    method === 'GET' ? json([]) : json({ oid: 'new' }, 201),
  );
  await run(client);
  return JSON.parse(transport.lastRequest.body ?? 'null');
}

/** Creates a client whose server responds with this body. */
const createRespondingClient = (body: unknown, status = 200): PlatformClient =>
  createTestClient(json(body, status)).client;

/** The body of the single write of an operation. */
const getBody = ({ writes: [write] }: { readonly writes: readonly { readonly body?: unknown }[] }): Json =>
  write?.body as Json;

const responseTests: Readonly<Record<string, () => Promise<void>>> = {
  'isauth-signed-in.json': async () => {
    const { value } = await createRespondingClient(readObject('isauth-signed-in.json')).session.check();
    expect(value.isauthenticated).toBe(true);
  },
  'isauth-not-signed-in.json': async () => {
    const { value } = await createRespondingClient(readObject('isauth-not-signed-in.json')).session.check();
    expect([value.isauthenticated, getSignInPage(value)]).toEqual([false, undefined]);
  },
  'isauth-sso-not-signed-in.json': async () => {
    const { value } = await createRespondingClient(
      readObject('isauth-sso-not-signed-in.json'),
    ).session.check();
    expect([value.isauthenticated, getSignInPage(value)]).toEqual([false, 'http://login.url/']);
  },
  'error-builds-400-just-started.json': async () => {
    const client = createRespondingClient(readObject('error-builds-400-just-started.json'), 400);
    expect(await getFailure(client.builds.get({ buildId: 'b' }))).toMatchObject({
      status: 400,
      serverMessage: expect.stringContaining('Data source not found for build id'),
    });
  },
  'error-v1-401-login.json': async () => {
    const client = createRespondingClient(readObject('error-v1-401-login.json'), 401);
    expect(await getFailure(client.session.check())).toMatchObject({
      code: 'unauthorized',
      serverMessage: 'Invalid domain.',
      platformCode: 5001,
    });
  },
  'error-v2-400-duplicate-title.json': async () => {
    const client = createRespondingClient(readObject('error-v2-400-duplicate-title.json'), 400);
    expect(await getFailure(client.datamodels.create({ title: 'A' }))).toMatchObject({
      serverMessage: 'ElasticubeAlreadyExists',
      sub: '1011',
    });
  },
  'datamodel-extract-2026-export.json': async () => {
    const model = readObject('datamodel-extract-2026-export.json');
    const { value } = await createRespondingClient(model).datamodels.get({
      datamodelId: String(model['oid']),
    });
    expect(value).toEqual(model);
    expect(value).toMatchObject({ title: 'Sample ECommerce', type: 'extract' });
    const columns = (value.datasets ?? []).flatMap(({ schema }) =>
      (schema?.tables ?? []).flatMap(({ columns: tableColumns }) => tableColumns ?? []),
    );
    expect(columns.length).toBeGreaterThan(5);
    expect(columns.filter(({ type }) => getColumnType(type) === undefined)).toEqual([]);
  },
  'dataset-custom-smodel.json': async () => {
    const custom = readObject('dataset-custom-smodel.json');
    const { value } = await createRespondingClient(custom).datasets.get(dataset);
    expect(value).toEqual(custom);
    const [table] = value.schema?.tables ?? [];
    expect(getExpressionText(table?.expression)).toMatch(/^SELECT CREATEDATE\(2020,01,01\) as DATE/);
    expect(table?.columns?.map(({ type }) => getColumnType(type)?.group)).toEqual([
      'date-time',
      'number',
      'text',
    ]);
    // The table is sent back with its SQL in the form in which it was received.
    const body = await getSentBody((client) =>
      client.tables.update({ ...dataset, tableId: 't' }, { expression: table?.expression }),
    );
    expect(body).toEqual({ expression: table?.expression });
  },
  'model-list-legacy-item.json': async () => {
    const item = readObject('model-list-legacy-item.json');
    const response = await createRespondingClient([item]).datamodels.list();
    expect(response.json).toEqual([item]);
    expect(response.value).toMatchObject([
      { title: '[REPORT] M2M Summary', type: 'extract', server: 'LocalHost', datasets: undefined },
    ]);
  },
  'DERIVED-build-task.json': async () => {
    const task = readObject('DERIVED-build-task.json');
    for (const body of [task, { builds: [task] }]) {
      const { value } = await createRespondingClient(body).builds.get({ buildId: String(task['oid']) });
      expect(value).toEqual(task);
    }
    expect(getBuildTaskDetails(task as BuildTask)).toEqual({
      title: 'Retail',
      buildType: 'by_table',
      rowLimit: undefined,
      source: 'rest',
      durationMs: 40_000,
      startedAt: Date.parse('2020-11-01T10:00:02Z'),
      completedAt: Date.parse('2020-11-01T10:00:42Z'),
    });
  },
  'DERIVED-live-rule-get-item.json': async () => {
    const rule = readObject('DERIVED-live-rule-get-item.json');
    const client = createRespondingClient([rule]);
    expect((await client.liveRules.list({ title: 'Sales' })).value).toEqual([rule]);
    expect(client.capabilities.returnsLiveExclusionary).toBe(true);
    const { _id, dataSourceId, ...sentFields } = rule;
    expect([typeof _id, typeof dataSourceId]).toEqual(['string', 'string']);
    expect(await getSentBody((client) => client.liveRules.create({ title: 'Sales' }, [rule]))).toEqual(
      sentFields,
    );
  },
  'official-status-and-error-codes.json': async () => {
    const facts = readRecorded('official-status-and-error-codes.json') as Record<
      string,
      Record<string, string>
    >;
    const codes = [...JSON.stringify(facts['live rules']).matchAll(/\b(3000\d)\b/g)].map(([code]) =>
      Number(code),
    );
    const refusals: unknown[] = [];
    for (const code of codes) {
      const client = createRespondingClient({ error: { code, message: 'text' } }, 400);
      refusals.push([code, getRuleRefusal(await getFailure(client.liveRules.delete({ ruleId: 'r' })))]);
    }
    expect(refusals).toEqual([
      [30001, 'invalid-default-rule'],
      [30003, 'duplicate-party'],
      [30004, 'unknown-party'],
      [30006, 'default-rule-first'],
    ]);
    for (const [code, name] of Object.entries(facts["column type codes beyond the product's list"] ?? {})) {
      expect(getColumnType(Number(code))?.name).toBe(name);
    }
  },
};

const requestTests: Readonly<Record<string, () => Promise<void>>> = {
  'extract-rule-post-body.json': async () => {
    const rules = readList('extract-rule-post-body.json');
    // An unused field is null (rest-api.md, "Data security rule"): the recorded request leaves `allMembers` out, which is
    // equivalent.
    expect(await getSentBody((client) => client.extractRules.createMany(rules))).toEqual(
      rules.map((rule) => ({ ...rule, allMembers: null })),
    );
  },
  'live-rule-post-body-single-object.json': async () => {
    const { elasticube, ...rule } = readObject('live-rule-post-body-single-object.json');
    expect(elasticube).toBe('<cube title>');
    // The title is in the path and in `fullname`; no contract requires `elasticube`.
    const { live: _live, fullname: _fullname, ...builtPayload } = rule;
    expect(
      await getSentBody((client) => client.liveRules.create({ title: '<cube title>' }, [builtPayload])),
    ).toEqual(rule);
  },
  'live-rule-addmany-body.json': async () => {
    const [rule = {}] = readList('live-rule-addmany-body.json');
    // `exclusionary` is false where it is left out (platform-facts.md, 6.2).
    const { exclusionary, ...otherFields } = rule;
    expect(exclusionary).toBe(false);
    expect(await getSentBody((client) => client.liveRules.createMany({ title: '<title>' }, [rule]))).toEqual([
      otherFields,
    ]);
    expect(
      await getSentBody((client) => client.liveRules.create({ title: '<title>' }, [rule, rule])),
    ).toEqual([otherFields, otherFields]);
  },
  'table-base-post-body.json': async () => {
    const body = readObject('table-base-post-body.json');
    expect(await getSentBody((client) => client.tables.create(dataset, body))).toEqual(body);
    const columns = body['columns'] as readonly { readonly name: string; readonly type: number }[];
    const builtPayload = getBody(
      createBaseTableCreationOperation(parent, dataset, { id: 'demo.csv', name: 'Customers', columns }),
    );
    expect(await getSentBody((client) => client.tables.create(dataset, builtPayload))).toMatchObject({
      id: 'demo.csv',
      name: 'Customers',
      columns: columns.map(({ name, type }) => ({ id: name, name, type })),
      buildBehavior: { type: 'sync' },
    });
  },
  'table-custom-post-body.json': async () => {
    const body = readObject('table-custom-post-body.json');
    expect(await getSentBody((client) => client.tables.create(dataset, body))).toEqual(body);
    const builtPayload = getBody(
      createCustomTableCreationOperation(parent, dataset, {
        name: 'custom1',
        expression: String(body['expression']),
      }),
    );
    expect(await getSentBody((client) => client.tables.create(dataset, builtPayload))).toEqual({
      id: 'custom1',
      name: 'custom1',
      type: 'custom',
      expression: body['expression'],
    });
  },
  'column-custom-patch-item.json': async () => {
    const column = readObject('column-custom-patch-item.json');
    const ids = { ...dataset, tableId: 't' };
    expect(await getSentBody((client) => client.tables.update(ids, { columns: [column] }))).toEqual({
      columns: [column],
    });
    const { name, expression, type, id, isCustom } = column as {
      name: string;
      expression: string;
      type: number;
      id: string;
      isCustom: boolean;
    };
    const builtPayload = getBody(
      createCustomColumnCreationOperation(parent, ids, { oid: 't', columns: [] }, { name, expression, type }),
    );
    expect(await getSentBody((client) => client.tables.update(ids, builtPayload))).toMatchObject({
      columns: [{ id, name, type, isCustom, expression }],
    });
  },
  'dataset-csv-post-body.json': async () => {
    const body = readObject('dataset-csv-post-body.json');
    expect(await getSentBody((client) => client.datasets.create({ datamodelId: 'm' }, body))).toEqual(body);
  },
  'build-post-body.json': async () => {
    const body = readObject('build-post-body.json') as {
      datamodelId: string;
      buildType: 'full';
      rowLimit: number;
    };
    expect(await getSentBody((client) => client.builds.start(body))).toEqual(body);
    // No limit is 0, null or absent (rest-api.md, "POST /builds body").
    const { rowLimit, ...otherFields } = body;
    expect(rowLimit).toBe(0);
    expect(await getSentBody((client) => client.builds.start(otherFields))).toEqual(otherFields);
  },
};

describe('a recorded response is read correctly', () => {
  test.each(Object.entries(responseTests))('%s', (_name, check) => check());
});

describe('the client sends a request equivalent to the recorded one', () => {
  test.each(Object.entries(requestTests))('%s', (_name, check) => check());
});

test('every recorded payload is tested', () => {
  const files = readdirSync(join(import.meta.dirname, '../../fixtures/recorded')).filter((name) =>
    name.endsWith('.json'),
  );
  expect([...Object.keys(responseTests), ...Object.keys(requestTests)].sort()).toEqual(files.sort());
});
