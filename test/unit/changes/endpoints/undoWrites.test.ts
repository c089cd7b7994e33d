import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';
import { type ResourceRef, getRefKey } from '../../../../src/catalog/resourceRef.ts';
import { restoreRelation } from '../../../../src/changes/endpoints/restoreRelation.ts';
import { loadWriteKind } from '../../../../src/changes/endpoints/writeKinds.ts';
import { UndoWrites } from '../../../../src/changes/model/undoWrites.ts';
import { createDatamodelDeletionWrite } from '../../../../src/changes/model/datamodelWrites.ts';
import { createDatasetDeletionWrite } from '../../../../src/changes/model/datasetWrites.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { asObject } from '../../../../src/changes/model/jsonMembers.ts';
import { createRelationDeletionWrite } from '../../../../src/changes/model/relationWrites.ts';
import {
  createTableDeletionWrite,
  createTableUpdateWrite,
} from '../../../../src/changes/model/tableWrites.ts';
import {
  createViewpointCreationWrite,
  createViewpointDeletionWrite,
  createViewpointUpdateWrite,
} from '../../../../src/changes/model/viewpointWrites.ts';
import { createColumnRulesDeletionWrite } from '../../../../src/changes/rules/ruleWrites.ts';

const modelRef = { kind: 'datamodel', datamodelId: 'm' } as const;
const dataset = { datamodelId: 'm', datasetId: 'd' };
const ids = { ...dataset, tableId: 't' };
const tableRef = { kind: 'table', ...ids } as const;

const createColumn = (name: string): JsonObject => ({ oid: name, id: name, name, type: 8 });
const table: JsonObject = {
  oid: 't',
  id: 'orders.csv',
  name: 'Orders',
  type: 'base',
  description: null,
  vTag: 'x',
  buildBehavior: { type: 'sync', accumulativeConfig: null },
  columns: ['a', 'b'].map(createColumn),
};
const { buildBehavior: _buildBehavior, ...tableWithoutSettings } = table;
const accumulatedTable = {
  ...table,
  buildBehavior: { type: 'accumulativeSync', accumulativeConfig: { column: 'a', type: 'lastStored' } },
};
const relation = {
  oid: 'r',
  columns: [
    { dataset: 'd', table: 't', column: 'a' },
    { dataset: 'd', table: 'u', column: 'c' },
  ],
};
const createModel = (tables: readonly JsonObject[], datasetFields: JsonObject = {}): JsonObject => ({
  oid: 'm',
  title: 'Shop',
  type: 'extract',
  datasets: [{ oid: 'd', name: 'Files', type: 'EXTRACT', ...datasetFields, schema: { tables } }],
  relations: [relation],
});
const storesTable = { ...table, oid: 'u', name: 'Stores', columns: [createColumn('c')] };

interface UndoSituation {
  readonly old?: JsonValue;
  readonly model?: JsonValue;
  readonly response?: JsonValue;
  readonly current?: readonly (readonly [ref: ResourceRef, document: JsonValue])[];
  readonly rules?: readonly JsonObject[];
}

const toDocuments = (documents: UndoSituation['current'] = []) =>
  documents.map(([ref, document]) => ({ ref, document }));

/** Undoes a write, and describes the writes without their targets, and what is lost. */
async function undo(write: Write, { old, model, response, current, rules = [] }: UndoSituation = {}) {
  const undoWrites = new UndoWrites(toDocuments(current));
  const kind = await loadWriteKind(write);
  kind.addUndoWrites?.(write, { oldDocument: old, model, response, rules, name: undefined }, undoWrites);
  const { writes, losses, restoredIds } = undoWrites;
  return {
    writes: writes.map(({ endpoint, params, body, outputRefs }) => ({
      endpoint,
      params,
      ...(body === undefined ? {} : { body }),
      ...(outputRefs === undefined ? {} : { outputRefs }),
    })),
    targets: writes.map(({ target }) => (target === undefined ? undefined : getRefKey(target))),
    losses: losses.map(({ code, name }) => `${code} ${name}`),
    restored: restoredIds.map((id) => id.old),
  };
}

