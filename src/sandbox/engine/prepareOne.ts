import type { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Prepares a text that must be one statement; SQLite itself would pass over all after the first.
 * @throws Error of SQLite for bad SQL, and for a text that goes on.
 */
export function prepareOne(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql);
  if (sql.slice(statement.sourceSQL.length).replace(/^[\s;]+/, '') !== '') {
    throw new Error('the expression holds more than one statement');
  }
  return statement;
}
