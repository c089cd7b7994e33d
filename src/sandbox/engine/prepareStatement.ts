import type { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Prepares SQL that must be exactly one statement; SQLite itself would ignore everything after the first one.
 * @throws SQLite's error for invalid SQL, or an Error for more than one statement.
 */
export function prepareSingleStatement(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql);
  if (sql.slice(statement.sourceSQL.length).replace(/^[\s;]+/, '') !== '') {
    throw new Error('the expression contains more than one statement');
  }
  return statement;
}

/**
 * Prepares SQL that must be one query, without running it. It is prepared twice: on its own, which fails for SQL that
 * would close the added parenthesis, and in parentheses, which fails for a statement that is not a query.
 * @throws SQLite's error for any other SQL
 */
export function prepareQuery(db: DatabaseSync, sql: string): { statement: StatementSync; text: string } {
  prepareSingleStatement(db, sql);
  const text = `SELECT * FROM (${sql.replace(/[\s;]+$/, '')}\n)`;
  return { statement: prepareSingleStatement(db, text), text };
}

/**
 * Prepares SQL that must be one expression, computed for each row of a table, without running it. It is prepared twice:
 * in parentheses, and between CASE and END, so that SQL that closes one of them fails in the other. The second
 * statement has the expression in its WHERE clause, where SQLite allows no aggregates, unless it uses window functions.
 * @param table the quoted name of the table
 * @throws SQLite's error, or an Error for more than one value
 */
export function prepareExpression(
  db: DatabaseSync,
  sql: string,
  table: string,
  usesWindowFunctions: boolean,
): StatementSync {
  const statement = prepareSingleStatement(db, `SELECT (${sql}\n) FROM ${table}`);
  if (statement.columns().length !== 1) {
    throw new Error('a column expression must return exactly one value');
  }
  const caseExpression = `CASE WHEN 1 THEN ${sql}\n END`;
  prepareSingleStatement(
    db,
    usesWindowFunctions
      ? `SELECT ${caseExpression} FROM ${table}`
      : `SELECT 1 FROM ${table} WHERE ${caseExpression}`,
  );
  return statement;
}
