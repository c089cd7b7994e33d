import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createBaseTable,
  createCustomColumn,
  createCustomTable,
} from '../../../src/changes/operations/tableActions.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { getRuleRefusal } from '../../../src/client/httpError.ts';
import { type BuildTask, getBuildTaskDetails } from '../../../src/contract/build.ts';
import { getColumnType } from '../../../src/contract/terms.ts';
import { getSignInPage } from '../../../src/contract/people.ts';
import { getExpressionText } from '../../../src/contract/table.ts';
import { readRecorded } from '../../support/recorded.ts';
import { getFailure, json, makeClient } from '../client/support.ts';

/** Every recorded payload: a response is read correctly, and our request for the same purpose is equivalent. */

type Json = Record<string, unknown>;

const object = (name: string): Json => readRecorded(name) as Json;
const list = (name: string): readonly Json[] => readRecorded(name) as readonly Json[];
const place = { connectionId: 'c', within: [] };
const dataset = { datamodelId: 'm', datasetId: 'd' };

/** The body that is sent for an operation; it is the same for servers with and without `/schema`. */
async function sent(run: (client: PlatformClient) => Promise<unknown>): Promise<unknown> {
  const { client, transport } = makeClient(({ method }) =>
    method === 'GET' ? json([]) : json({ oid: 'new' }, 201),
  );
  await run(client);
  return JSON.parse(transport.last.body ?? 'null');
}

/** The client reads this response. */
const answering = (body: unknown, status = 200): PlatformClient => makeClient(json(body, status)).client;

/** The only body of an operation that a wizard creates. */
const getBody = ({ writes: [write] }: { readonly writes: readonly { readonly body?: unknown }[] }): Json =>
  write?.body as Json;

