import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';
import type { ResourceRef } from '../../../../src/catalog/resourceRef.ts';
import { readAffectedDocuments } from '../../../../src/changes/endpoints/readAffectedDocuments.ts';
import { loadWriteKind } from '../../../../src/changes/endpoints/writeKinds.ts';
import { defaultViewpointPageSize } from '../../../../src/contract/viewpoint.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { DocumentReader } from '../../../../src/changes/model/documentReader.ts';
import { ChangeFixture, getColumns, getIds, createTableRef, createTableUpdate } from './support.ts';

/** A write whose response is lost, and another client's change to the same document. */
interface Case {
  readonly name: string;
  readonly mine: (fixture: ChangeFixture) => Promise<Write>;
  readonly theirs: (fixture: ChangeFixture) => Promise<Write>;
}

const dataset = {
  kind: 'dataset',
  datamodelId: createSeedOid('Retail'),
  datasetId: createSeedOid('Retail/dataset/Sales'),
} as const;

const changeOrdersColumns =
  (change: (columns: readonly JsonObject[]) => readonly JsonObject[]) => async (fixture: ChangeFixture) =>
    createTableUpdate('Orders', {
      columns: change(getColumns(await fixture.read(createTableRef('Orders')))),
    });

const changeViewpoint =
  (change: (old: JsonObject) => JsonObject) =>
  async (fixture: ChangeFixture): Promise<Write> => {
    const [first] = (await fixture.client.viewpoints.list({ limit: 1 })).value.viewpoints;
    const ref = { kind: 'viewpoint', viewpointId: first?.id ?? '' } as const;
    return {
      endpoint: 'viewpoints.update',
      params: getIds(ref),
      target: ref,
      body: change(await fixture.readObject(ref)),
    };
  };

/** Adds one more column to a relation. */
const extendRelation =
  (table: string) =>
  async (fixture: ChangeFixture): Promise<Write> => {
    const model = await fixture.readObject({ kind: 'datamodel', datamodelId: createSeedOid('Retail') });
    const [oldRelation = {}] = model['relations'] as readonly JsonObject[];
    const ref = {
      kind: 'relation',
      datamodelId: createSeedOid('Retail'),
      relationId: getText(oldRelation['oid']),
    } as const;
    const { datasetId, tableId } = createTableRef(table);
    const [column] = getColumns(await fixture.read(createTableRef(table)));
    const joinedColumn = { dataset: datasetId, table: tableId, column: column?.['oid'] ?? null };
    const columns = [...(oldRelation['columns'] as readonly JsonValue[]), joinedColumn];
    return { endpoint: 'relations.update', params: getIds(ref), target: ref, body: { columns } };
  };

const changeConnection =
  (change: JsonObject) =>
  async (fixture: ChangeFixture): Promise<Write> => {
    const { connection: old } = await fixture.readObject(dataset);
    return {
      endpoint: 'datasets.update',
      params: getIds(dataset),
      target: dataset,
      body: { connection: { ...(old as JsonObject), ...change } },
    };
  };

const changeObject =
  (change: JsonObject) =>
  async (fixture: ChangeFixture): Promise<Write> => {
    const [oldObject = {}] = (await fixture.read({ kind: 'customData' })) as readonly JsonObject[];
    const ref: ResourceRef = { kind: 'customDataObject', objectId: getText(oldObject['_id']) };
    return {
      endpoint: 'customData.updateMatching',
      params: {},
      target: ref,
      body: { queryForSearch: { _id: ref.objectId }, objectForUpdate: change },
    };
  };

const renameFirst = (columns: readonly JsonObject[], name: string) =>
  columns.map((column, index) => (index === 0 ? { ...column, name } : column));

/** Returns a change that leaves out a member of the details, which the full replacement thereby removes. */
const removeFirstTitle = (old: JsonObject): JsonObject => {
  const details = old['details'] as { readonly columns: readonly JsonObject[] } & JsonObject;
  const columns = details.columns.map(({ title, ...rest }, index) =>
    index === 0 || title === undefined ? rest : { ...rest, title },
  );
  return { details: { ...details, columns } };
};