describe('the undo of a change of a table', () => {
  test('sends the old values of the changed fields, and null for fields that the table lacked', async () => {
    const write = createTableUpdateWrite(ids, { name: 'Sold', hidden: true });
    expect(await undo(write, { old: table, current: [[tableRef, table]] })).toMatchObject({
      writes: [{ endpoint: 'tables.update', params: ids, body: { name: 'Orders', hidden: null } }],
      targets: [getRefKey(tableRef)],
      losses: [],
      restored: [],
    });
  });

  test('creates deleted columns again, under other IDs, and then restores their relations', async () => {
    const write = createTableUpdateWrite(ids, { columns: [createColumn('b')] });
    const { writes, losses, restored } = await undo(write, {
      old: table,
      model: createModel([table, storesTable]),
      current: [[tableRef, { ...table, columns: [createColumn('b')] }]],
    });
    const { oid: _oid, ...withoutOid } = createColumn('a');
    expect(writes).toMatchObject([
      { endpoint: 'tables.update' },
      {
        endpoint: 'relations.create',
        outputRefs: [{ into: ['body', 'columns', 0, 'column'], write: 0, from: ['columns', 'a', 'oid'] }],
      },
    ]);
    expect(writes[0]?.body).toEqual({ columns: [withoutOid, createColumn('b')] });
    expect(losses).toEqual(['new-id a', 'new-id Orders – Stores']);
    expect(restored).toEqual(['a', 'r']);
  });

  test('does not restore columns that others have deleted, if the change sent no columns', async () => {
    const { writes, losses } = await undo(createTableUpdateWrite(ids, { name: 'Sold' }), {
      old: accumulatedTable,
      model: createModel([table, storesTable]),
      current: [[tableRef, { ...table, columns: [] }]],
    });
    expect(writes).toEqual([{ endpoint: 'tables.update', params: ids, body: { name: 'Orders' } }]);
    expect(losses).toEqual([]);
  });

  test('sends the old settings for builds at once if their column is still there', async () => {
    const write = createTableUpdateWrite(ids, { buildBehavior: null, columns: [createColumn('a')] });
    const { writes } = await undo(write, {
      old: accumulatedTable,
      current: [[tableRef, { ...table, columns: [createColumn('a')] }]],
    });
    expect(writes).toHaveLength(1);
    expect(writes[0]?.body).toMatchObject({ buildBehavior: accumulatedTable.buildBehavior });
  });

  test('removes members that the change has added to a column', async () => {
    const column = { ...createColumn('a'), description: 'x', hidden: true };
    const { writes } = await undo(createTableUpdateWrite(ids, { columns: [column] }), {
      old: { ...table, columns: [{ ...createColumn('a'), hidden: false }] },
      current: [[tableRef, { ...table, columns: [column] }]],
    });
    expect(writes.map(({ body }) => body)).toEqual([
      { columns: [{ ...createColumn('a'), description: null, hidden: false }] },
    ]);
  });

  test('leaves relations alone whose columns are still there', async () => {
    const write = createTableUpdateWrite(ids, { columns: [createColumn('a')] });
    const { writes } = await undo(write, {
      old: table,
      model: createModel([table, storesTable]),
      current: [[tableRef, { ...table, columns: [createColumn('a')] }]],
    });
    expect(writes.map(({ endpoint }) => endpoint)).toEqual(['tables.update']);
  });

  test('restores the accumulation after the column that it uses', async () => {
    const write = createTableUpdateWrite(ids, { columns: [createColumn('b')], buildBehavior: null });
    const { writes } = await undo(write, {
      old: accumulatedTable,
      current: [[tableRef, { ...table, columns: [createColumn('b')] }]],
    });
    expect(writes.map(({ body }) => Object.keys(body as JsonObject))).toEqual([
      ['columns'],
      ['buildBehavior'],
    ]);
    expect(writes[1]).toMatchObject({
      body: { buildBehavior: accumulatedTable.buildBehavior },
      outputRefs: [
        {
          into: ['body', 'buildBehavior', 'accumulativeConfig', 'column'],
          write: 0,
          from: ['columns', 'a', 'oid'],
        },
      ],
    });
  });
});

