import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { JsonObject } from '../../base/json.ts';
import { applySqliteLimits } from './resourceLimits.ts';
import { BuildError, getErrorMessage } from './buildError.ts';
import { ExpressionComputer, proveOnlyHost } from './expressionComputer.ts';
import { registerDialect } from './dialectRegistry.ts';
import { createTable } from './importTable.ts';
import { readModel } from './model.ts';
import { toSqlNameKey } from './names.ts';
import { getDeclaredColumns, TypeBook } from './outputTypes.ts';
import type { BuiltColumn, ExpressionCheckRequest, ExpressionCheckResult } from './port.ts';

/**
 * Checks a text on the real engine, the same way a build does, in a database that has the tables of the model and no
 * rows. The text is never run: it is proven to be one query or one expression, and so is every stored text that it
 * reads from.
 */
export function checkExpression(
  datamodel: JsonObject,
  { sql, columnOf }: ExpressionCheckRequest,
): ExpressionCheckResult {
  if (sql.trim() === '') {
    return { ok: false, message: 'the expression is empty' };
  }
  try {
    return withModelDatabase(datamodel, (computer) => {
      if (columnOf !== undefined) {
        computer.proveValue(sql, columnOf);
        return { ok: true, columns: [] };
      }
      return {
        ok: true,
        columns: computer
          .proveQuery(sql)
          .columns()
          .map(({ name }) => name),
      };
    });
  } catch (error) {
    return error instanceof BuildError && error.table !== undefined
      ? { ok: false, message: error.message, table: error.table }
      : { ok: false, message: getErrorMessage(error) };
  }
}

/**
 * Returns the columns that the query of a custom table yields, without running it: values that come unchanged from a
 * base table have that column's type, the rest is text until a build has seen its values.
 * @returns `undefined` where the query cannot be read
 */
export function getQueryColumns(datamodel: JsonObject, sql: string): readonly BuiltColumn[] | undefined {
  return withModelDatabase(datamodel, (computer, types) => {
    let query: StatementSync;
    try {
      query = computer.proveQuery(sql);
    } catch {
      // The caller did not ask for a check: the build will report the error.
      return undefined;
    }
    return getDeclaredColumns(query, (table, column) => types.get(table, column));
  });
}

/**
 * Runs work on an empty database with the tables of the model. Of several tables with the same name, only the first
 * counts.
 */
function withModelDatabase<T>(
  datamodel: JsonObject,
  work: (computer: ExpressionComputer, types: TypeBook) => T,
): T {
  const model = readModel(datamodel, 'full');
  const db = new DatabaseSync(':memory:');
  try {
    applySqliteLimits(db);
    registerDialect(db);
    const types = new TypeBook();
    const computer = new ExpressionComputer(db, model, types, proveOnlyHost);
    const made = new Set<string>();
    for (const table of model.tables.filter(({ kind, columns }) => kind === 'custom' || columns.length > 0)) {
      const key = toSqlNameKey(table.name);
      if (made.has(key)) {
        continue;
      }
      made.add(key);
      if (table.kind === 'custom') {
        computer.expectTable(table);
        continue;
      }
      createTable(db, table);
      computer.expectColumns(table);
      table.columns.forEach((column) => types.set(table.name, column.name, column.type));
    }
    return work(computer, types);
  } finally {
    db.close();
  }
}
