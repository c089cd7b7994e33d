import { describe, expect, test } from 'vitest';
import { createConnectionInput, readsFiles } from '../../../../src/changes/operations/connectionInput.ts';
import {
  createCustomDataObject,
  deleteMatching,
  updateMatching,
} from '../../../../src/changes/model/customDataWrites.ts';
import { createDatamodel, deleteDatamodel } from '../../../../src/changes/model/datamodelWrites.ts';
import { createDataset, deleteDataset } from '../../../../src/changes/model/datasetWrites.ts';
import { endpoints } from '../../../../src/contract/endpoints.ts';
import { providers } from '../../../../src/contract/providers.ts';
import { createRelation, deleteRelation } from '../../../../src/changes/model/relationWrites.ts';
import {
  type RuleGrant,
  createRule,
  deleteColumnRules,
  deleteRule,
  duplicateRule,
  createRuleDocument,
} from '../../../../src/changes/operations/ruleActions.ts';
import {
  createBuildBehavior,
  createBaseTable,
  createCustomColumn,
  createCustomTable,
  deleteColumns,
  deleteTable,
  duplicateTable,
  hideColumns,
  hideTable,
  getBuildPreset,
  setBuildBehavior,
} from '../../../../src/changes/operations/tableActions.ts';
import {
  createViewpoint,
  deleteViewpoint,
  duplicateViewpoint,
  publishViewpoint,
  shareCurrentViewpoint,
  shareViewpoint,
} from '../../../../src/changes/operations/viewpointActions.ts';
import {
  createDatasetPayload,
  createRelationPayload,
  createTablePayload,
  createTableChangePayload,
} from '../../../../src/client/payloads/modelPayloads.ts';
import {
  createExtractRulePayload,
  createLiveRulePayload,
} from '../../../../src/client/payloads/rulePayload.ts';
import { createViewpointPayload } from '../../../../src/client/payloads/viewpointPayload.ts';
import { type JsonObject, parseLossless, stringify } from '../../../../src/base/json.ts';
import {
  type WriteEndpointId,
  writeEndpoints,
  type Operation,
  type Write,
} from '../../../../src/changes/model/operation.ts';

const place = { connectionId: 'c1', within: ['Retail'] };
const dataset = { datamodelId: 'm1', datasetId: 'd1' };
const ids = { ...dataset, tableId: 't1' };
const extract = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const live = { kind: 'live', title: 'Support' } as const;

const table = parseLossless(`{
  "oid": "t1", "id": "orders.csv", "name": "Orders", "type": "base", "vTag": "v1", "hidden": false,
  "description": null, "buildBehavior": {"type": "sync", "accumulativeConfig": null},
  "configOptions": {"Table": "orders.csv"},
  "columns": [
    {"oid": "a", "id": "order_id", "name": "Order Id", "type": 8, "size": 12345678901234567890, "hidden": false},
    {"oid": "b", "id": "total", "name": "Total", "type": 40, "scale": 1.0, "hidden": true}
  ]
}`) as JsonObject;

function onlyWrite({ writes }: Operation): Write {
  const [write, ...rest] = writes;
  if (write === undefined || rest.length > 0) {
    throw new Error(`${writes.length} writes`);
  }
  return write;
}
const getBody = (operation: Operation): JsonObject => onlyWrite(operation).body as JsonObject;

describe('datamodels and datasets', () => {
  test('a datamodel is created with a title and a type', () => {
    expect(onlyWrite(createDatamodel(place, { title: 'New', type: 'live' }))).toEqual({
      endpoint: 'datamodels.create',
      params: {},
      body: { title: 'New', type: 'live' },
    });
  });

  test('a custom dataset has no connection, whatever was given (rest-api.md, "Dataset")', () => {
    const body = getBody(
      createDataset(place, 'm1', { name: 'SQL', type: 'custom', connection: { provider: 'CSV' } }),
    );
    expect(body).toEqual({ name: 'SQL', type: 'custom' });
  });

  test.each(providers.map((provider) => [provider.name, provider] as const))(
    'a new %s connection is accepted by the platform and has only known parameters',
    (_name, provider) => {
      const files = readsFiles(provider) ? ['data/orders.csv', 'data/customers.csv'] : [];
      const connection = createConnectionInput(provider, { Server: 'db.example', UserName: 'me' }, files);
      const body = getBody(createDataset(place, 'm1', { name: 'Source', type: 'extract', connection }));
      expect(createDatasetPayload(body)).toEqual(body);
      const parameters = connection['parameters'] as JsonObject;
      for (const { name } of provider.parameters) {
        expect(parameters).toHaveProperty(name);
      }
      expect(parameters['files']).toEqual(files.length > 0 ? files : undefined);
    },
  );
});

