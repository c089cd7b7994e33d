import type { DatabaseSync } from 'node:sqlite';
import { BuildError } from './buildError.ts';
import type { CubeTable } from './cubeMeta.ts';
import type { RowFilter } from './importTable.ts';
import type { ModelTable } from './model.ts';
import { toSqlNameKey, quoteIdentifier, quoteText } from './sqlNames.ts';
import type { TableAction } from './buildPlan.ts';

const dayMs = 86_400_000;

/**
 * Formats the date `days` before the build: lastDays and keepOnlyDays count back from it (platform-facts.md, 2.4).
 */
function formatDateBefore(now: number, days: number): string {
  return new Date(now - days * dayMs).toISOString().slice(0, 10);
}

/**
 * Returns the name of the column by which a table accumulates, if it does. `accumulativeConfig.column` is an oid
 * (platform-facts.md, 2.4).
 * @throws BuildError when the table has no such column, e.g. because it was re-created, or when it is a custom column
 */
function getAccumulatingColumn(table: ModelTable): string | undefined {
  const config = table.behavior.accumulative;
  if (config === undefined) {
    return undefined;
  }
  const column = table.columns.find((candidate) => candidate.oid === config.column);
  if (column === undefined || column.expression !== undefined) {
    throw new BuildError(`accumulativeConfig: no such column: ${config.column}`, table.name);
  }
  return column.name;
}

/** Copies the given columns of a table from the previous cube, which is attached as `former`. */
function copyRows(
  db: DatabaseSync,
  table: ModelTable,
  storedName: string,
  columnNames: readonly string[],
  whereClause: string,
): void {
  const names = columnNames.map(quoteIdentifier).join(', ');
  if (names !== '') {
    db.exec(
      `INSERT INTO main.${quoteIdentifier(table.name)} (${names}) SELECT ${names} FROM former.${quoteIdentifier(storedName)}${whereClause}`,
    );
  }
}

/**
 * Creates the WHERE clause for the rows to copy: those that an incremental build with lastDays does not import again.
 * Rows without a date are copied. The clause is empty if all rows are copied.
 */
function createCopyCondition(table: ModelTable, action: TableAction, now: number): string {
  const lastDays = table.behavior.accumulative?.lastDays;
  const column = action.kind === 'increment' ? getAccumulatingColumn(table) : undefined;
  if (column === undefined || lastDays === undefined) {
    return '';
  }
  const firstDate = quoteText(formatDateBefore(now, lastDays));
  return ` WHERE ${quoteIdentifier(column)} IS NULL OR ${quoteIdentifier(column)} < ${firstDate}`;
}

/** Copies a table of the previous cube. A custom table is copied as a whole, a base table by its common columns. */
export function copyTable(
  db: DatabaseSync,
  table: ModelTable,
  storedTable: CubeTable,
  action: TableAction,
  now: number,
): void {
  if (table.kind === 'custom') {
    db.exec(
      `CREATE TABLE main.${quoteIdentifier(table.name)} AS SELECT * FROM former.${quoteIdentifier(storedTable.name)}`,
    );
    return;
  }
  const storedNames = new Set(storedTable.columns.map((column) => toSqlNameKey(column.name)));
  const columnNames = table.columns
    .filter((column) => column.expression === undefined || !action.shouldRecompute)
    .map((column) => column.name)
    .filter((name) => storedNames.has(toSqlNameKey(name)));
  copyRows(db, table, storedTable.name, columnNames, createCopyCondition(table, action, now));
}

/**
 * Creates the filter for the source rows of an incremental build: those newer than the newest stored row, or those of
 * the last `lastDays` days. `undefined` imports all rows.
 */
export function createIncrementFilter(
  db: DatabaseSync,
  table: ModelTable,
  now: number,
): RowFilter | undefined {
  const column = getAccumulatingColumn(table);
  if (column === undefined) {
    return undefined;
  }
  const lastDays = table.behavior.accumulative?.lastDays;
  if (lastDays !== undefined) {
    const firstDate = formatDateBefore(now, lastDays);
    return { column, accepts: (value) => typeof value === 'string' && value >= firstDate };
  }
  const newest = db
    .prepare(`SELECT max(${quoteIdentifier(column)}) AS newest FROM ${quoteIdentifier(table.name)}`)
    .get()?.['newest'];
  if (newest === null || newest === undefined) {
    return undefined;
  }
  return { column, accepts: (value) => value !== null && value > newest };
}

/** Deletes the rows that are older than `keepOnlyDays`. */
export function dropOldRows(db: DatabaseSync, table: ModelTable, now: number): void {
  const keepOnlyDays = table.behavior.accumulative?.keepOnlyDays;
  const column = getAccumulatingColumn(table);
  if (keepOnlyDays !== undefined && column !== undefined) {
    const oldestDate = quoteText(formatDateBefore(now, keepOnlyDays));
    db.exec(`DELETE FROM ${quoteIdentifier(table.name)} WHERE ${quoteIdentifier(column)} < ${oldestDate}`);
  }
}
