import { describe, expect, test } from 'vitest';
import { createTableDeletionWrite } from '../../../../src/changes/model/tableWrites.ts';
import { ConflictError, StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import {
  advanceUntilSettled,
  ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getFailure,
  type Loss,
} from './support.ts';

const stores = createTableRef('Stores');

/** Runs an operation on two tables, whose second write fails, and resumes it with further losses of this write. */
async function stopAtStores(fixture: ChangeFixture, [first, ...others]: readonly Loss[]) {
  const { writer, history } = fixture.open();
  const lose = (loss: Loss | undefined): void => {
    fixture.getLoss = (line) => (line.includes(stores.tableId) ? loss : undefined);
  };
  const readEntry = async () => expectDefined((await history.readEntries(connectionId))[0], 'entry');
  lose(first);
  await getFailure(
    writer.run(
      createOperation(['Orders', 'Stores'].map((table) => createTableUpdate(table, { description: 'Mine' }))),
    ),
  );
  for (const loss of others) {
    lose(loss);
    await getFailure(writer.resume(await readEntry()));
  }
  lose(undefined);
  expect((await readEntry()).writes).toMatchObject([{ state: 'done' }, { state: 'failed' }]);
  return { writer, readEntry };
}

test.each([
  { losses: ['refusal'], state: 'failed' },
  { losses: ['refusal', 'refusal'], state: 'failed' },
  // It isn't documented that such a server has done nothing.
  { losses: ['wait'], state: 'unknown' },
  { losses: ['request'], state: 'unknown' },
  // The first request may still arrive.
  { losses: ['request', 'refusal'], state: 'unknown' },
] as const)(
  'a write whose requests were lost or refused ($losses), and whose document others have changed since, is $state',
  async ({ losses, state }) => {
    using fixture = new ChangeFixture();
    const { writer, readEntry } = await stopAtStores(fixture, losses);
    await fixture.client.tables.update(stores, { description: 'Theirs' });
    // A second attempt doesn't change what is known.
    for (const _attempt of [1, 2]) {
      await getFailure(writer.resume(await readEntry()));
      expect((await readEntry()).writes).toMatchObject([{ state: 'done' }, { state }]);
    }
    const rolledBack = writer.rollBack(await readEntry());
    if (state === 'failed') {
      await rolledBack;
    } else {
      expect(await getFailure(rolledBack)).toBeInstanceOf(ConflictError);
    }
    expect(await fixture.readObject(stores)).toMatchObject({ description: 'Theirs' });
  },
);

test.each(['rollBack', 'abandon'] as const)(
  'a write without a response that takes effect after a check has shown none is found by %s',
  async (ending) => {
    using fixture = new ChangeFixture();
    const before = await fixture.readObject(stores);
    const { writer, readEntry } = await stopAtStores(fixture, ['request']);
    const entry = await readEntry();
    await fixture.client.tables.update(stores, { description: 'Mine' });
    await writer[ending](entry);
    expect(await fixture.readObject(stores)).toMatchObject({
      description: ending === 'rollBack' ? before['description'] : 'Mine',
    });
    const { history } = fixture.open();
    expect((await history.readEntry(connectionId, entry.id))?.writes[1]).toMatchObject({ state: 'done' });
  },
);

test('a write without a response, whose document others have changed since, is not rolled back', async () => {
  using fixture = new ChangeFixture();
  const { writer, readEntry } = await stopAtStores(fixture, ['request']);
  await fixture.client.tables.update(stores, { description: 'Theirs' });
  expect(await getFailure(writer.rollBack(await readEntry()))).toBeInstanceOf(ConflictError);
  expect(await fixture.readObject(createTableRef('Orders'))).toMatchObject({ description: 'Mine' });
});

describe('a deletion that was repeated after a lost response, and then refused', () => {
  const table = createTableRef('Customer Value');
  const readDatamodel = async (fixture: ChangeFixture) =>
    JSON.stringify(await fixture.read({ kind: 'datamodel', datamodelId: table.datamodelId }));

  /** Runs a deletion after another write; `first` is what the first request loses. */
  async function runDeletion(fixture: ChangeFixture, first: Loss) {
    const losses: Loss[] = [first, 'refusal'];
    fixture.getLoss = (line) => (line.startsWith('DELETE') ? losses.shift() : undefined);
    const { writer, history } = fixture.open();
    const operation = createOperation([
      createTableUpdate('Orders', { description: 'Mine' }),
      createTableDeletionWrite(table),
    ]);
    const { planHash } = await writer.plan(operation);
    const run = writer.run(operation, { approval: writer.approve(planHash) });
    return { run: advanceUntilSettled(fixture, run), writer, history };
  }

  test('is done if the first request took effect', async () => {
    using fixture = new ChangeFixture();
    const { run } = await runDeletion(fixture, 'answer');
    expect((await run).writes).toMatchObject([{ state: 'done' }, { state: 'done' }]);
  });

  test('is rolled back if the first request takes effect late', async () => {
    using fixture = new ChangeFixture();
    const { run, writer, history } = await runDeletion(fixture, 'request');
    const error = expectInstance(await getFailure(run), StoppedError);
    expect(error).toMatchObject({ mayTakeEffectLater: true, cause: { cause: { status: 403 } } });
    await fixture.client.tables.delete(table);
    expect(await readDatamodel(fixture)).not.toContain('"Customer Value"');
    await writer.rollBack(expectDefined((await history.readEntries(connectionId))[0], 'entry'));
    expect(await readDatamodel(fixture)).toContain('"Customer Value"');
  });
});
