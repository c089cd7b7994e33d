import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import type { WriteState } from '../../../../src/changes/journal/entry.ts';
import { asObject, getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createRelationCreationWrite } from '../../../../src/changes/model/relationWrites.ts';
import { createTableCreationWrite } from '../../../../src/changes/model/tableWrites.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import { createShopRule, openShop, shop } from './renameColumn.ts';
import {
  advanceUntilSettled,
  type ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  getColumns,
} from './support.ts';

const stores = createTableRef('Stores');
const { datamodelId } = stores;
const creation = createTableCreationWrite(stores, {
  id: 'regions.csv',
  name: 'Zones',
  type: 'base',
  columns: [{ id: 'Key', name: 'Key', type: 18 }],
});

async function createRelation(fixture: ChangeFixture): Promise<Write> {
  const column = getColumns(await fixture.read(stores)).find(({ name }) => name === 'City');
  return {
    ...createRelationCreationWrite(datamodelId, [
      { dataset: stores.datasetId, table: stores.tableId, column: getText(column?.['oid']) },
      { dataset: stores.datasetId, table: '', column: '' },
    ]),
    outputRefs: [
      { write: 0, from: ['oid'], into: ['body', 'columns', 1, 'table'] },
      { write: 0, from: ['columns', 'Key', 'oid'], into: ['body', 'columns', 1, 'column'] },
    ],
  };
}

/** Creates the table Zones with a relation to Stores, which has a rule. */
async function open(
  profile: 'guide' | 'contract',
  createOthers: (fixture: ChangeFixture) => Promise<readonly Write[]> = async (fixture) => [
    await createRelation(fixture),
  ],
) {
  const fixture = openShop(profile);
  await fixture.client.extractRules.create({ server: shop.server, elasticube: shop.elasticube }, [
    createShopRule(undefined, 'City', []),
  ]);
  const { writer, history } = fixture.open();
  await advanceUntilSettled(
    fixture,
    runApproved(writer, createOperation([creation, ...(await createOthers(fixture))], 'apply')),
  );
  /** Undoes the latest entry; returns whether Zones was visible and related before each write. */
  const undoLatest = async (): Promise<readonly string[]> => {
    await fixture.sandbox.clock.advance(1000);
    const entry = expectDefined((await history.readEntries(connectionId))[0]);
    const { operation, ...options } = await writer.planUndoForReview(entry, 'undo', {
      overwrittenIds: new Set(),
      names: new Map(),
    });
    const states: string[] = [];
    fixture.getWriteFault = () => {
      states.push(describeZones(fixture));
      return undefined;
    };
    await advanceUntilSettled(
      fixture,
      runApproved(writer, operation, { ...options, undoneEntryId: entry.id }),
    );
    fixture.getWriteFault = () => undefined;
    return [...states, describeZones(fixture)];
  };
  return { fixture, writer, history, undoLatest };
}

function describeZones({ sandbox }: ChangeFixture): string {
  const model = expectDefined(sandbox.store.datamodels.getDocument(datamodelId));
  const zones = getObjects(model['datasets'])
    .flatMap(({ schema }) => getObjects(asObject(schema)['tables']))
    .find(({ name }) => name === 'Zones');
  const isRelated = getObjects(model['relations']).some(({ columns }) =>
    getObjects(columns).some(({ table }) => table === zones?.['oid']),
  );
  return zones === undefined
    ? 'absent'
    : `${zones['hidden'] === true ? 'hidden' : 'visible'}, ${isRelated ? 'related' : 'alone'}`;
}

describe.each(['guide', 'contract'] as const)('an undo of a new table with a relation (%s)', (profile) => {
  test('hides the table before it deletes the relation', async () => {
    const { fixture, undoLatest } = await open(profile);
    using _ = fixture;
    expect(await undoLatest()).toEqual(['visible, related', 'hidden, related', 'hidden, alone', 'absent']);
  });

  test('is undone and done again without showing the table alone', async () => {
    const { fixture, undoLatest } = await open(profile);
    using _ = fixture;
    await undoLatest();
    const restored = await undoLatest();
    expect(restored).not.toContain('visible, alone');
    expect(restored.at(-1)).toBe('visible, related');
    const undone = await undoLatest();
    expect(undone).not.toContain('visible, alone');
    expect(undone.at(-1)).toBe('absent');
  });

  test('hides the table before it deletes rules', async () => {
    const { fixture, undoLatest } = await open(profile, () =>
      Promise.resolve(
        createRuleWrites(shop, { adds: [createShopRule(undefined, 'Store', [])], deletes: [] }),
      ),
    );
    using _ = fixture;
    expect(await undoLatest()).toEqual(['visible, alone', 'hidden, alone', 'hidden, alone', 'absent']);
  });
});

describe.each(['guide', 'contract'] as const)('an undo that keeps a new table (%s)', (profile) => {
  test('keeps the relation and the rules that restrict it, and says so', async () => {
    const { fixture, writer, history } = await open(profile, async (instance) => [
      await createRelation(instance),
      ...createRuleWrites(shop, { adds: [createShopRule(undefined, 'Store', [])], deletes: [] }),
    ]);
    using _ = fixture;
    await fixture.sandbox.clock.advance(1000);
    const entry = expectDefined((await history.readEntries(connectionId))[0]);
    const { tables } = fixture.sandbox.store;
    const created = expectDefined(
      tables.getDocumentInModel(datamodelId, getText(asObject(getAnswer(entry.writeStates[0]))['oid'])),
    );
    tables.update({ ...created, description: 'Theirs' });
    const review = (overwrittenIds: ReadonlySet<string>) =>
      writer.planUndoForReview(entry, 'undo', { overwrittenIds, names: new Map() });
    const { laterChanges, operation } = await review(new Set());
    expect(laterChanges).toMatchObject([
      {
        name: 'Zones',
        isCreated: true,
        isOverwritten: false,
        keptRuleColumns: ['Stores.Store'],
        keptItems: ['Stores – Zones'],
      },
    ]);
    expect(operation.writes).toEqual([]);
    const deletion = await review(new Set(laterChanges.map(({ id }) => id)));
    expect(deletion.operation.writes.at(-1)).toMatchObject({ endpoint: 'tables.delete' });
  });

  test('keeps it for a relation that others have changed', async () => {
    const { fixture, writer, history } = await open(profile);
    using _ = fixture;
    await fixture.sandbox.clock.advance(1000);
    const entry = expectDefined((await history.readEntries(connectionId))[0]);
    const { oid, columns } = asObject(getAnswer(entry.writeStates[1]));
    const other = getColumns(await fixture.read(stores)).find(({ name }) => name === 'Store');
    await fixture.client.relations.update(
      { datamodelId, relationId: getText(oid) },
      {
        columns: getObjects(columns).map((end) =>
          end['table'] === stores.tableId ? { ...end, column: other?.['oid'] ?? null } : end,
        ),
      },
    );
    const { laterChanges, operation } = await writer.planUndoForReview(entry, 'undo', {
      overwrittenIds: new Set(),
      names: new Map(),
    });
    expect(laterChanges).toMatchObject([{ kind: 'relation', isCreated: true, isOverwritten: false }]);
    expect(laterChanges[0]?.fields).not.toEqual([]);
    expect(operation.writes).toEqual([]);
  });
});

const getAnswer = (state: WriteState | undefined): JsonValue | undefined =>
  state?.state === 'done' ? state.answer : undefined;