describe('the undo of a deletion', () => {
  test('of a table creates it with its columns and its relations, without fields of the server', async () => {
    const { writes, targets, losses, restored } = await undo(createTableDeletionWrite(ids), {
      old: table,
      model: createModel([table, storesTable]),
    });
    const { vTag: _vTag, oid: _oid, description: _description, ...content } = table;
    expect(writes[0]).toEqual({ endpoint: 'tables.create', params: dataset, body: content });
    expect(targets[0]).toBe(getRefKey({ kind: 'dataset', ...dataset }));
    expect(writes.map(({ endpoint }) => endpoint)).toEqual(['tables.create', 'relations.create']);
    expect(losses).toEqual(['new-id Orders', 'new-id Orders – Stores']);
    expect(targets[1]).toBe(getRefKey(modelRef));
    expect(restored).toEqual(['t', 'a', 'b', 'r']);
  });

  test.each<readonly [string, JsonObject, JsonValue | undefined]>([
    ['without settings for builds', tableWithoutSettings, undefined],
    ['with empty settings for builds', { ...table, buildBehavior: null }, undefined],
    ['with settings for builds', table, table['buildBehavior']],
  ])('of a table %s', async (_text, old, expected) => {
    const { writes } = await undo(createTableDeletionWrite(ids), { old });
    expect(asObject(writes[0]?.body)['buildBehavior']).toEqual(expected);
  });

  test('of an accumulated table sets the accumulation once the new column is known', async () => {
    const { writes } = await undo(createTableDeletionWrite(ids), { old: accumulatedTable });
    expect(writes[0]).toMatchObject({
      endpoint: 'tables.create',
      body: { buildBehavior: { type: 'accumulativeSync', accumulativeConfig: null } },
    });
    expect(writes[1]).toMatchObject({
      endpoint: 'tables.update',
      params: { ...dataset, tableId: '' },
      outputRefs: [
        { into: ['params', 'tableId'], write: 0, from: ['oid'] },
        { into: ['body', 'buildBehavior', 'accumulativeConfig', 'column'], write: 0 },
      ],
    });
  });

  test('of a custom table leaves its columns, and what refers to them, to the next build', async () => {
    const customTable = { ...accumulatedTable, type: 'Custom', expression: 'SELECT 1 AS a' };
    const { writes, losses, restored } = await undo(createTableDeletionWrite(ids), {
      old: customTable,
      model: createModel([customTable, storesTable]),
    });
    expect(writes.map(({ endpoint }) => endpoint)).toEqual(['tables.create']);
    expect(writes[0]?.body).toMatchObject({ type: 'Custom', expression: 'SELECT 1 AS a' });
    expect(writes[0]?.body).not.toHaveProperty('columns');
    expect(losses).toEqual(['new-id Orders', 'needs-build Orders', 'needs-build Orders – Stores']);
    expect(restored).toEqual(['t']);
  });

  test('of a table that exists again changes its fields back', async () => {
    const { writes } = await undo(createTableDeletionWrite(ids), {
      old: table,
      current: [[tableRef, { ...table, name: 'Theirs' }]],
    });
    expect(writes).toMatchObject([
      { endpoint: 'tables.update', body: { name: 'Orders', columns: table['columns'] } },
    ]);
    expect(writes[0]?.body).not.toHaveProperty('hidden');
  });

  test('of a dataset creates it with its tables', async () => {
    const { writes, targets, losses } = await undo(createDatasetDeletionWrite(dataset), {
      model: createModel([table, storesTable], {
        connection: { provider: 'CSV' },
        database: 'db',
        schemaName: 's',
      }),
    });
    expect(writes[0]).toEqual({
      endpoint: 'datasets.create',
      params: { datamodelId: 'm' },
      body: {
        name: 'Files',
        type: 'extract',
        connection: { provider: 'CSV' },
        database: 'db',
        schemaName: 's',
      },
    });
    expect(writes.slice(1)).toMatchObject([
      {
        endpoint: 'tables.create',
        params: { datamodelId: 'm', datasetId: '' },
        outputRefs: [{ into: ['params', 'datasetId'], write: 0, from: ['oid'] }],
      },
      { endpoint: 'tables.create' },
      { endpoint: 'relations.create' },
    ]);
    expect(targets).toEqual([getRefKey(modelRef), undefined, undefined, getRefKey(modelRef)]);
    expect(losses).not.toContain('settings Files');
  });

  test('of a dataset without a connection sends none, and names the schedule that is lost', async () => {
    const { writes, losses } = await undo(createDatasetDeletionWrite(dataset), {
      model: createModel([], { connection: null, schedule: { type: 'daily' } }),
    });
    expect(writes).toEqual([
      { endpoint: 'datasets.create', params: { datamodelId: 'm' }, body: { name: 'Files', type: 'extract' } },
    ]);
    expect(losses).toEqual(['new-id Files', 'settings Files']);
  });

  test('of a dataset that was not read restores nothing', async () => {
    expect(await undo(createDatasetDeletionWrite(dataset))).toMatchObject({
      writes: [],
      losses: ['not-identified d'],
    });
  });

  test('of a dataset or a datamodel that exists again changes nothing', async () => {
    const model = createModel([table]);
    const write = createDatasetDeletionWrite(dataset);
    const current = [[{ kind: 'dataset', ...dataset }, {}] as const];
    expect((await undo(write, { model, current })).writes).toEqual([]);
    const deletion = createDatamodelDeletionWrite({ datamodelId: 'm' });
    expect((await undo(deletion, { model, current: [[modelRef, model]] })).writes).toEqual([]);
  });

  test('of a datamodel creates it with everything in it, and its rules', async () => {
    const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Shop' } as const;
    const rule = { _id: 'x', table: 'Orders', column: 'a', members: ['1'], allMembers: null, shares: [] };
    const { writes, losses } = await undo(createDatamodelDeletionWrite({ datamodelId: 'm' }), {
      model: createModel([table, storesTable]),
      rules: [rule, { ...rule, _id: 'y' }],
      current: [[{ kind: 'rules', subject }, [{ ...rule, _id: 'y' }]]],
    });
    expect(writes.map(({ endpoint }) => endpoint)).toEqual([
      'datamodels.create',
      'datasets.create',
      'tables.create',
      'tables.create',
      'relations.create',
      'extractRules.create',
    ]);
    expect(writes[0]?.body).toEqual({ title: 'Shop', type: 'extract' });
    expect(writes.at(-1)?.body).toMatchObject([{ table: 'Orders', column: 'a' }]);
    expect(losses).toEqual(expect.arrayContaining(['new-id Shop', 'settings Shop', 'new-rule-id Orders.a']));
  });

  test.each([
    ['Live', 'live'],
    ['', 'extract'],
    [null, 'extract'],
  ])('of a datamodel of type %j creates one of type %s', async (type, expected) => {
    const model = { oid: 'm', title: 'Shop', type };
    const { writes } = await undo(createDatamodelDeletionWrite({ datamodelId: 'm' }), { model });
    expect(writes.map(({ body }) => body)).toEqual([{ title: 'Shop', type: expected }]);
  });

  test('of a datamodel that is unreadable restores no rules', async () => {
    const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Shop' } as const;
    const rule = { table: 'Orders', column: 'a', members: ['1'], allMembers: null, shares: [] };
    const restoreFrom = async (model: JsonObject) =>
      (
        await undo(createDatamodelDeletionWrite({ datamodelId: 'm' }), {
          model,
          rules: [{ ...rule, _id: 'x' }],
          current: [[{ kind: 'rules', subject }, []]],
        })
      ).writes.map(({ endpoint }) => endpoint);
    // Its name is needed to find out which of its rules are missing.
    expect(await restoreFrom({ oid: 'm', title: 'Shop', type: 'extract' })).toEqual([
      'datamodels.create',
      'extractRules.create',
    ]);
    expect(await restoreFrom({ oid: 'm' })).toEqual(['datamodels.create']);
  });

  test('of a relation restores it once', () => {
    const undoWrites = new UndoWrites([]);
    for (let time = 0; time < 2; time += 1) {
      restoreRelation('m', relation, { model: undefined }, undoWrites);
    }
    expect(undoWrites.writes).toHaveLength(1);
  });

  test('of a relation updates it if it exists again, and otherwise creates it', async () => {
    const write = createRelationDeletionWrite({ datamodelId: 'm', relationId: 'r' });
    const restoreTo = async (model: JsonObject) =>
      (await undo(write, { old: relation, current: [[modelRef, model]] })).writes.map(
        ({ endpoint }) => endpoint,
      );
    expect(await restoreTo(createModel([]))).toEqual(['relations.update']);
    expect(await restoreTo({ ...createModel([]), relations: [{ oid: 'other' }] })).toEqual([
      'relations.create',
    ]);
  });

  test('of a relation that had lost a column restores nothing', async () => {
    const write = createRelationDeletionWrite({ datamodelId: 'm', relationId: 'r' });
    const [first, second] = relation.columns;
    const brokenRelation = { ...relation, columns: [first ?? {}, { ...second, isDropped: true }] };
    expect(
      await undo(write, { old: brokenRelation, model: createModel([table, storesTable]) }),
    ).toMatchObject({
      writes: [],
      losses: ['broken Orders – Stores'],
    });
  });

  test('of the rules of a column restores those that are missing', async () => {
    const subject = { kind: 'live', title: 'Desk' } as const;
    const rules = ['x', 'y'].map((_id) => ({ _id, table: 'T', column: 'C', members: [_id], shares: [] }));
    const { writes, losses } = await undo(createColumnRulesDeletionWrite(subject, 'T', 'C'), {
      old: rules,
      current: [[{ kind: 'rules', subject }, rules.slice(1)]],
    });
    expect(writes).toMatchObject([{ endpoint: 'liveRules.create', body: [{ members: ['x'] }] }]);
    expect(losses).toEqual(['new-rule-id T.C']);
  });
});

