import type { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Prepares a text that must be one statement; SQLite itself would ignore everything after the first.
 * @throws Error of SQLite for bad SQL, and for a text that continues after the statement.
 */
export function prepareSingle(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql);
  if (sql.slice(statement.sourceSQL.length).replace(/^[\s;]+/, '') !== '') {
    throw new Error('the expression holds more than one statement');
  }
  return statement;
}

/**
 * Returns a query and its prepared statement once the text is proven to be one: on its own, and in parentheses where a
 * query is expected. A text that closes one of our parentheses fails the first check, and a statement that is not a query fails the second.
 * Nothing is run.
 * @throws Error of SQLite
 */
export function prepareQuery(db: DatabaseSync, sql: string): { statement: StatementSync; text: string } {
  prepareSingle(db, sql);
  const text = `SELECT * FROM (${sql.replace(/[\s;]+$/, '')}\n)`;
  return { statement: prepareSingle(db, text), text };
}

/**
 * Prepares the text that computes an expression for each row of a table, once it is proven to be one expression:
 * between parentheses and between CASE and END. A text that closes one does not fit the other. The second is placed
 * where SQLite accepts a value for each row, and so no aggregate; a text that ranks rows is placed where it is allowed.
 * Nothing is run.
 * @param table the quoted name of the table
 * @throws Error of SQLite, or for more than one value
 */
export function prepareValue(db: DatabaseSync, sql: string, table: string, windowed: boolean): StatementSync {
  const statement = prepareSingle(db, `SELECT (${sql}\n) FROM ${table}`);
  if (statement.columns().length !== 1) {
    throw new Error('a column expression has one value');
  }
  const value = `CASE WHEN 1 THEN ${sql}\n END`;
  prepareSingle(db, windowed ? `SELECT ${value} FROM ${table}` : `SELECT 1 FROM ${table} WHERE ${value}`);
  return statement;
}