const answers: Readonly<Record<string, () => Promise<void>>> = {
  'isauth-signed-in.json': async () => {
    const { value } = await answering(object('isauth-signed-in.json')).session.check();
    expect(value.isauthenticated).toBe(true);
  },
  'isauth-not-signed-in.json': async () => {
    const { value } = await answering(object('isauth-not-signed-in.json')).session.check();
    expect([value.isauthenticated, getSignInPage(value)]).toEqual([false, undefined]);
  },
  'isauth-sso-not-signed-in.json': async () => {
    const { value } = await answering(object('isauth-sso-not-signed-in.json')).session.check();
    expect([value.isauthenticated, getSignInPage(value)]).toEqual([false, 'http://login.url/']);
  },
  'error-builds-400-just-started.json': async () => {
    const client = answering(object('error-builds-400-just-started.json'), 400);
    expect(await getFailure(client.builds.get({ buildId: 'b' }))).toMatchObject({
      status: 400,
      serverMessage: expect.stringContaining('Data source not found for build id'),
    });
  },
  'error-v1-401-login.json': async () => {
    const client = answering(object('error-v1-401-login.json'), 401);
    expect(await getFailure(client.session.check())).toMatchObject({
      code: 'unauthorized',
      serverMessage: 'Invalid domain.',
      platformCode: 5001,
    });
  },
  'error-v2-400-duplicate-title.json': async () => {
    const client = answering(object('error-v2-400-duplicate-title.json'), 400);
    expect(await getFailure(client.datamodels.create({ title: 'A' }))).toMatchObject({
      serverMessage: 'ElasticubeAlreadyExists',
      sub: '1011',
    });
  },
  'datamodel-extract-2026-export.json': async () => {
    const model = object('datamodel-extract-2026-export.json');
    const { value } = await answering(model).datamodels.get({ datamodelId: String(model['oid']) });
    expect(value).toEqual(model);
    expect(value).toMatchObject({ title: 'Sample ECommerce', type: 'extract' });
    const columns = (value.datasets ?? []).flatMap(({ schema }) =>
      (schema?.tables ?? []).flatMap(({ columns: some }) => some ?? []),
    );
    expect(columns.length).toBeGreaterThan(5);
    expect(columns.filter(({ type }) => getColumnType(type) === undefined)).toEqual([]);
  },
  'dataset-custom-smodel.json': async () => {
    const custom = object('dataset-custom-smodel.json');
    const { value } = await answering(custom).datasets.get(dataset);
    expect(value).toEqual(custom);
    const [table] = value.schema?.tables ?? [];
    expect(getExpressionText(table?.expression)).toMatch(/^SELECT CREATEDATE\(2020,01,01\) as DATE/);
    expect(table?.columns?.map(({ type }) => getColumnType(type)?.group)).toEqual([
      'date-time',
      'number',
      'text',
    ]);
    // The table is sent back with its SQL in the form in which it was received.
    const body = await sent((client) =>
      client.tables.update({ ...dataset, tableId: 't' }, { expression: table?.expression }),
    );
    expect(body).toEqual({ expression: table?.expression });
  },
  'model-list-legacy-item.json': async () => {
    const item = object('model-list-legacy-item.json');
    const answer = await answering([item]).datamodels.list();
    expect(answer.json).toEqual([item]);
    expect(answer.value).toMatchObject([
      { title: '[REPORT] M2M Summary', type: 'extract', server: 'LocalHost', datasets: undefined },
    ]);
  },
  'DERIVED-build-task.json': async () => {
    const task = object('DERIVED-build-task.json');
    for (const body of [task, { builds: [task] }]) {
      const { value } = await answering(body).builds.get({ buildId: String(task['oid']) });
      expect(value).toEqual(task);
    }
    expect(getBuildTaskDetails(task as BuildTask)).toEqual({
      title: 'Retail',
      buildType: 'by_table',
      rowLimit: undefined,
      source: 'rest',
      durationMs: 40_000,
    });
  },
  'DERIVED-live-rule-get-item.json': async () => {
    const rule = object('DERIVED-live-rule-get-item.json');
    const client = answering([rule]);
    expect((await client.liveRules.list({ title: 'Sales' })).value).toEqual([rule]);
    expect(client.capabilities.returnsLiveExclusionary).toBe(true);
    const { _id, dataSourceId, ...kept } = rule;
    expect([typeof _id, typeof dataSourceId]).toEqual(['string', 'string']);
    expect(await sent((one) => one.liveRules.create({ title: 'Sales' }, [rule]))).toEqual(kept);
  },
  'official-status-and-error-codes.json': async () => {
    const facts = readRecorded('official-status-and-error-codes.json') as Record<
      string,
      Record<string, string>
    >;
    const codes = [...JSON.stringify(facts['live rules']).matchAll(/\b(3000\d)\b/g)].map(([code]) =>
      Number(code),
    );
    expect(codes).toEqual([30001, 30003, 30004, 30006]);
    for (const code of codes) {
      const client = answering({ error: { code, message: 'words' } }, 400);
      expect(getRuleRefusal(await getFailure(client.liveRules.delete({ ruleId: 'r' })))).toBeDefined();
    }
    for (const [code, name] of Object.entries(facts["column type codes beyond the product's list"] ?? {})) {
      expect(getColumnType(Number(code))?.name).toBe(name);
    }
  },
};