describe('tables', () => {
  test('a base table has the id of its source and columns with types', () => {
    const operation = createBaseTable(place, dataset, {
      id: 'orders.csv',
      name: 'Orders',
      columns: [{ name: 'Order Id', type: 8 }],
    });
    expect(createTablePayload(getBody(operation))).toMatchObject({
      id: 'orders.csv',
      name: 'Orders',
      columns: [{ id: 'Order Id', name: 'Order Id', type: 8 }],
    });
  });

  test('a custom table has an expression and no columns', () => {
    const body = getBody(createCustomTable(place, dataset, { name: 'Top', expression: 'SELECT 1 AS A' }));
    expect(createTablePayload(body)).toEqual({
      id: 'Top',
      name: 'Top',
      type: 'custom',
      expression: 'SELECT 1 AS A',
    });
  });

  test('hiding columns sends all of them, each with its oid and every digit', () => {
    const body = createTableChangePayload(getBody(hideColumns(place, ids, table, ['a'], true)));
    expect(stringify(body)).toBe(
      '{"columns":[{"oid":"a","id":"order_id","name":"Order Id","type":8,"size":12345678901234567890,"hidden":true},' +
        '{"oid":"b","id":"total","name":"Total","type":40,"scale":1.0,"hidden":true}]}',
    );
  });

  test('deleting columns leaves the others unchanged', () => {
    const body = getBody(deleteColumns(place, ids, table, ['a']));
    expect(stringify(body)).toContain('"scale":1.0');
    expect((body['columns'] as readonly JsonObject[]).map(({ oid }) => oid)).toEqual(['b']);
  });

  test('a change of columns is reported by name and by position', () => {
    const within = ['Retail', 'Orders'];
    expect(deleteColumns(place, ids, table, ['a']).subject).toEqual({ name: 'Order Id', within });
    expect(hideColumns(place, ids, table, ['a', 'b'], true).subject).toEqual({
      name: 'Order Id, Total',
      within,
    });
    const columns = Array.from({ length: 5 }, (_, index) => ({ oid: `c${index}`, name: `C ${index}` }));
    const many = deleteColumns(
      place,
      ids,
      { name: 'Orders', columns },
      columns.map(({ oid }) => oid),
    );
    expect(many.subject.name).toBe('C 0, C 1, C 2, …');
  });

  test('a custom column is added behind the others', () => {
    const operation = createCustomColumn(place, ids, table, {
      name: 'Net',
      type: 40,
      expression: '[Total] * 0.8',
    });
    const columns = getBody(operation)['columns'] as readonly JsonObject[];
    expect(columns).toHaveLength(3);
    expect(columns[2]).toMatchObject({ name: 'Net', isCustom: true, expression: '[Total] * 0.8' });
    expect(operation.subject).toEqual({ name: 'Net', within: ['Retail', 'Orders'] });
  });

  test('a copy drops the identity of the original and keeps everything else', () => {
    const body = createTablePayload(getBody(duplicateTable(place, dataset, table, 'Orders copy')));
    expect(stringify(body)).not.toContain('oid');
    expect(body).toMatchObject({
      name: 'Orders copy',
      id: 'orders.csv',
      configOptions: { Table: 'orders.csv' },
    });
    expect(body).not.toHaveProperty('vTag');
  });

  test('a copy of a custom table has its SQL as text', () => {
    const custom = {
      oid: 't2',
      name: 'Top',
      type: 'custom',
      expression: { oid: 'e', expression: 'SELECT 1' },
    };
    expect(getBody(duplicateTable(place, dataset, custom, 'Top 2'))).toEqual({
      name: 'Top 2',
      type: 'custom',
      expression: 'SELECT 1',
    });
  });

  test.each(['replace', 'replace-changed', 'append', 'incremental'] as const)(
    'the preset %s is recognized',
    (preset) => {
      const behavior = createBuildBehavior(preset, { columnId: 'a', lastDays: null, keepOnlyDays: 30 });
      expect(getBuildPreset(behavior)).toBe(preset);
      expect(getBody(setBuildBehavior(place, ids, 'Orders', behavior))).toEqual({
        buildBehavior: behavior,
      });
    },
  );

  test.each([undefined, null, 'sync', {}, { type: 'else' }])('%j is not a preset', (value) => {
    expect(getBuildPreset(value)).toBeUndefined();
  });
});

describe('relations', () => {
  test('a relation carries the oids of its columns and nothing else', () => {
    const ends = [
      { dataset: 'd1', table: 't1', column: 'a', name: 'x' },
      { dataset: 'd1', table: 't2', column: 'b' },
    ];
    const body = getBody(createRelation(place, 'm1', ends, 'Orders – Customers'));
    expect(createRelationPayload(body)).toEqual({
      columns: [
        { dataset: 'd1', table: 't1', column: 'a' },
        { dataset: 'd1', table: 't2', column: 'b' },
      ],
    });
  });
});

