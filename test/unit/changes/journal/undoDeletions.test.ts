import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { UndoOperation } from '../../../../src/changes/journal/undo.ts';
import { getUndoneIds } from '../../../../src/changes/journal/undoneEntries.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import {
  createRelationDeletionWrite,
  createRelationUpdateWrite,
} from '../../../../src/changes/model/relationWrites.ts';
import { createTableDeletionWrite } from '../../../../src/changes/model/tableWrites.ts';
import { relationProperties } from '../../../../src/contract/datamodel.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { expectDefined } from '../../../support/expectations.ts';
import {
  ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getIds,
} from '../run/support.ts';
import { runApproved } from './runApproved.ts';
import { checkUndo } from './checkUndo.ts';

const modelId = createSeedOid('Retail');

describe('what is changed and then deleted', () => {
  const ordersRef = createTableRef('Orders');
  const salesRef = {
    kind: 'dataset',
    datamodelId: modelId,
    datasetId: getIds(ordersRef)['datasetId'] ?? '',
  } as const;
  const ordersDeletion: Write = { endpoint: 'tables.delete', params: getIds(ordersRef), target: ordersRef };
  const salesDeletion: Write = { endpoint: 'datasets.delete', params: getIds(salesRef), target: salesRef };

  /** The writes of the relation of a column of Orders: it gets one more column, and is deleted. */
  async function getRelationWrites(fixture: ChangeFixture) {
    const model = await fixture.readObject({ kind: 'datamodel', datamodelId: modelId });
    const relation = expectDefined(
      getObjects(model['relations']).find(({ columns }) =>
        getObjects(columns).some(({ table }) => table === getIds(ordersRef)['tableId']),
      ),
    );
    const relationId = getText(relation['oid']);
    const otherColumn = expectDefined(
      getObjects(model['relations'])
        .flatMap(({ columns }) => getObjects(columns))
        .find(({ column }) => !getObjects(relation['columns']).some((joined) => joined['column'] === column)),
    );
    return {
      update: createRelationUpdateWrite(
        { datamodelId: modelId, relationId },
        { columns: [...getObjects(relation['columns']), otherColumn] },
      ),
      deletion: createRelationDeletionWrite({ datamodelId: modelId, relationId }),
      joinedTables: getObjects(relation['columns']).map(({ dataset, table }) => ({
        datamodelId: modelId,
        datasetId: getText(dataset),
        tableId: getText(table),
      })),
    };
  }

  test('a relation is created again as it was', async () => {
    const { operation: undo } = await checkUndo(async (fixture) => {
      const { update, deletion } = await getRelationWrites(fixture);
      return [update, deletion];
    });
    expect(undo.writes.map(({ endpoint }) => endpoint)).toEqual(['relations.create']);
  });

  test('a relation is created once if one of its tables is deleted, too', async () => {
    await checkUndo(async (fixture) => {
      const { update, deletion } = await getRelationWrites(fixture);
      return [update, deletion, ordersDeletion];
    });
  });

  test('a relation is created again after both of its tables', async () => {
    const { operation: undo } = await checkUndo(async (fixture) => {
      const { deletion, joinedTables } = await getRelationWrites(fixture);
      return [deletion, ...joinedTables.map(createTableDeletionWrite)];
    });
    const created = undo.writes.map(({ endpoint }) => endpoint).filter((name) => name.endsWith('.create'));
    expect(created).toEqual(['tables.create', 'tables.create', 'relations.create']);
  });

  test('the undo of an undo deletes a restored table again, which breaks its relations', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    await runApproved(writer, createOperation([ordersDeletion], 'delete'));
    const [deletion] = await history.readEntries(connectionId);
    const undoLatest = async (): Promise<UndoOperation> => {
      const [entry] = await history.readEntries(connectionId);
      const undo = await writer.planUndo(expectDefined(entry));
      await runApproved(writer, undo.operation, { ...undo, undoneEntryId: expectDefined(entry).id });
      return undo;
    };
    await undoLatest();
    const { operation: undo, losses } = await undoLatest();
    expect(undo.writes.map(({ endpoint }) => endpoint)).toEqual(['tables.update', 'tables.delete']);
    expect(new Set(losses.map(({ code }) => code))).toEqual(new Set(['broken']));
    expect(await fixture.read(ordersRef)).toBeUndefined();
    expect(getUndoneIds(await history.readEntries(connectionId))).not.toContain(deletion?.id);
  });

  test('a table is created again as it was', async () => {
    const { operation: undo } = await checkUndo(() => [
      createTableUpdate('Orders', { description: 'x', hidden: true }),
      ordersDeletion,
    ]);
    expect(undo.writes.filter(({ endpoint }) => endpoint.startsWith('tables.'))).toMatchObject([
      { endpoint: 'tables.create' },
      { endpoint: 'tables.update', body: { buildBehavior: {} } },
    ]);
  });

  test('a dataset is created again with the tables that it had', async () => {
    await checkUndo(() => [createTableUpdate('Orders', { description: 'x' }), ordersDeletion, salesDeletion]);
  });

  test('a viewpoint is created again as it was', async () => {
    await checkUndo(async (fixture) => {
      const { value } = await fixture.client.viewpoints.list({ limit: 1 });
      const viewpointId = expectDefined(value.viewpoints[0]).id;
      const viewpoint = await fixture.readObject({ kind: 'viewpoint', viewpointId });
      const target = { kind: 'viewpoint', viewpointId } as const;
      return [
        {
          endpoint: 'viewpoints.update',
          params: { viewpointId },
          body: { ...viewpoint, description: 'x' },
          target,
        },
        { endpoint: 'viewpoints.delete', params: { viewpointId }, target },
      ];
    });
  });
});

test('a deleted relation is restored with everything that a write can set', async () => {
  const { operation: undo } = await checkUndo(async (fixture) => {
    const { relations } = await fixture.readObject({ kind: 'datamodel', datamodelId: modelId });
    const relationId = getText(getObjects(relations)[0]?.['oid']);
    return [createRelationDeletionWrite({ datamodelId: modelId, relationId })];
  });
  expect(undo.writes.map(({ body }) => Object.keys(body as JsonObject))).toEqual([[...relationProperties]]);
});