const requests: Readonly<Record<string, () => Promise<void>>> = {
  'extract-rule-post-body.json': async () => {
    const rules = list('extract-rule-post-body.json');
    // Unused is null (rest-api.md, "Data security rule"): the recorded request leaves `allMembers` out, which is
    // equivalent.
    expect(await sent((client) => client.extractRules.createMany(rules))).toEqual(
      rules.map((rule) => ({ ...rule, allMembers: null })),
    );
  },
  'live-rule-post-body-single-object.json': async () => {
    const { elasticube, ...rule } = object('live-rule-post-body-single-object.json');
    expect(elasticube).toBe('<cube title>');
    // The title is in the path and in `fullname`; no contract requires `elasticube`.
    const { live: _live, fullname: _fullname, ...ours } = rule;
    expect(await sent((client) => client.liveRules.create({ title: '<cube title>' }, [ours]))).toEqual(rule);
  },
  'live-rule-addmany-body.json': async () => {
    const [rule = {}] = list('live-rule-addmany-body.json');
    // `exclusionary` is false where it is left out (platform-facts.md, 6.2).
    const { exclusionary, ...same } = rule;
    expect(exclusionary).toBe(false);
    expect(await sent((client) => client.liveRules.createMany({ title: '<title>' }, [rule]))).toEqual([same]);
    expect(await sent((client) => client.liveRules.create({ title: '<title>' }, [rule, rule]))).toEqual([
      same,
      same,
    ]);
  },
  'table-base-post-body.json': async () => {
    const body = object('table-base-post-body.json');
    expect(await sent((client) => client.tables.create(dataset, body))).toEqual(body);
    const columns = body['columns'] as readonly { readonly name: string; readonly type: number }[];
    const ours = getBody(createBaseTable(place, dataset, { id: 'demo.csv', name: 'Customers', columns }));
    expect(await sent((client) => client.tables.create(dataset, ours))).toMatchObject({
      id: 'demo.csv',
      name: 'Customers',
      columns: columns.map(({ name, type }) => ({ id: name, name, type })),
      buildBehavior: { type: 'sync' },
    });
  },
  'table-custom-post-body.json': async () => {
    const body = object('table-custom-post-body.json');
    expect(await sent((client) => client.tables.create(dataset, body))).toEqual(body);
    const ours = getBody(
      createCustomTable(place, dataset, { name: 'custom1', expression: String(body['expression']) }),
    );
    expect(await sent((client) => client.tables.create(dataset, ours))).toEqual({
      id: 'custom1',
      name: 'custom1',
      type: 'custom',
      expression: body['expression'],
    });
  },
  'column-custom-patch-item.json': async () => {
    const column = object('column-custom-patch-item.json');
    const ids = { ...dataset, tableId: 't' };
    expect(await sent((client) => client.tables.update(ids, { columns: [column] }))).toEqual({
      columns: [column],
    });
    const { name, expression, type, id, isCustom } = column as {
      name: string;
      expression: string;
      type: number;
      id: string;
      isCustom: boolean;
    };
    const ours = getBody(
      createCustomColumn(place, ids, { oid: 't', columns: [] }, { name, expression, type }),
    );
    expect(await sent((client) => client.tables.update(ids, ours))).toMatchObject({
      columns: [{ id, name, type, isCustom, expression }],
    });
  },
  'dataset-csv-post-body.json': async () => {
    const body = object('dataset-csv-post-body.json');
    expect(await sent((client) => client.datasets.create({ datamodelId: 'm' }, body))).toEqual(body);
  },
  'build-post-body.json': async () => {
    const body = object('build-post-body.json') as {
      datamodelId: string;
      buildType: 'full';
      rowLimit: number;
    };
    expect(await sent((client) => client.builds.start(body))).toEqual(body);
    // No limit is 0, null or absent (rest-api.md, "POST /builds body").
    const { rowLimit, ...same } = body;
    expect(rowLimit).toBe(0);
    expect(await sent((client) => client.builds.start(same))).toEqual(same);
  },
};

describe('a recorded response is read correctly', () => {
  test.each(Object.entries(answers))('%s', (_name, check) => check());
});

describe('a recorded request is equivalent to ours for the same purpose', () => {
  test.each(Object.entries(requests))('%s', (_name, check) => check());
});

test('every recorded payload is tested', () => {
  const files = readdirSync(join(import.meta.dirname, '../../fixtures/recorded')).filter((name) =>
    name.endsWith('.json'),
  );
  expect([...Object.keys(answers), ...Object.keys(requests)].sort()).toEqual(files.sort());
});