describe('rules', () => {
  const grants: readonly [RuleGrant, JsonObject][] = [
    [{ kind: 'everything' }, { members: [], allMembers: true, exclusionary: false }],
    [{ kind: 'nothing' }, { members: [], allMembers: false, exclusionary: false }],
    [
      { kind: 'only', members: ['North'] },
      { members: ['North'], allMembers: null, exclusionary: false },
    ],
    [
      { kind: 'except', members: ['North'] },
      { members: ['North'], allMembers: null, exclusionary: true },
    ],
  ];
  const input = { table: 'Store', column: 'Region', datatype: 'text' } as const;

  test.each(grants)('%j is encoded as in platform-facts.md, 3.2', (grant, expected) => {
    const rule = createRuleDocument(extract, { ...input, grant, parties: [{ type: 'group', id: 'g1' }] });
    expect(rule).toMatchObject({ ...expected, shares: [{ party: 'g1', type: 'group' }] });
    expect(createExtractRulePayload(rule)).toEqual(rule);
  });

  test('a live rule has its flag, its prefixed name, partyId, and no exclusionary', () => {
    const rule = createRuleDocument(live, {
      ...input,
      grant: { kind: 'nothing' },
      parties: [{ type: 'user', id: 'u1' }],
    });
    expect(rule).toMatchObject({
      fullname: 'live:Support',
      live: true,
      shares: [{ partyId: 'u1', type: 'user' }],
    });
    expect(rule).not.toHaveProperty('exclusionary');
    expect(createLiveRulePayload(rule, 'Support')).toEqual(rule);
  });

  test('only a live rule with exceptions has the flag of the contract', () => {
    const except = { ...input, grant: { kind: 'except', members: ['x'] }, parties: [] } as const;
    expect(createRuleDocument(live, except)).toMatchObject({
      exclusionary: true,
      members: ['x'],
      live: true,
    });
    expect(createRuleDocument(live, { ...except, grant: { kind: 'everything' } })).not.toHaveProperty(
      'exclusionary',
    );
  });

  test('the default party has no id', () => {
    const rule = createRuleDocument(extract, {
      ...input,
      grant: { kind: 'nothing' },
      parties: [{ type: 'default' }],
    });
    expect(rule['shares']).toEqual([{ type: 'default' }]);
  });

  test('a copy is for other parties, without the fields that the server generated', () => {
    const rule = {
      _id: 'r1',
      ...input,
      members: ['North'],
      allMembers: null,
      shares: [{ partyId: 'g1', partyName: 'Sales', type: 'group' }],
      created: 'x',
    };
    const body = onlyWrite(duplicateRule(place, extract, rule, [{ type: 'user', id: 'u2' }])).body;
    expect(body).toEqual([
      { ...input, members: ['North'], allMembers: null, shares: [{ party: 'u2', type: 'user' }] },
    ]);
  });

  test('adding and deleting use the endpoint of the subject', () => {
    const grant = { kind: 'nothing' } as const;
    const rule = { ...input, grant, parties: [{ type: 'default' }] } as const;
    expect(onlyWrite(createRule(place, extract, rule))).toMatchObject({
      endpoint: 'extractRules.create',
      params: { server: 'LocalHost', elasticube: 'Retail' },
    });
    expect(onlyWrite(createRule(place, live, rule))).toMatchObject({
      endpoint: 'liveRules.create',
      params: { title: 'Support' },
    });
    expect(onlyWrite(deleteRule(place, live, 'r1', 'x')).endpoint).toBe('liveRules.delete');
    expect(onlyWrite(deleteColumnRules(place, extract, 'Store', 'Region'))).toMatchObject({
      endpoint: 'extractRules.deleteByColumn',
      params: { server: 'LocalHost', elasticube: 'Retail', table: 'Store', column: 'Region' },
    });
  });
});

