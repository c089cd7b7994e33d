import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { asObject, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { ConflictError } from '../../../../src/changes/run/writeErrors.ts';
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
import { stopOperation } from './stopOperation.ts';

const ranking = createTableRef('Store Ranking');

/** A custom table with a custom column, and a change that deletes this column and changes the SQL in one write. */
async function prepare(profile: 'guide' | 'contract', isEmpty: boolean) {
  const fixture = new ChangeFixture({ profile });
  fixture.hasEmptyResponse = (line) => isEmpty && line.startsWith('PATCH');
  const { tables } = fixture.sandbox.store;
  const readStored = () => expectDefined(tables.getDocumentInModel(ranking.datamodelId, ranking.tableId));
  const custom = { oid: '11111111-0000-4000-8000-000000000001', name: 'Custom', isCustom: true, type: 18 };
  tables.update({
    ...readStored(),
    columns: [...getColumns(readStored()), { ...custom, expression: "'x'" }],
  });
  const columns = getColumns(await fixture.read(ranking)).filter(({ isCustom }) => isCustom !== true);
  const sql = getText(asObject(asObject(readStored())['expression'])['expression']);
  const expression = sql.replace('SELECT', 'SELECT /* changed */');
  const write = createTableUpdate('Store Ranking', { expression, columns });
  return {
    fixture,
    write,
    /** Changes the settings of the first column, which is generated from the SQL, as another user. */
    changeAsOther: (settings: JsonObject): void => {
      const changed = getColumns(readStored()).map((column, index) =>
        index === 0 ? { ...column, ...settings } : column,
      );
      tables.update({ ...readStored(), columns: changed });
    },
    readFirstColumn: async () => getColumns(await fixture.read(ranking))[0],
  };
}

describe.each([
  ['guide', false],
  ['guide', true],
  ['contract', false],
  ['contract', true],
] as const)('a generated column (%s, empty responses: %s)', (profile, isEmpty) => {
  test.each<JsonObject>([{ hidden: true }, { description: 'Theirs' }, { name: 'Theirs' }])(
    'stays as others have changed it since: a rollback stops (%j)',
    async (settings) => {
      const { fixture, write, changeAsOther, readFirstColumn } = await prepare(profile, isEmpty);
      using _fixture = fixture;
      const operation = createOperation([write, createTableUpdate('Orders', { description: 'Mine' })]);
      const { writer, entry } = await stopOperation(fixture, operation, (line) =>
        line.includes(ranking.tableId) ? undefined : 'refusal',
      );
      changeAsOther(settings);
      expect(await getFailure(writer.rollBack(entry))).toBeInstanceOf(ConflictError);
      expect(await readFirstColumn()).toMatchObject(settings);
    },
  );

  test('does not prevent a rollback from restoring the SQL', async () => {
    const { fixture, write } = await prepare(profile, isEmpty);
    using _fixture = fixture;
    const before = await fixture.readObject(ranking);
    const operation = createOperation([write, createTableUpdate('Orders', { description: 'Mine' })]);
    const { writer, entry } = await stopOperation(fixture, operation, (line) =>
      line.includes(ranking.tableId) ? undefined : 'refusal',
    );
    await writer.rollBack(entry);
    const after = await fixture.readObject(ranking);
    expect(getText(asObject(after['expression'])['expression'])).toBe(
      getText(asObject(before['expression'])['expression']),
    );
  });

  test('stays hidden if others have hidden it after the first of two writes', async () => {
    const { fixture, write, changeAsOther, readFirstColumn } = await prepare(profile, isEmpty);
    using _fixture = fixture;
    const { columns = null } = asObject(write.body);
    const operation = createOperation(
      [
        write,
        createTableUpdate('Orders', { description: 'Mine' }),
        createTableUpdate('Store Ranking', { columns }),
      ],
      'apply',
    );
    fixture.getWriteFault = (line) => {
      if (!line.includes(ranking.tableId)) {
        changeAsOther({ hidden: true });
      }
      return undefined;
    };
    expect(await getFailure(runApproved(fixture.open().writer, operation))).toMatchObject({
      name: 'StoppedError',
      cause: { name: 'ConflictError' },
    });
    expect(await readFirstColumn()).toMatchObject({ hidden: true });
  });
});

test.each([
  ['guide', 'generated'],
  ['contract', 'generated'],
  ['guide', 'stored'],
  ['contract', 'stored'],
] as const)(
  'an undo leaves a column hidden that others have hidden before the result was read back (%s, %s)',
  async (profile, kind) => {
    const { fixture, write, changeAsOther, readFirstColumn } = await prepare(profile, true);
    using _fixture = fixture;
    // The columns are sent without `hidden`, which a server keeps.
    const columns = getColumns(asObject(write.body)).map(({ hidden: _hidden, ...column }) => column);
    const operation = createOperation([
      kind === 'generated' ? write : createTableUpdate('Store Ranking', { columns }),
    ]);
    fixture.hasEmptyResponse = (line) => {
      if (line.startsWith('PATCH')) {
        changeAsOther({ hidden: true });
      }
      return line.startsWith('PATCH');
    };
    const { writer, history } = fixture.open();
    await runApproved(writer, operation);
    fixture.hasEmptyResponse = () => false;
    const entry = expectDefined((await history.readEntries(connectionId))[0]);
    const { operation: undo, ...options } = await writer.planUndo(entry);
    const failure = await getFailure(runApproved(writer, undo, { ...options, undoneEntryId: entry.id }));
    expect(failure).toBeInstanceOf(ConflictError);
    expect(await readFirstColumn()).toMatchObject({ hidden: true });
  },
);
