import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { asObject, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { readViewpointDocuments } from '../../../../src/changes/model/readViewpointDocuments.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createViewpointUpdateWrite } from '../../../../src/changes/model/viewpointWrites.ts';
import { ConflictError, StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import {
  ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getColumns,
  getFailure,
} from './support.ts';

const orders = createTableRef('Orders');

/** A server whose responses to writes are empty. `onWritten` is called after the first write, before anything is read. */
async function prepare(profile: 'guide' | 'contract', onWritten: (fixture: ChangeFixture) => void) {
  const fixture = new ChangeFixture({ profile });
  const { writer, history } = fixture.open();
  let isWritten = false;
  fixture.hasEmptyResponse = (line) => {
    if (!line.startsWith('GET') && !isWritten) {
      isWritten = true;
      onWritten(fixture);
    }
    return !line.startsWith('GET');
  };
  const readEntry = async () => expectDefined((await history.readEntries(connectionId))[0]);
  return {
    fixture,
    writer,
    readEntry,
    run: async (...writes: readonly Write[]) => {
      await runApproved(writer, createOperation(writes));
      return readEntry();
    },
    /** Undoes the latest change without a review. */
    undo: async () => {
      const entry = await readEntry();
      const { operation, ...options } = await writer.planUndo(entry);
      return runApproved(writer, operation, { ...options, undoneEntryId: entry.id });
    },
    review: async () =>
      writer.planUndoForReview(await readEntry(), 'undo', { overwrittenIds: new Set(), names: new Map() }),
  };
}

const changeTable = (fixture: ChangeFixture, members: (table: JsonObject) => JsonObject): void => {
  const { tables } = fixture.sandbox.store;
  const table = expectDefined(tables.getDocumentInModel(orders.datamodelId, orders.tableId));
  tables.update({ ...table, ...members(table) });
};

const hideFirstColumn = (table: JsonObject): JsonObject => {
  const [first, ...others] = getColumns(table);
  return { columns: [{ ...first, hidden: true }, ...others] };
};

describe.each(['guide', 'contract'] as const)(
  'if others change a document before the operation ends, on an instance of the profile %s',
  (profile) => {
    test.each<readonly [string, (table: JsonObject) => JsonObject, (table: JsonObject) => JsonObject]>([
      ['a text', () => ({ description: 'Ours' }), () => ({ description: 'Theirs' })],
      [
        'a column',
        (table) => ({
          columns: getColumns(table).map((column) => ({ ...column, description: 'Ours' })),
        }),
        hideFirstColumn,
      ],
    ])('the undo does not overwrite %s', async (_text, getOurs, getTheirs) => {
      const { fixture, run, undo, review } = await prepare(profile, (changed) =>
        changeTable(changed, getTheirs),
      );
      using _fixture = fixture;
      await run(createTableUpdate('Orders', getOurs(await fixture.readObject(orders))));
      const left = await fixture.readObject(orders);
      expect(await getFailure(undo())).toBeInstanceOf(ConflictError);
      const { laterChanges, operation } = await review();
      expect(laterChanges).toMatchObject([{ name: 'Orders', canOverwrite: true, isOverwritten: false }]);
      expect(operation.writes).toEqual([]);
      expect(await fixture.readObject(orders)).toEqual(left);
    });

    test('the undo restores what nobody else has changed', async () => {
      const { fixture, run, undo } = await prepare(profile, (changed) =>
        changeTable(changed, hideFirstColumn),
      );
      using _fixture = fixture;
      const { description } = await fixture.readObject(orders);
      await run(createTableUpdate('Orders', { description: 'Ours' }));
      await undo();
      const table = await fixture.readObject(orders);
      expect([table['description'], getColumns(table)[0]?.['hidden']]).toEqual([description, true]);
    });

    test('the undo does not create a viewpoint again that others have deleted', async () => {
      let viewpointId = '';
      const { fixture, run, undo, review } = await prepare(profile, ({ sandbox }) =>
        sandbox.store.viewpoints.delete(viewpointId),
      );
      using _fixture = fixture;
      viewpointId = getText(asObject((await readViewpointDocuments(fixture.client, {}))[0])['id']);
      await run(createViewpointUpdateWrite({ viewpointId }, { description: 'Ours' }));
      expect(await getFailure(undo())).toBeInstanceOf(ConflictError);
      expect((await review()).operation.writes).toEqual([]);
    });

    test('an operation that stopped counts only what it has written', async () => {
      const { fixture, run, readEntry } = await prepare(profile, (changed) =>
        changeTable(changed, () => ({ description: 'Theirs' })),
      );
      using _fixture = fixture;
      let count = 0;
      fixture.getWriteFault = () => ((count += 1) === 2 ? 'refusal' : undefined);
      const writes = [{ description: 'Ours' }, { hidden: true }].map((body) =>
        createTableUpdate('Orders', body),
      );
      expect(await getFailure(run(...writes))).toBeInstanceOf(StoppedError);
      expect((await readEntry()).versionsAfter).toEqual([{ ref: orders, hash: 'changed' }]);
    });

    test.each<{ text: string; normalize: (table: JsonObject) => JsonObject; asks: boolean }>([
      { text: 'adds members of its own', normalize: () => ({ revision: 7 }), asks: false },
      {
        text: 'stores empty values in another form',
        normalize: () => ({ tags: null, configOptions: {} }),
        asks: false,
      },
      // The shortened text looks like a change by others.
      { text: 'shortens a text', normalize: () => ({ description: 'Ours' }), asks: true },
    ])('if a server $text, the undo asks before it overwrites that: $asks', async (server) => {
      const { fixture, run, review } = await prepare(profile, (changed) =>
        changeTable(changed, server.normalize),
      );
      using _fixture = fixture;
      await run(createTableUpdate('Orders', { description: 'Ours ', tags: [], configOptions: null }));
      const { laterChanges, operation } = await review();
      expect(laterChanges).toHaveLength(server.asks ? 1 : 0);
      expect(operation.writes.some(({ body }) => 'description' in asObject(body))).toBe(!server.asks);
    });
  },
);