describe('viewpoints', () => {
  test('publishing sends only the state', () => {
    const viewpoint = { viewpointId: 'v1', name: 'Sales' };
    expect(publishViewpoint(place, viewpoint, true)).toMatchObject({
      cause: 'publish',
      writes: [{ endpoint: 'viewpoints.update', params: { viewpointId: 'v1' }, body: { enabled: true } }],
    });
    expect(publishViewpoint(place, viewpoint, false)).toMatchObject({
      cause: 'unpublish',
      writes: [{ body: { enabled: false } }],
    });
  });

  test('sharing sends the whole visibility, with its existing entries, each name once', () => {
    const viewpoint = { viewpointId: 'v1', name: 'Sales' };
    const visibility = { apps: ['Slack'], groups: null, users: ['u1'], enabled: true, future: 1 };
    const more = { apps: ['Slack'], groups: [{ id: 'g1', name: 'Sales' }], users: ['u2'] };
    expect(getBody(shareViewpoint(place, viewpoint, { name: 'Sales', visibility }, more))).toEqual({
      visibility: { apps: ['Slack'], groups: ['Sales'], users: ['u1', 'u2'], enabled: true, future: 1 },
    });
    expect(getBody(shareViewpoint(place, viewpoint, {}, more))).toEqual({
      visibility: { apps: ['Slack'], groups: ['Sales'], users: ['u2'] },
    });
  });

  test('sharing starts from the current viewpoint, and names no group twice', async () => {
    const viewpoint = { viewpointId: 'v1', name: 'Sales' };
    const more = { apps: [], groups: [{ id: 'g9', name: 'Nine' }], users: [] };
    const document = { visibility: { apps: ['a'], groups: [], users: ['boss'] } };
    const shared = await shareCurrentViewpoint(async () => document, place, viewpoint, more);
    expect(shared.document).toBe(document);
    expect(getBody(shared.operation)).toEqual({
      visibility: { apps: ['a'], groups: ['Nine'], users: ['boss'] },
    });
    const byId = { visibility: { apps: ['a'], groups: ['g9'], users: [] } };
    const again = await shareCurrentViewpoint(async () => byId, place, viewpoint, more);
    expect(getBody(again.operation)).toEqual(byId);
  });

  const datasource = { title: 'Retail', fullname: 'LocalHost/Retail', modelType: 'external' };

  test('a new one has a datasource and no columns, and is neither shared nor published', () => {
    const body = getBody(createViewpoint(place, { name: 'Sales', description: '', datasource }));
    expect(createViewpointPayload(body)).toEqual({
      name: 'Sales',
      description: '',
      details: { datasource, columns: [] },
    });
  });

  test('a copy is neither shared nor published', () => {
    const original = {
      id: 'v1',
      name: 'Sales',
      description: 'd',
      enabled: true,
      details: { datasource, columns: [] },
      visibility: { apps: ['slack'], enabled: true },
    };
    expect(getBody(duplicateViewpoint(place, original, 'Sales 2'))).toEqual({
      name: 'Sales 2',
      description: 'd',
      details: original.details,
    });
  });
});

test('custom data is changed and deleted by filter', () => {
  expect(getBody(updateMatching(place, { a: 1 }, { b: 2 }))).toEqual({
    queryForSearch: { a: 1 },
    objectForUpdate: { b: 2 },
  });
  expect(getBody(deleteMatching(place, { a: 1 }))).toEqual({ a: 1 });
});

test('every endpoint that creates or deletes something has an action', () => {
  const operations = [
    createDatamodel(place, { title: 'a', type: 'extract' }),
    deleteDatamodel(place, 'm', 'a'),
    createDataset(place, 'm', { name: 'a', type: 'custom' }),
    deleteDataset(place, dataset, 'a'),
    createCustomTable(place, dataset, { name: 'a', expression: 'SELECT 1' }),
    hideTable(place, ids, 'a', true),
    deleteTable(place, ids, 'a'),
    createRelation(place, 'm', [], 'a'),
    deleteRelation(place, { datamodelId: 'm', relationId: 'r' }, 'a'),
    ...[extract, live].flatMap((subject) => [
      createRule(place, subject, {
        table: 't',
        column: 'c',
        datatype: 'text',
        grant: { kind: 'nothing' },
        parties: [],
      }),
      deleteRule(place, subject, 'r', 'a'),
      deleteColumnRules(place, subject, 't', 'c'),
    ]),
    createViewpoint(place, {
      name: 'a',
      description: '',
      datasource: { title: 'a', fullname: 'a', modelType: 'live' },
    }),
    deleteViewpoint(place, 'v', 'a'),
    createCustomDataObject(place, {}, 'a'),
    updateMatching(place, {}, {}),
    deleteMatching(place, {}),
  ];
  const done = new Set<WriteEndpointId>(operations.map((operation) => onlyWrite(operation).endpoint));
  const makesOrDeletes = writeEndpoints.filter((id) => /POST|DELETE/.test(endpoints[id].method));
  // Existing documents are changed by saving them, except for these two.
  expect([...done].sort()).toEqual(
    [...makesOrDeletes, 'tables.update', 'customData.updateMatching']
      // Histories of earlier versions contain the POST for several cubes.
      .filter((id) => id !== 'extractRules.createMany')
      .sort(),
  );
});
