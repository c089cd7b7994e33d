import { describe, expect, test } from 'vitest';
import { createConnectionInput, readsFiles } from '../../../../src/changes/operations/connectionInput.ts';
import {
  createObjectCreationOperation,
  createCustomDataDeletionOperation,
  createCustomDataUpdateOperation,
} from '../../../../src/changes/model/customDataWrites.ts';
import {
  createDatamodelCreationOperation,
  createDatamodelDeletionOperation,
} from '../../../../src/changes/model/datamodelWrites.ts';
import {
  createDatasetCreationOperation,
  createDatasetDeletionOperation,
} from '../../../../src/changes/model/datasetWrites.ts';
import { endpoints } from '../../../../src/contract/endpoints.ts';
import { providers } from '../../../../src/contract/providers.ts';
import {
  createRelationCreationOperation,
  createRelationDeletionOperation,
} from '../../../../src/changes/model/relationWrites.ts';
import {
  type RuleGrant,
  createRuleCreationOperation,
  createColumnRulesDeletionOperation,
  createRuleDeletionOperation,
  createRuleDuplicationOperation,
  createRuleDocument,
} from '../../../../src/changes/operations/ruleActions.ts';
import {
  createBuildBehavior,
  createBaseTableCreationOperation,
  createCustomColumnCreationOperation,
  createCustomTableCreationOperation,
  createColumnDeletionOperation,
  createTableDeletionOperation,
  createTableDuplicationOperation,
  createColumnHidingOperation,
  createTableHidingOperation,
  getBuildPreset,
  createBuildBehaviorOperation,
} from '../../../../src/changes/operations/tableActions.ts';
import { resolveOutputs } from '../../../../src/changes/model/outputRefs.ts';
import {
  createViewpointCreationOperation,
  createViewpointDeletionOperation,
  createViewpointDuplicationOperation,
  createViewpointRenameOperation,
  createPublicationOperation,
  createSharingOperationForCurrentVersion,
  createSharingOperation,
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

const location = { connectionId: 'c1', within: ['Retail'] };
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

function getOnlyWrite({ writes }: Operation): Write {
  const [write, ...otherWrites] = writes;
  if (write === undefined || otherWrites.length > 0) {
    throw new Error(`${writes.length} writes`);
  }
  return write;
}
const getBody = (operation: Operation): JsonObject => getOnlyWrite(operation).body as JsonObject;

describe('datamodels and datasets', () => {
  test('a datamodel is created with a title and a type', () => {
    expect(getOnlyWrite(createDatamodelCreationOperation(location, { title: 'New', type: 'live' }))).toEqual({
      endpoint: 'datamodels.create',
      params: {},
      body: { title: 'New', type: 'live' },
    });
  });

  test('a custom dataset is created without the given connection (rest-api.md, "Dataset")', () => {
    const body = getBody(
      createDatasetCreationOperation(location, 'm1', {
        name: 'SQL',
        type: 'custom',
        connection: { provider: 'CSV' },
      }),
    );
    expect(body).toEqual({ name: 'SQL', type: 'custom' });
  });

  test.each(providers.map((provider) => [provider.name, provider] as const))(
    'a new %s connection is accepted by the platform and has only known parameters',
    (_name, provider) => {
      const files = readsFiles(provider) ? ['data/orders.csv', 'data/customers.csv'] : [];
      const connection = createConnectionInput(provider, { Server: 'db.example', UserName: 'me' }, files);
      const body = getBody(
        createDatasetCreationOperation(location, 'm1', { name: 'Source', type: 'extract', connection }),
      );
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
  test('a base table has the ID of its source and columns with types', () => {
    const operation = createBaseTableCreationOperation(location, dataset, {
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
    const body = getBody(
      createCustomTableCreationOperation(location, dataset, { name: 'Top', expression: 'SELECT 1 AS A' }),
    );
    expect(createTablePayload(body)).toEqual({
      id: 'Top',
      name: 'Top',
      type: 'custom',
      expression: 'SELECT 1 AS A',
    });
  });

  test('hiding columns sends all of them, each with its oid and every digit', () => {
    const body = createTableChangePayload(
      getBody(createColumnHidingOperation(location, ids, table, ['a'], true)),
    );
    expect(stringify(body)).toBe(
      '{"columns":[{"oid":"a","id":"order_id","name":"Order Id","type":8,"size":12345678901234567890,"hidden":true},' +
        '{"oid":"b","id":"total","name":"Total","type":40,"scale":1.0,"hidden":true}]}',
    );
  });

  test('deleting columns leaves the others unchanged', () => {
    const body = getBody(createColumnDeletionOperation(location, ids, table, ['a']));
    expect(stringify(body)).toContain('"scale":1.0');
    expect((body['columns'] as readonly JsonObject[]).map(({ oid }) => oid)).toEqual(['b']);
  });

  test('the subject of a change of columns names the columns and their table', () => {
    const within = ['Retail', 'Orders'];
    expect(createColumnDeletionOperation(location, ids, table, ['a']).subject).toEqual({
      name: 'Order Id',
      within,
    });
    expect(createColumnHidingOperation(location, ids, table, ['a', 'b'], true).subject).toEqual({
      name: 'Order Id, Total',
      within,
    });
    const columns = Array.from({ length: 5 }, (_, index) => ({ oid: `c${index}`, name: `C ${index}` }));
    const deletion = createColumnDeletionOperation(
      location,
      ids,
      { name: 'Orders', columns },
      columns.map(({ oid }) => oid),
    );
    expect(deletion.subject.name).toBe('C 0, C 1, C 2, …');
  });

  test('a custom column is added after the others', () => {
    const operation = createCustomColumnCreationOperation(location, ids, table, {
      name: 'Net',
      type: 40,
      expression: '[Total] * 0.8',
    });
    const columns = getBody(operation)['columns'] as readonly JsonObject[];
    expect(columns).toHaveLength(3);
    expect(columns[2]).toMatchObject({ name: 'Net', isCustom: true, expression: '[Total] * 0.8' });
    expect(operation.subject).toEqual({ name: 'Net', within: ['Retail', 'Orders'] });
  });

  test('a copy of a table drops the identity of the original and keeps everything else', () => {
    const body = createTablePayload(
      getBody(createTableDuplicationOperation(location, dataset, table, 'Orders copy')),
    );
    expect(stringify(body)).not.toContain('oid');
    expect(body).toMatchObject({
      name: 'Orders copy',
      id: 'orders.csv',
      configOptions: { Table: 'orders.csv' },
    });
    expect(body).not.toHaveProperty('vTag');
  });

  test('a copy of a table that is built incrementally accumulates by its own column', () => {
    const buildBehavior = createBuildBehavior('incremental', {
      columnId: 'a',
      lastDays: null,
      keepOnlyDays: 30,
    });
    const copy = createTableDuplicationOperation(location, dataset, { ...table, buildBehavior }, 'Copy');
    const [creation, update, ...others] = copy.writes;
    expect(others).toEqual([]);
    expect(stringify(creation?.body ?? null)).not.toContain('accumulat');
    expect(update?.target).toBeUndefined();
    const response = {
      oid: 'new',
      columns: [
        { oid: 'x', name: 'Total' },
        { oid: 'y', name: 'Order Id' },
      ],
    };
    expect(update && resolveOutputs(update, [response])).toMatchObject({
      endpoint: 'tables.update',
      params: { ...dataset, tableId: 'new' },
      body: {
        buildBehavior: { type: 'accumulativeSync', accumulativeConfig: { column: 'y', keepOnlyDays: 30 } },
      },
    });
  });

  test('a copy of a custom table that is built incrementally is built in full, since it has no columns yet', () => {
    const buildBehavior = createBuildBehavior('incremental', {
      columnId: 'a',
      lastDays: 1,
      keepOnlyDays: null,
    });
    const customTable = { ...table, type: 'custom', expression: 'SELECT 1', buildBehavior };
    expect(
      getBody(createTableDuplicationOperation(location, dataset, customTable, 'Copy')),
    ).not.toHaveProperty('buildBehavior');
  });

  test('a copy of a custom table has its SQL as text', () => {
    const customTable = {
      oid: 't2',
      name: 'Top',
      type: 'custom',
      expression: { oid: 'e', expression: 'SELECT 1' },
    };
    expect(getBody(createTableDuplicationOperation(location, dataset, customTable, 'Top 2'))).toEqual({
      name: 'Top 2',
      type: 'custom',
      expression: 'SELECT 1',
    });
  });

  test.each(['replace', 'replace-changed', 'append', 'incremental'] as const)(
    'the build preset %s is recognized',
    (preset) => {
      const behavior = createBuildBehavior(preset, { columnId: 'a', lastDays: null, keepOnlyDays: 30 });
      expect(getBuildPreset(behavior)).toBe(preset);
      expect(getBody(createBuildBehaviorOperation(location, ids, 'Orders', behavior))).toEqual({
        buildBehavior: behavior,
      });
    },
  );

  test.each([undefined, null, 'sync', {}, { type: 'else' }])('%j is not a build preset', (value) => {
    expect(getBuildPreset(value)).toBeUndefined();
  });
});

describe('relations', () => {
  test('a relation carries the oids of its columns and nothing else', () => {
    const joinedColumns = [
      { dataset: 'd1', table: 't1', column: 'a', name: 'x' },
      { dataset: 'd1', table: 't2', column: 'b' },
    ];
    const body = getBody(
      createRelationCreationOperation(location, 'm1', joinedColumns, 'Orders – Customers'),
    );
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

  test('a live rule has `live`, a full name with the prefix `live:`, `partyId`, and no `exclusionary`', () => {
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

  test('a live rule has `exclusionary` only if it hides values', () => {
    const hidingInput = { ...input, grant: { kind: 'except', members: ['x'] }, parties: [] } as const;
    expect(createRuleDocument(live, hidingInput)).toMatchObject({
      exclusionary: true,
      members: ['x'],
      live: true,
    });
    expect(createRuleDocument(live, { ...hidingInput, grant: { kind: 'everything' } })).not.toHaveProperty(
      'exclusionary',
    );
  });

  test('the default party has no ID', () => {
    const rule = createRuleDocument(extract, {
      ...input,
      grant: { kind: 'nothing' },
      parties: [{ type: 'default' }],
    });
    expect(rule['shares']).toEqual([{ type: 'default' }]);
  });

  test('a copy of a rule is for other parties, without the fields that the server generated', () => {
    const rule = {
      _id: 'r1',
      ...input,
      members: ['North'],
      allMembers: null,
      shares: [{ partyId: 'g1', partyName: 'Sales', type: 'group' }],
      created: 'x',
    };
    const body = getOnlyWrite(
      createRuleDuplicationOperation(location, extract, rule, [{ type: 'user', id: 'u2' }]),
    ).body;
    expect(body).toEqual([
      { ...input, members: ['North'], allMembers: null, shares: [{ party: 'u2', type: 'user' }] },
    ]);
  });

  test('adding and deleting use the endpoint of the subject', () => {
    const grant = { kind: 'nothing' } as const;
    const rule = { ...input, grant, parties: [{ type: 'default' }] } as const;
    expect(getOnlyWrite(createRuleCreationOperation(location, extract, rule))).toMatchObject({
      endpoint: 'extractRules.create',
      params: { server: 'LocalHost', elasticube: 'Retail' },
    });
    expect(getOnlyWrite(createRuleCreationOperation(location, live, rule))).toMatchObject({
      endpoint: 'liveRules.create',
      params: { title: 'Support' },
    });
    expect(getOnlyWrite(createRuleDeletionOperation(location, live, 'r1', 'x')).endpoint).toBe(
      'liveRules.delete',
    );
    expect(
      getOnlyWrite(createColumnRulesDeletionOperation(location, extract, 'Store', 'Region')),
    ).toMatchObject({
      endpoint: 'extractRules.deleteByColumn',
      params: { server: 'LocalHost', elasticube: 'Retail', table: 'Store', column: 'Region' },
    });
  });
});

describe('viewpoints', () => {
  test('publishing sends only the state', () => {
    const viewpoint = { viewpointId: 'v1', name: 'Sales' };
    expect(createPublicationOperation(location, viewpoint, true)).toMatchObject({
      cause: 'publish',
      writes: [{ endpoint: 'viewpoints.update', params: { viewpointId: 'v1' }, body: { enabled: true } }],
    });
    expect(createPublicationOperation(location, viewpoint, false)).toMatchObject({
      cause: 'unpublish',
      writes: [{ body: { enabled: false } }],
    });
  });

  test('renaming sends only the name', () => {
    const operation = createViewpointRenameOperation(
      location,
      { viewpointId: 'v1', name: 'Sales' },
      'Revenue',
    );
    expect(operation).toMatchObject({ cause: 'rename', subject: { name: 'Sales' } });
    expect(getBody(operation)).toEqual({ name: 'Revenue' });
  });

  test('sharing sends the whole visibility, with its existing entries, each name once', () => {
    const viewpoint = { viewpointId: 'v1', name: 'Sales' };
    const visibility = { apps: ['Slack'], groups: null, users: ['u1'], enabled: true, future: 1 };
    const additions = { apps: ['Slack'], groups: [{ id: 'g1', name: 'Sales' }], users: ['u2'] };
    expect(
      getBody(createSharingOperation(location, viewpoint, { name: 'Sales', visibility }, additions)),
    ).toEqual({
      visibility: { apps: ['Slack'], groups: ['Sales'], users: ['u1', 'u2'], enabled: true, future: 1 },
    });
    expect(getBody(createSharingOperation(location, viewpoint, {}, additions))).toEqual({
      visibility: { apps: ['Slack'], groups: ['Sales'], users: ['u2'] },
    });
  });

  test('sharing starts from the current viewpoint, and names no group twice', async () => {
    const viewpoint = { viewpointId: 'v1', name: 'Sales' };
    const additions = { apps: [], groups: [{ id: 'g9', name: 'Nine' }], users: [] };
    const document = { visibility: { apps: ['a'], groups: [], users: ['boss'] } };
    const shared = await createSharingOperationForCurrentVersion(
      async () => document,
      location,
      viewpoint,
      additions,
    );
    expect(shared.document).toBe(document);
    expect(getBody(shared.operation)).toEqual({
      visibility: { apps: ['a'], groups: ['Nine'], users: ['boss'] },
    });
    const documentWithGroupId = { visibility: { apps: ['a'], groups: ['g9'], users: [] } };
    const repeatedSharing = await createSharingOperationForCurrentVersion(
      async () => documentWithGroupId,
      location,
      viewpoint,
      additions,
    );
    expect(getBody(repeatedSharing.operation)).toEqual(documentWithGroupId);
  });

  const datasource = { title: 'Retail', fullname: 'LocalHost/Retail', modelType: 'external' };

  test('a new viewpoint has a datasource and no columns, and is neither shared nor published', () => {
    const body = getBody(
      createViewpointCreationOperation(location, { name: 'Sales', description: '', datasource }),
    );
    expect(createViewpointPayload(body)).toEqual({
      name: 'Sales',
      description: '',
      details: { datasource, columns: [] },
    });
  });

  test('a copy of a viewpoint is neither shared nor published', () => {
    const original = {
      id: 'v1',
      name: 'Sales',
      description: 'd',
      enabled: true,
      details: { datasource, columns: [] },
      visibility: { apps: ['slack'], enabled: true },
    };
    expect(getBody(createViewpointDuplicationOperation(location, original, 'Sales 2'))).toEqual({
      name: 'Sales 2',
      description: 'd',
      details: original.details,
    });
  });
});

test('custom data is changed and deleted by filter', () => {
  expect(getBody(createCustomDataUpdateOperation(location, { a: 1 }, { b: 2 }))).toEqual({
    queryForSearch: { a: 1 },
    objectForUpdate: { b: 2 },
  });
  expect(getBody(createCustomDataDeletionOperation(location, { a: 1 }))).toEqual({ a: 1 });
});

test('every endpoint that creates or deletes something has a function that creates its operation', () => {
  const operations = [
    createDatamodelCreationOperation(location, { title: 'a', type: 'extract' }),
    createDatamodelDeletionOperation(location, 'm', 'a'),
    createDatasetCreationOperation(location, 'm', { name: 'a', type: 'custom' }),
    createDatasetDeletionOperation(location, dataset, 'a'),
    createCustomTableCreationOperation(location, dataset, { name: 'a', expression: 'SELECT 1' }),
    createTableHidingOperation(location, ids, 'a', true),
    createTableDeletionOperation(location, ids, 'a'),
    createRelationCreationOperation(location, 'm', [], 'a'),
    createRelationDeletionOperation(location, { datamodelId: 'm', relationId: 'r' }, 'a'),
    ...[extract, live].flatMap((subject) => [
      createRuleCreationOperation(location, subject, {
        table: 't',
        column: 'c',
        datatype: 'text',
        grant: { kind: 'nothing' },
        parties: [],
      }),
      createRuleDeletionOperation(location, subject, 'r', 'a'),
      createColumnRulesDeletionOperation(location, subject, 't', 'c'),
    ]),
    createViewpointCreationOperation(location, {
      name: 'a',
      description: '',
      datasource: { title: 'a', fullname: 'a', modelType: 'live' },
    }),
    createViewpointDeletionOperation(location, 'v', 'a'),
    createObjectCreationOperation(location, {}, 'a'),
    createCustomDataUpdateOperation(location, {}, {}),
    createCustomDataDeletionOperation(location, {}),
  ];
  const usedEndpoints = new Set<WriteEndpointId>(
    operations.map((operation) => getOnlyWrite(operation).endpoint),
  );
  const creatingOrDeletingEndpoints = writeEndpoints.filter((id) => /POST|DELETE/.test(endpoints[id].method));
  // Other endpoints that change existing documents are used by saves, not by actions.
  expect([...usedEndpoints].sort()).toEqual(
    [...creatingOrDeletingEndpoints, 'tables.update', 'customData.updateMatching'].sort(),
  );
});
