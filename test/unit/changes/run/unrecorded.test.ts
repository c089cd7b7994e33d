import { mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { JournalError } from '../../../../src/changes/journal/journalError.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { ChangeFixture, connectionId, createOperation, createTableUpdate, getFailure } from './support.ts';

const tables = ['Order Items', 'Orders', 'Products'];
const operation = createOperation(
  tables.map((name) => createTableUpdate(name, { description: 'Mine' })),
  'apply',
);

/** Runs the operation; from the request with this number on, counted from 1, its journal can't be written. */
async function runUntilFull(fixture: ChangeFixture, requestNumber: number) {
  const { writer, history } = fixture.open();
  let path = '';
  const fill = (): void => {
    const name = readdirSync(fixture.folder, { recursive: true, encoding: 'utf8' }).find((each) =>
      each.endsWith('.jsonl'),
    );
    path = join(fixture.folder, name ?? '');
    renameSync(path, `${path}.kept`);
    mkdirSync(path);
  };
  let count = 0;
  fixture.getLoss = () => {
    count += 1;
    if (count === requestNumber) {
      fill();
    }
    return undefined;
  };
  const onBegin = requestNumber === 0 ? fill : undefined;
  const { planHash } = await writer.plan(operation);
  const approval = writer.approve(planHash);
  const failure = await getFailure(writer.run(operation, { approval, onBegin }));
  rmdirSync(path);
  renameSync(`${path}.kept`, path);
  return { writer, history, failure, folder: dirname(path) };
}

test('an operation stops before the next write if its journal cannot be written, and can be finished', async () => {
  using fixture = new ChangeFixture();
  const { writer, history, failure, folder } = await runUntilFull(fixture, 2);
  expect(failure).toBeInstanceOf(StoppedError);
  expect(failure).toMatchObject({
    cause: expect.any(JournalError),
    report: { writes: [{ state: 'done' }, { state: 'done' }, { state: 'waiting' }] },
    changedNothing: false,
  });
  expect(String((failure as StoppedError).cause)).toContain(`The change can't be recorded in ${folder}. `);
  expect(fixture.getWriteRequests()).toHaveLength(2);

  const [entry] = await history.readEntries(connectionId);
  expect(entry?.writes.map(({ state }) => state)).toEqual(['done', 'sending', 'waiting']);
  await writer.resume(expectDefined(entry));
  expect(fixture.getWriteRequests()).toHaveLength(3);
});

test('an operation whose journal cannot be written before its first write is refused', async () => {
  using fixture = new ChangeFixture();
  const { failure } = await runUntilFull(fixture, 0);
  expect(failure).toBeInstanceOf(JournalError);
  expect(fixture.getWriteRequests()).toEqual([]);
});
