import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createTableCreationWrite } from '../../../../src/changes/model/tableWrites.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
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

const { datamodelId, datasetId } = createTableRef('Stores');
const noChoices = { overwrittenIds: new Set<string>(), names: new Map<string, string>() };
const creation = createTableCreationWrite(
  { datamodelId, datasetId },
  { id: 'stores.csv', name: 'New', type: 'base', hidden: true, columns: [{ id: 'a', name: 'a', type: 18 }] },
);
/** A later step of the same operation, as an apply shows a table after its rules. */
const laterUpdate: Write = {
  endpoint: 'tables.update',
  params: { datamodelId, datasetId, tableId: '' },
  body: { hidden: false, description: 'Ours' },
  outputRefs: [{ write: 0, from: ['oid'], into: ['params', 'tableId'] }],
};

/** Creates a table, and stops then or not. */
async function create(
  profile: 'guide' | 'contract',
  { isEmpty, stops }: { readonly isEmpty: boolean; readonly stops: boolean },
) {
  const fixture = new ChangeFixture({ profile });
  fixture.hasEmptyResponse = (line) => isEmpty && line.startsWith('PATCH');
  const { writer, history } = fixture.open();
  const last = createTableUpdate('Orders', { description: 'Mine' });
  fixture.getWriteFault = (line) =>
    stops && line.includes(createTableRef('Orders').tableId) ? 'refusal' : undefined;
  const run = runApproved(writer, createOperation([creation, laterUpdate, last], 'apply'));
  if (stops) {
    expect(await getFailure(run)).toBeInstanceOf(StoppedError);
  } else {
    await run;
  }
  fixture.getWriteFault = () => undefined;
  await fixture.sandbox.clock.advance(1);
  const entry = expectDefined((await history.readEntries(connectionId))[0]);
  const [state] = entry.writeStates;
  const tableId = getText(state?.state === 'done' ? (state.answer as JsonObject)['oid'] : undefined);
  const ref = { kind: 'table', datamodelId, datasetId, tableId } as const;
  const { tables } = fixture.sandbox.store;
  return {
    fixture,
    writer,
    entry,
    ref,
    changeAsOther: (change: (table: JsonObject) => JsonObject): void => {
      const table = expectDefined(tables.getDocumentInModel(datamodelId, tableId));
      tables.update({ ...table, ...change(table) });
    },
  };
}

const changes: Readonly<Record<string, (table: JsonObject) => JsonObject>> = {
  description: () => ({ description: 'Theirs' }),
  hidden: () => ({ hidden: true }),
  'description of a column': (table) => ({
    columns: getColumns(table).map((column) => ({ ...column, description: 'Theirs' })),
  }),
  'hidden column': (table) => ({ columns: getColumns(table).map((column) => ({ ...column, hidden: true })) }),
  'new column': (table) => ({
    columns: [
      ...getColumns(table),
      { oid: '11111111-0000-4000-8000-000000000001', id: 'b', name: 'Theirs', type: 18 },
    ],
  }),
};

describe.each([
  ['guide', false],
  ['guide', true],
  ['contract', false],
  ['contract', true],
] as const)('a table that an operation has created (%s, empty responses: %s)', (profile, isEmpty) => {
  test.each(Object.keys(changes))('is kept by a rollback if others have changed it: %s', async (name) => {
    const { fixture, writer, entry, ref, changeAsOther } = await create(profile, { isEmpty, stops: true });
    using _fixture = fixture;
    changeAsOther(expectDefined(changes[name]));
    expect(await getFailure(writer.rollBack(entry))).toBeInstanceOf(ConflictError);
    expect(await fixture.read(ref)).toBeDefined();
  });

  test.each(Object.keys(changes))(
    'is shown in the review of an undo with what others have changed: %s',
    async (name) => {
      const { fixture, writer, entry, ref, changeAsOther } = await create(profile, { isEmpty, stops: false });
      using _fixture = fixture;
      changeAsOther(expectDefined(changes[name]));
      const undo = await writer.planUndoForReview(entry, 'undo', noChoices);
      expect(undo.laterChanges).toMatchObject([
        { kind: 'table', name: 'New', canOverwrite: false, isOverwritten: true },
      ]);
      expect(undo.laterChanges[0]?.fields).not.toEqual([]);
      // If they change it again during the review, nothing is deleted.
      changeAsOther(() => ({ description: 'Again' }));
      const { operation, ...options } = undo;
      expect(await getFailure(runApproved(writer, operation, options))).toBeInstanceOf(ConflictError);
      expect(await fixture.read(ref)).toBeDefined();
    },
  );

  test('is deleted by a rollback and an undo if nobody has changed it', async () => {
    const stopped = await create(profile, { isEmpty, stops: true });
    using _stopped = stopped.fixture;
    await stopped.writer.rollBack(stopped.entry);
    expect(await stopped.fixture.read(stopped.ref)).toBeUndefined();

    const { fixture, writer, entry, ref } = await create(profile, { isEmpty, stops: false });
    using _fixture = fixture;
    const { operation, ...options } = await writer.planUndoForReview(entry, 'undo', noChoices);
    expect(options.laterChanges).toEqual([]);
    await runApproved(writer, operation, { ...options, undoneEntryId: entry.id });
    expect(await fixture.read(ref)).toBeUndefined();
  });
});
