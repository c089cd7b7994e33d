import { readdirSync, renameSync, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HttpError } from '../../../../src/client/errors.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { killWindow } from './simulateInterruption.ts';
import { ChangeFixture, connectionId, getFailure, createOperation, createTableUpdate } from './support.ts';

const interrupt = async (fixture: ChangeFixture) => {
  await fixture.open().writer.run(createOperation([createTableUpdate('Orders', { description: 'first' })]));
  return killWindow(fixture, ({ line }) => line === 'sending');
};

describe('an interrupted operation whose recovery fails on the network', () => {
  test('can be recorded as stopped once the server answers again', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, entry } = await interrupt(fixture);
    fixture.sandbox.faults.set([{ kind: 'status', status: 500 }]);
    expect(await getFailure(writer.recordStop(entry))).toBeInstanceOf(HttpError);
    expect(await history.readUnfinishedEntries(connectionId)).toMatchObject([{ id: entry.id }]);
    fixture.sandbox.faults.set([]);
    expect(await writer.recordStop(entry)).toMatchObject({ end: 'stopped' });
    expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
  });

  test('records no error for a write that was not sent', async () => {
    using fixture = new ChangeFixture();
    fixture.getWriteFault = () => 'request-lost';
    const operation = createOperation([createTableUpdate('Orders', { description: 'first' })]);
    await getFailure(fixture.open().writer.run(operation));
    fixture.getWriteFault = () => undefined;
    const { writer, entry } = await killWindow(fixture, ({ line }) => line === 'sending');
    const [write] = (await writer.recordStop(entry)).writeStates;
    expect(write).toMatchObject({ state: 'failed' });
    expect(write).not.toHaveProperty('problem');
  });

  test('can be resumed in another window', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry } = await interrupt(fixture);
    fixture.sandbox.faults.set([{ kind: 'status', status: 500 }]);
    expect(await getFailure(writer.recordStop(entry))).toBeInstanceOf(HttpError);
    fixture.sandbox.faults.set([]);
    const report = await fixture.open().writer.resume(entry);
    expect(report.writeStates).toMatchObject([{ state: 'done' }]);
  });
});

test('a claim that was released can be taken again', async () => {
  using fixture = new ChangeFixture();
  const { history, entry } = await interrupt(fixture);
  await (await history.claim(entry)).release();
  await expect(history.claim(entry)).resolves.toMatchObject({ id: entry.id });
});

test.each(['claim', 'end'])('a claim is released when the %s cannot be recorded', async (line) => {
  using fixture = new ChangeFixture();
  const { history, entry } = await interrupt(fixture);
  const running = line === 'end' ? await history.claim(entry) : undefined;
  const restore = replaceJournalWithFolder(fixture.folder, entry.id);
  const failure = await getFailure(
    running?.end('stopped', { versionsAfter: [], changedIds: [] }) ?? history.claim(entry),
  );
  expect(failure).toHaveProperty('code');
  restore();
  await expect(history.claim(entry)).resolves.toMatchObject({ id: entry.id });
});

/** Makes it impossible to record anything; the returned function undoes it. */
function replaceJournalWithFolder(folder: string, id: string): () => void {
  const name = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((each) =>
    each.endsWith(`${id}.jsonl`),
  );
  const path = join(folder, name ?? '');
  renameSync(path, `${path}.moved`);
  mkdirSync(path);
  return () => {
    rmdirSync(path);
    renameSync(`${path}.moved`, path);
  };
}

test('a write that was sent does not count as failed when its result cannot be recorded', async () => {
  using fixture = new ChangeFixture();
  const { writer, history } = fixture.open();
  const begin = history.begin.bind(history);
  const diskFull = new Error('ENOSPC');
  history.begin = async (details) => {
    const entry = await begin(details);
    let attempts = 0;
    return {
      ...entry,
      recordResult: (index, result) =>
        (attempts += 1) === 1 ? Promise.reject(diskFull) : entry.recordResult(index, result),
    };
  };
  const operation = createOperation([createTableUpdate('Orders', { description: 'New' })]);
  expect(await getFailure(writer.run(operation))).toBe(diskFull);
  const [entry] = await history.readUnfinishedEntries(connectionId);
  expect(entry).toMatchObject({ writeStates: [{ state: 'sending' }] });
  const report = await writer.resume(expectDefined(entry));
  expect(report.writeStates).toMatchObject([{ state: 'done' }]);
  expect(fixture.getWriteRequests()).toHaveLength(1);
});
