import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { describeStorageFailure } from '../../../src/sandbox/storageFailure.ts';
import { createSandbox } from './support.ts';

/** Creates the error that SQLite throws when the disk is full. */
function createDiskFullError(): Error {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec(
      'CREATE TABLE t (a TEXT); PRAGMA max_page_count = 2; INSERT INTO t VALUES (zeroblob(100000))',
    );
  } catch (error) {
    return error as Error;
  } finally {
    database.close();
  }
  throw new Error('The database had room');
}

test('a request that cannot be stored reports a full disk', async () => {
  const { send, store, errors } = createSandbox();
  vi.spyOn(store.customData, 'insert').mockImplementation(() => {
    throw createDiskFullError();
  });
  const { status, body } = await send('POST', '/api/v1/custom_data', { a: 1 });
  expect([status, JSON.stringify(body)]).toEqual([
    500,
    expect.stringContaining('disk of the sandbox is full'),
  ]);
  expect(errors).toHaveLength(1);
});

const notWritable =
  "The data folder of the sandbox can't be written. Nothing was changed. Check its disk and its permissions.";

test.each([
  ['ENOSPC', 'The disk of the sandbox is full. Nothing was changed. Free some space and try again.'],
  ['EACCES', notWritable],
  ['EROFS', notWritable],
  [11, 'The data of the sandbox is damaged. Stop the sandbox, delete its data folder, and start it again.'],
])('%s is reported with a message', (code, message) => {
  expect(describeStorageFailure(Object.assign(new Error('x'), { code }))).toBe(message);
});

test('any other error is not a disk error', () => {
  expect(describeStorageFailure(new TypeError('x'))).toBeUndefined();
  expect(describeStorageFailure(Object.assign(new Error('x'), { errcode: 19 }))).toBeUndefined();
});
