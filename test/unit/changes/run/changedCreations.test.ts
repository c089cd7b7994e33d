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
      const kept = await writer.planUndoForReview(entry, 'undo', noChoices);
      expect(kept.laterChanges).toMatchObject([{ canOverwrite: true, isOverwritten: false }]);
      const overwrittenIds = new Set(kept.laterChanges.map(({ id }) => id));
      const undo = await writer.planUndoForReview(entry, 'undo', { ...noChoices, overwrittenIds });
      expect(undo.laterChanges).toMatchObject([
        { kind: 'table', name: 'New', isCreated: true, canOverwrite: true, isOverwritten: true },
      ]);
      expect(undo.laterChanges[0]?.fields).not.toEqual([]);
      // If they change it again during the review, nothing is deleted.
      changeAsOther(() => ({ description: 'Again' }));
      const { operation, ...options } = undo;
      expect(await getFailure(runApproved(writer, operation, options))).toBeInstanceOf(ConflictError);
      expect(await fixture.read(ref)).toBeDefined();
    },
  );

  test('is kept by an undo that keeps what others have changed; everything else is undone', async () => {
    const { fixture, writer, entry, ref, changeAsOther } = await create(profile, { isEmpty, stops: false });
    using _fixture = fixture;
    changeAsOther(() => ({ description: 'Theirs' }));
    const { operation, ...options } = await writer.planUndoForReview(entry, 'undo', noChoices);
    expect(operation.writes).toMatchObject([{ target: createTableRef('Orders') }]);
    await runApproved(writer, operation, { ...options, undoneEntryId: entry.id });
    expect(await fixture.read(ref)).toMatchObject({ description: 'Theirs' });
  });

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

describe.each(['guide', 'contract'] as const)('a viewpoint that an operation has created (%s)', (profile) => {
  const createDetails = (column: string): JsonObject => ({
    datasource: { title: 'Retail', fullname: 'localhost/Retail', modelType: 'external' },
    columns: [{ table: 'Stores', column, dim: `[Stores.${column}]` }],
  });

  test('the review of an undo shows what others have changed in its details, and keeps it', async () => {
    const fixture = new ChangeFixture({ profile });
    using _fixture = fixture;
    const { writer, history } = fixture.open();
    const body = {
      name: 'Of stores',
      description: '',
      visibility: { enabled: false, apps: [], users: [], groups: [] },
      details: createDetails('City'),
    };
    await runApproved(
      writer,
      createOperation([{ endpoint: 'viewpoints.create', params: {}, body }], 'apply'),
    );
    await fixture.sandbox.clock.advance(1);
    const entry = expectDefined((await history.readEntries(connectionId))[0]);
    const [state] = entry.writeStates;
    const viewpointId = getText(state?.state === 'done' ? (state.answer as JsonObject)['id'] : undefined);
    await fixture.client.viewpoints.update({ viewpointId }, { details: createDetails('Store') });
    const review = (overwrittenIds: ReadonlySet<string>) =>
      writer.planUndoForReview(entry, 'undo', { ...noChoices, overwrittenIds });
    const { laterChanges, operation } = await review(new Set());
    expect(laterChanges).toMatchObject([
      { kind: 'viewpoint', isCreated: true, canOverwrite: true, isOverwritten: false },
    ]);
    expect(laterChanges[0]?.fields.map(({ field }) => field)).toEqual([
      'details.columns[0].column',
      'details.columns[0].dim',
    ]);
    expect(operation.writes).toEqual([]);
    const deletion = await review(new Set(laterChanges.map(({ id }) => id)));
    expect(deletion.operation.writes).toMatchObject([{ endpoint: 'viewpoints.delete' }]);
  });
});
