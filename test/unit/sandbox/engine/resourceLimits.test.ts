import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { getErrorMessage } from '../../../../src/sandbox/engine/buildError.ts';

/** Returns the error that SQLite throws for a statement. */
function getSqliteError(sql: string): unknown {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec(sql);
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
  throw new Error('The statement did not fail');
}

test('the error of a cube that cannot grow names both the size limit and a full disk', () => {
  const error = getSqliteError(
    'CREATE TABLE t (a); PRAGMA max_page_count = 2; INSERT INTO t VALUES (zeroblob(100000))',
  );
  expect(getErrorMessage(error)).toBe(
    'The data is larger than 4 GB, the limit of the sandbox, or the disk is full',
  );
});

test('any other error of SQLite keeps its message', () => {
  expect(getErrorMessage(getSqliteError('SELECT x'))).toBe('no such column: x');
});
