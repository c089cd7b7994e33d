import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type CellReader, type SqlCellValue, createCellReaders, getStorageType } from './cellReaders.ts';
import type { CsvCell } from './csv.ts';
import { readCsv, findSourceFiles } from './csvSource.ts';
import type { ModelColumn, ModelTable } from './model.ts';
import { toSqlNameKey, quoteIdentifier } from './sqlNames.ts';

/** Selects the source rows to import in an incremental build by the value of one column. */
export interface RowFilter {
  readonly column: string;
  accepts(value: SqlCellValue): boolean;
}

/** Returns the columns that come from the source, without custom columns. */
const getSourceColumns = (table: ModelTable): readonly ModelColumn[] =>
  table.columns.filter((column) => column.expression === undefined);

/**
 * Creates an empty table with all columns. Custom columns are included, so that SQL that reads them can be prepared
 * before they are computed.
 */
export function createTable(db: DatabaseSync, table: ModelTable): void {
  const columns = table.columns.map(
    (column) =>
      `${quoteIdentifier(column.name)}${column.expression === undefined ? ` ${getStorageType(column.type)}` : ''}`,
  );
  if (columns.length === 0) {
    throw new Error('the table has no columns');
  }
  db.exec(`CREATE TABLE ${quoteIdentifier(table.name)} (${columns.join(', ')})`);
}

/** Returns the index of each column's cell in a row: by the header, or in column order if the file has none. */
function getColumnPositions(
  header: readonly CsvCell[] | undefined,
  columns: readonly ModelColumn[],
  file: string,
): readonly number[] {
  if (header === undefined) {
    return columns.map((_column, index) => index);
  }
  const indexByName = new Map<string, number>();
  const indexByKey = new Map<string, number>();
  header.forEach((cell, index) => {
    const name = (cell ?? '').trim();
    indexByName.set(name, indexByName.get(name) ?? index);
    indexByKey.set(toSqlNameKey(name), indexByKey.get(toSqlNameKey(name)) ?? index);
  });
  return columns.map((column) => {
    const position =
      indexByName.get(column.id) ??
      indexByKey.get(toSqlNameKey(column.id)) ??
      indexByKey.get(toSqlNameKey(column.name));
    if (position === undefined) {
      throw new Error(`no such column: ${column.id} (in ${file})`);
    }
    return position;
  });
}

interface RowLayout {
  readonly positions: readonly number[];
  readonly readers: readonly CellReader[];
  readonly columns: readonly ModelColumn[];
}

function readRow(
  cells: readonly CsvCell[],
  { positions: columnPositions, readers, columns }: RowLayout,
  rowNumber: number,
): SqlCellValue[] {
  return readers.map((readCell, index) => {
    try {
      return readCell(cells[columnPositions[index] ?? -1] ?? null);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`row ${rowNumber}, column ${columns[index]?.name ?? ''}: ${message}`, { cause: error });
    }
  });
}

/**
 * Inserts the source rows of a table, at most `rowLimit` per source file (rest-api.md, "POST /builds body").
 * @throws Error for a missing file or column, or for a cell that is not a value of its column's type.
 */
export function importRows(
  db: DatabaseSync,
  table: ModelTable,
  sourceFolder: string,
  rowLimit: number,
  filter?: RowFilter,
): void {
  const columns = getSourceColumns(table);
  if (columns.length === 0) {
    throw new Error('the table has no source columns');
  }
  const columnList = columns.map((column) => quoteIdentifier(column.name)).join(', ');
  const placeholders = columns.map(() => '?').join(', ');
  const insert = db.prepare(
    `INSERT INTO ${quoteIdentifier(table.name)} (${columnList}) VALUES (${placeholders})`,
  );
  const getReader = createCellReaders(table.source.culture);
  const readers = columns.map((column) => getReader(column.type));
  const filterIndex = columns.findIndex((column) => column.name === filter?.column);
  for (const file of findSourceFiles(sourceFolder, table.id, table.source)) {
    const { header, rows } = readCsv(file, table.source);
    const layout = { positions: getColumnPositions(header, columns, table.id), readers, columns };
    let rowNumber = 0;
    for (const cells of rows) {
      if (rowNumber >= rowLimit) {
        break;
      }
      rowNumber += 1;
      const values = readRow(cells, layout, rowNumber);
      if (filter === undefined || filter.accepts(values[filterIndex] ?? null)) {
        insert.run(...(values as SQLInputValue[]));
      }
    }
  }
}