const cases: readonly Case[] = [
  {
    name: 'fields of a table',
    mine: async () => createTableUpdate('Orders', { description: 'Mine', hidden: true }),
    theirs: async () => createTableUpdate('Orders', { description: 'Theirs' }),
  },
  {
    name: 'the name of a column',
    mine: changeOrdersColumns((columns) => renameFirst(columns, 'Mine')),
    theirs: async () => createTableUpdate('Orders', { description: 'Theirs' }),
  },
  {
    name: 'a new column',
    mine: changeOrdersColumns((columns) => [...columns, { id: 'Mine', name: 'Mine', type: 8 }]),
    theirs: changeOrdersColumns((columns) => [...columns, { id: 'Theirs', name: 'Theirs', type: 8 }]),
  },
  {
    name: 'removed columns',
    mine: changeOrdersColumns((columns) => columns.slice(1)),
    theirs: async () => createTableUpdate('Orders', { description: 'Theirs' }),
  },
  {
    name: 'the order of columns',
    mine: changeOrdersColumns((columns) => columns.toReversed()),
    theirs: async () => createTableUpdate('Orders', { description: 'Theirs' }),
  },
  {
    name: 'the SQL of a table',
    mine: async () => createTableUpdate('Customer Value', { expression: 'SELECT 1 AS mine' }),
    theirs: async () => createTableUpdate('Customer Value', { expression: 'SELECT 1 AS theirs' }),
  },
  {
    name: 'the connection of a dataset',
    mine: changeConnection({ schema: 'Mine' }),
    theirs: changeConnection({ schema: 'Theirs' }),
  },
  {
    name: 'the columns of a relation',
    mine: extendRelation('Returns'),
    theirs: extendRelation('Order Items'),
  },
  {
    name: 'a field of a viewpoint',
    mine: changeViewpoint(() => ({ name: 'Mine', description: 'Mine' })),
    theirs: changeViewpoint(() => ({ description: 'Theirs' })),
  },
  {
    name: 'a member that is removed from the details of a viewpoint',
    mine: changeViewpoint(removeFirstTitle),
    theirs: changeViewpoint(() => ({ description: 'Theirs' })),
  },
  {
    name: 'the state of a viewpoint',
    mine: changeViewpoint(({ enabled }) => ({ enabled: enabled !== true })),
    theirs: changeViewpoint(() => ({ description: 'Theirs' })),
  },
  {
    name: 'a custom data object',
    mine: changeObject({ turn: 'mine' }),
    theirs: changeObject({ turn: 'theirs' }),
  },
];

describe.each(cases)('a lost response for $name', ({ mine, theirs }) => {
  const verifyAfter = async (...sent: readonly ('mine' | 'theirs')[]) => {
    using fixture = new ChangeFixture();
    const writes = { mine: await mine(fixture), theirs: await theirs(fixture) };
    const before = await readAffectedDocuments([writes.mine], new DocumentReader(fixture.client));
    for (const each of sent) {
      await (await loadWriteKind(writes[each])).send(fixture.client, writes[each]);
    }
    return await (await loadWriteKind(writes.mine)).verifyOutcome(writes.mine, {
      client: fixture.client,
      before,
    });
  };

  test('is resolved if the write succeeded', async () => {
    expect(await verifyAfter('mine')).toMatchObject({ state: 'happened' });
  });

  test('is resolved if the write did not happen', async () => {
    expect(await verifyAfter()).toEqual({ state: 'not-happened' });
  });

  test('stays undecided if another user has changed the document', async () => {
    expect(await verifyAfter('theirs')).toMatchObject({ state: 'unknown', changedDocument: { ref: {} } });
  });
});

test('a created viewpoint is found behind a page of others whose names contain its own', async () => {
  using fixture = new ChangeFixture();
  const body = { name: 'Mine', description: 'Made' };
  for (let index = 0; index < defaultViewpointPageSize; index += 1) {
    await fixture.client.viewpoints.create({ ...body, name: `Mine ${index}` });
  }
  const write = { endpoint: 'viewpoints.create', params: {}, body } as const;
  await (await loadWriteKind(write)).send(fixture.client, write);
  expect(
    await (await loadWriteKind(write)).verifyOutcome(write, { client: fixture.client, before: [] }),
  ).toMatchObject({
    state: 'happened',
    response: body,
  });
});
