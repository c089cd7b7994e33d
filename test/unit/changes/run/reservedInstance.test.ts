import { readdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { english, formatMessage } from '../../../../src/base/localize.ts';
import { ClaimedError } from '../../../../src/changes/journal/claimedError.ts';
import type { History } from '../../../../src/changes/journal/history.ts';
import {
  ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getFailure,
} from './support.ts';

const operation = createOperation([createTableUpdate('Orders', { description: 'New' })]);

/** Leaves a reservation of another process. */
async function reserveElsewhere(
  { folder }: ChangeFixture,
  history: History,
  owner: { readonly pid: number; readonly host: string },
): Promise<string> {
  const reservation = await history.reserve(connectionId);
  const [connectionFolder = ''] = await readdir(join(folder, 'history'));
  await reservation.release();
  const path = join(folder, 'history', connectionFolder, 'reserved.claim');
  await writeFile(path, JSON.stringify({ ...owner, token: 'x' }));
  return path;
}

test('nothing is written while another process has reserved the instance, and the error says what to do', async () => {
  using fixture = new ChangeFixture();
  const { writer, history } = fixture.open();
  const path = await reserveElsewhere(fixture, history, { pid: process.ppid, host: hostname() });
  const refused = await getFailure(writer.run(operation));
  expect(refused).toBeInstanceOf(ClaimedError);
  expect(refused instanceof ClaimedError && formatMessage(english, refused.userMessage)).toBe(
    `Process ${process.ppid} might be making a change to this instance. Try again when it has finished. If that process belongs to another program, delete ${path}.`,
  );
  expect(fixture.getWriteRequests()).toEqual([]);
  expect(await history.readEntries(connectionId)).toEqual([]);
  await rm(path);
  await writer.run(operation);
  expect(await fixture.readObject(createTableRef('Orders'))).toMatchObject({ description: 'New' });
});

test('the reservation of a process on another computer, which may have been killed, says how to end it', async () => {
  using fixture = new ChangeFixture();
  const { writer, history } = fixture.open();
  const path = await reserveElsewhere(fixture, history, { pid: 7, host: 'other' });
  const refused = await getFailure(writer.run(operation));
  expect(refused instanceof ClaimedError && formatMessage(english, refused.userMessage)).toBe(
    `Process 7 on other might still be making a change to this instance. If it is no longer running, delete ${path}.`,
  );
});

test('a reservation that cannot be read counts, since its process may still be running', async () => {
  using fixture = new ChangeFixture();
  const { writer, history } = fixture.open();
  const path = await reserveElsewhere(fixture, history, { pid: 7, host: 'other' });
  await writeFile(path, '');
  const refused = await getFailure(writer.run(operation));
  expect(refused instanceof ClaimedError && formatMessage(english, refused.userMessage)).toBe(
    `A change to this instance might be in progress. If there is none, delete ${path}.`,
  );
  expect(fixture.getWriteRequests()).toEqual([]);
});

test('a process can write while it has reserved the instance itself, and after another one was killed', async () => {
  using fixture = new ChangeFixture();
  const { writer, history } = fixture.open();
  const reservation = await history.reserve(connectionId);
  await writer.run(operation);
  await reservation.release();
  await reserveElsewhere(fixture, history, { pid: 999_999_999, host: hostname() });
  await writer.run(createOperation([createTableUpdate('Orders', { description: 'Newer' })]));
  expect(await fixture.readObject(createTableRef('Orders'))).toMatchObject({ description: 'Newer' });
});
