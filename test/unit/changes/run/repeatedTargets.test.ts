import { describe, expect, test } from 'vitest';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { ConflictError, StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import type { ProfileName } from '../../../../src/sandbox/profiles/profile.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import {
  ChangeFixture,
  type WriteFault,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getColumns,
  getFailure,
} from './support.ts';

const orders = createTableRef('Orders');

/** Prepares an apply that changes the description of a table, then another table, and deletes a column of the first. */
async function prepare(profile: ProfileName, hasEmptyResponses: boolean) {
  const fixture = new ChangeFixture({ profile });
  fixture.hasEmptyResponse = (line) => hasEmptyResponses && line.startsWith('PATCH');
  const columns = getColumns(await fixture.read(orders));
  const operation = createOperation(
    [
      createTableUpdate('Orders', { description: 'First' }),
      createTableUpdate('Stores', { description: 'Other' }),
      createTableUpdate('Orders', { columns: columns.slice(0, -1).map(({ oid = '' }) => ({ oid })) }),
    ],
    'apply',
  );
  /** Hides a column as another user. */
  const changeAsOther = (): void => {
    const { tables } = fixture.sandbox.store;
    const table = tables.getDocumentInModel(orders.datamodelId, orders.tableId);
    const [first, ...others] = getColumns(table);
    tables.update({ ...table, columns: [{ ...first, hidden: true }, ...others] });
  };
  const failAt = (number: number, fault: WriteFault): void => {
    let count = 0;
    fixture.getWriteFault = () => ((count += 1) === number ? fault : undefined);
  };
  return { fixture, operation, changeAsOther, failAt, columnCount: columns.length, ...fixture.open() };
}

const countColumns = async (fixture: ChangeFixture): Promise<number> =>
  getColumns(await fixture.read(orders)).length;

describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  describe.each([false, true])('if an apply writes a table twice (empty responses: %s)', (isEmpty) => {
    test.each(['resume', 'rollBack'] as const)(
      '%s keeps what another user has changed since',
      async (ending) => {
        const { fixture, operation, failAt, changeAsOther, writer, history, columnCount } = await prepare(
          profile,
          isEmpty,
        );
        using _fixture = fixture;
        failAt(2, 'refusal');
        expect(await getFailure(runApproved(writer, operation))).toBeInstanceOf(StoppedError);
        changeAsOther();
        const countBefore = fixture.getWriteRequests().length;
        const [entry] = await history.readEntries(connectionId);
        expect(await getFailure(writer[ending](expectDefined(entry)))).toBeInstanceOf(ConflictError);
        expect(fixture.getWriteRequests()).toHaveLength(countBefore);
        expect(await countColumns(fixture)).toBe(columnCount);
      },
    );

    test('it stops before it overwrites what another user has changed in between', async () => {
      const { fixture, operation, changeAsOther, writer, columnCount } = await prepare(profile, isEmpty);
      using _fixture = fixture;
      fixture.getWriteFault = (line) => {
        if (!line.includes(orders.tableId)) {
          changeAsOther();
        }
        return undefined;
      };
      expect(await getFailure(runApproved(writer, operation))).toMatchObject({
        name: 'StoppedError',
        cause: { name: 'ConflictError' },
      });
      expect(await countColumns(fixture)).toBe(columnCount);
    });

    test.each([
      ['resume', 'request-lost'],
      ['resume', 'refusal'],
      ['rollBack', 'request-lost'],
      ['rollBack', 'refusal'],
    ] as const)('%s ends the apply after its second write of the table failed: %s', async (ending, fault) => {
      const { fixture, operation, failAt, writer, history, columnCount } = await prepare(profile, isEmpty);
      using _fixture = fixture;
      const before = await fixture.readObject(orders);
      failAt(3, fault);
      expect(await getFailure(runApproved(writer, operation))).toBeInstanceOf(StoppedError);
      fixture.getWriteFault = () => undefined;
      const [entry] = await history.readEntries(connectionId);
      await writer[ending](expectDefined(entry));
      const { description } = await fixture.readObject(orders);
      expect([await countColumns(fixture), getText(description)]).toEqual(
        ending === 'resume' ? [columnCount - 1, 'First'] : [columnCount, getText(before['description'])],
      );
    });
  });

  test('two updates of a table are rolled back although nothing shows what the first one has left', async () => {
    const { fixture, writer, history } = await prepare(profile, true);
    using _fixture = fixture;
    const before = await fixture.readObject(orders);
    const operation = createOperation(
      [
        createTableUpdate('Orders', { description: 'First' }),
        createTableUpdate('Orders', { description: 'Second', hidden: true }),
        createTableUpdate('Stores', { description: 'Other' }),
      ],
      'apply',
    );
    let writeCount = 0;
    fixture.getWriteFault = () => ((writeCount += 1) === 3 ? 'refusal' : undefined);
    // The first update is read back in vain.
    let isRefused = false;
    fixture.getReadRefusal = () => (writeCount === 1 && !isRefused ? ((isRefused = true), 403) : undefined);
    expect(await getFailure(runApproved(writer, operation))).toBeInstanceOf(StoppedError);
    expect(isRefused).toBe(true);
    fixture.getWriteFault = () => undefined;
    const [entry] = await history.readEntries(connectionId);
    await writer.rollBack(expectDefined(entry));
    const after = await fixture.readObject(orders);
    expect([after['description'], after['hidden']]).toEqual([before['description'], before['hidden']]);
  });

  test('a response with shortened columns, and another number of them, is read back', async () => {
    const { fixture, operation, writer, columnCount } = await prepare(profile, false);
    using _fixture = fixture;
    const columns = getColumns(await fixture.read(orders));
    const added = { id: 'Added', name: 'Added', type: 18 };
    const [, others, deletion] = operation.writes;
    fixture.shortensColumns = (line) => line.startsWith('PATCH') && line.includes(orders.tableId);
    await runApproved(writer, {
      ...operation,
      writes: [createTableUpdate('Orders', { columns: [...columns, added] }), others, deletion].map((write) =>
        expectDefined(write),
      ),
    });
    expect(await countColumns(fixture)).toBe(columnCount - 1);
  });

  /** Calls a function before the first read of the table after its first write. */
  const onReadBack = (fixture: ChangeFixture, change: () => void): void => {
    let isDone = false;
    const isTable = (line: string): boolean =>
      [orders, createTableRef('Store Ranking')].some(({ tableId }) => line.includes(tableId));
    fixture.getReadRefusal = (line) => {
      if (!isDone && isTable(line) && fixture.getWriteRequests().length === 1) {
        isDone = true;
        change();
      }
      return undefined;
    };
  };

  test.each([false, true])(
    'a new column has its ID although another user changes its table before it is read back (%s)',
    async (isChanged) => {
      const { fixture, changeAsOther, writer } = await prepare(profile, true);
      using _fixture = fixture;
      const columns = getColumns(await fixture.read(orders));
      const operation = createOperation(
        [
          createTableUpdate('Orders', { columns: [...columns, { id: 'Added', name: 'Added', type: 18 }] }),
          {
            ...createTableUpdate('Orders', { columns: [...columns, { name: 'Added', hidden: true }] }),
            outputRefs: [
              {
                write: 0,
                from: ['columns', 'Added', 'oid'],
                into: ['body', 'columns', columns.length, 'oid'],
              },
            ],
          },
        ],
        'apply',
      );
      onReadBack(fixture, isChanged ? changeAsOther : () => undefined);
      if (isChanged) {
        expect(await getFailure(runApproved(writer, operation))).toMatchObject({
          name: 'StoppedError',
          cause: { name: 'ConflictError' },
        });
      } else {
        await runApproved(writer, operation);
      }
      const [first, ...others] = getColumns(await fixture.read(orders));
      expect([first?.['hidden'], others.at(-1)]).toMatchObject([
        isChanged,
        { name: 'Added', hidden: !isChanged },
      ]);
    },
  );

  describe('if an apply changes the SQL of a custom table before something else of that table', () => {
    const custom = createTableRef('Store Ranking');

    async function prepareCustom() {
      const fixture = new ChangeFixture({ profile });
      fixture.hasEmptyResponse = (line) => line.startsWith('PATCH');
      const { store } = fixture.sandbox;
      const readTable = () => store.tables.getDocumentInModel(custom.datamodelId, custom.tableId);
      const added = {
        oid: createSeedOid('Custom'),
        name: 'Custom',
        isCustom: true,
        type: 18,
        expression: "'x'",
      };
      store.tables.update({ ...readTable(), columns: [...getColumns(readTable()), added] });
      const columns = getColumns(await fixture.read(custom));
      const sql = "SELECT [Store and Country] AS [Store], [Month], 'new' AS [New] FROM [Monthly Store Sales]";
      return { fixture, readTable, columns, sql, ...fixture.open() };
    }

    test.each([false, true])('it is done (custom columns, too: %s)', async (changesColumns) => {
      const { fixture, writer, columns, sql, readTable } = await prepareCustom();
      using _fixture = fixture;
      const changed = columns.map((column) =>
        column['isCustom'] === true ? { ...column, description: 'Changed' } : column,
      );
      const first = { expression: sql, ...(changesColumns ? { columns: changed } : {}) };
      const writes = [first, { description: 'Second' }].map((body) =>
        createTableUpdate('Store Ranking', body),
      );
      const {
        writeStates: [result],
      } = await runApproved(writer, createOperation(writes, 'apply'));
      // The first response stands for the document, although its columns are others.
      expect(result).toMatchObject({ state: 'done', answer: { oid: custom.tableId } });
      expect(readTable()?.['description']).toBe('Second');
      expect(getColumns(readTable()).some(({ name }) => name === 'New')).toBe(profile === 'contract');
    });

    test('it stops before it overwrites a custom column that another user has changed', async () => {
      const { fixture, writer, columns, sql, readTable } = await prepareCustom();
      using _fixture = fixture;
      onReadBack(fixture, () => {
        const theirs = getColumns(readTable()).map((column) =>
          column['isCustom'] === true ? { ...column, description: 'Theirs' } : column,
        );
        fixture.sandbox.store.tables.update({ ...readTable(), columns: theirs });
      });
      const operation = createOperation(
        [
          createTableUpdate('Store Ranking', { expression: sql }),
          createTableUpdate('Store Ranking', {
            columns: columns.filter(({ isCustom }) => isCustom !== true),
          }),
        ],
        'apply',
      );
      expect(await getFailure(runApproved(writer, operation))).toMatchObject({
        name: 'StoppedError',
        cause: { name: 'ConflictError' },
      });
      expect(getColumns(readTable()).find(({ name }) => name === 'Custom')).toMatchObject({
        description: 'Theirs',
      });
    });
  });
});