describe('the undo of a viewpoint', () => {
  const viewpointRef = { kind: 'viewpoint', viewpointId: 'v' } as const;
  const visibility = { apps: ['app'], users: ['u'], enabled: false };
  const viewpoint = { id: 'v', name: 'Sales', enabled: true, visibility };
  const currentViewpoint = [[viewpointRef, viewpoint]] as const;
  const change = createViewpointUpdateWrite({ viewpointId: 'v' }, { name: 'New', description: 'New' });

  test('sends the old values of the changed fields, and an empty text for a description that it lacked', async () => {
    const { writes } = await undo(change, { old: viewpoint, current: currentViewpoint });
    expect(writes).toEqual([
      {
        endpoint: 'viewpoints.update',
        params: { viewpointId: 'v' },
        body: { name: 'Sales', description: '' },
      },
    ]);
  });

  test.each([change, createViewpointDeletionWrite({ viewpointId: 'v' })])(
    'after $endpoint creates a missing viewpoint, published as before, and names what is lost',
    async (write) => {
      const { writes, losses, restored } = await undo(write, { old: viewpoint });
      expect(writes).toMatchObject([
        {
          endpoint: 'viewpoints.create',
          body: { name: 'Sales', visibility: { apps: ['app'], enabled: true } },
        },
      ]);
      expect(losses).toEqual(['new-id Sales', 'bookmarks Sales']);
      expect(restored).toEqual(['v']);
      const hidden = await undo(write, { old: { ...viewpoint, enabled: false } });
      expect(hidden.writes).toMatchObject([{ body: { visibility: { enabled: false } } }]);
    },
  );

  test('after a deletion changes back all fields of a viewpoint that exists again', async () => {
    const { writes } = await undo(createViewpointDeletionWrite({ viewpointId: 'v' }), {
      old: viewpoint,
      current: currentViewpoint,
    });
    expect(writes).toMatchObject([{ endpoint: 'viewpoints.update', body: viewpoint }]);
  });

  test('after a creation deletes the viewpoint, or reports that its ID is unknown', async () => {
    const write = createViewpointCreationWrite({ name: 'Sales', description: '' });
    expect((await undo(write, { response: { id: 'v' } })).writes).toEqual([
      { endpoint: 'viewpoints.delete', params: { viewpointId: 'v' } },
    ]);
    for (const response of [undefined, {}, { id: '' }, 'Created']) {
      expect(await undo(write, response === undefined ? {} : { response })).toMatchObject({
        writes: [],
        losses: ['not-identified Sales'],
      });
    }
  });
});
