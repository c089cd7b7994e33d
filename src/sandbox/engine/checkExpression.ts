import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { JsonObject } from '../../base/json.ts';
import { applySqliteLimits } from './resourceLimits.ts';
import { BuildError, getErrorMessage } from './buildError.ts';
import { ExpressionComputer, validationEnvironment } from './expressionComputer.ts';
import { registerDialect } from './dialectRegistry.ts';
import { createTable } from './importTable.ts';
import { readModel } from './model.ts';
import { toSqlNameKey } from './sqlNames.ts';
import { getDeclaredColumns, ColumnTypeRegistry } from './outputTypes.ts';
import type { BuiltColumn, SqlCheckRequest, SqlCheckResult } from './buildEngine.ts';

/**
 * Checks the SQL of a custom table or column as a build does, in a database with the model's tables but no rows. The
 * SQL is only prepared, never run; so is the SQL of all custom tables and columns that it reads.
 */
export function checkExpression(datamodel: JsonObject, { sql, columnOf }: SqlCheckRequest): SqlCheckResult {
  if (sql.trim() === '') {
    return { ok: false, message: 'the expression is empty' };
  }
  try {
    return withModelDatabase(datamodel, (computer) => {
      if (columnOf !== undefined) {
        computer.validateExpression(sql, columnOf);
        return { ok: true, columns: [] };
      }
      return {
        ok: true,
        columns: computer
          .validateQuery(sql)
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
 * Returns the output columns of a custom table's query without running it. A column that comes unchanged from a base
 * table has that column's type; all others are text until a build infers the type from the values.
 * @returns `undefined` when the query is invalid
 */
export function getQueryColumns(datamodel: JsonObject, sql: string): readonly BuiltColumn[] | undefined {
  return withModelDatabase(datamodel, (computer, columnTypes) => {
    let query: StatementSync;
    try {
      query = computer.validateQuery(sql);
    } catch {
      // The build will report the error.
      return undefined;
    }
    return getDeclaredColumns(query, (table, column) => columnTypes.get(table, column));
  });
}

/**
 * Runs a callback on a database with the tables of the model but no rows. If several tables have the same name, only
 * the first is created.
 */
function withModelDatabase<T>(
  datamodel: JsonObject,
  callback: (computer: ExpressionComputer, columnTypes: ColumnTypeRegistry) => T,
): T {
  const model = readModel(datamodel, 'full');
  const db = new DatabaseSync(':memory:');
  try {
    applySqliteLimits(db);
    registerDialect(db);
    const columnTypes = new ColumnTypeRegistry();
    const computer = new ExpressionComputer(db, model, columnTypes, validationEnvironment);
    const createdKeys = new Set<string>();
    for (const table of model.tables.filter(({ kind, columns }) => kind === 'custom' || columns.length > 0)) {
      const key = toSqlNameKey(table.name);
      if (createdKeys.has(key)) {
        continue;
      }
      createdKeys.add(key);
      if (table.kind === 'custom') {
        computer.addPendingTable(table);
        continue;
      }
      createTable(db, table);
      computer.addPendingColumns(table);
      table.columns.forEach((column) => columnTypes.set(table.name, column.name, column.type));
    }
    return callback(computer, columnTypes);
  } finally {
    db.close();
  }
}
