import { type Datamodel, type Dataset, getDatasetName } from '../../contract/datamodel.ts';
import {
  type Column,
  type Table,
  getColumnName,
  getExpressionText,
  getTableName,
} from '../../contract/table.ts';
import type {
  Catalog,
  CatalogColumn,
  CatalogTable,
  ExpressionContext,
  CatalogUsage,
} from '../../sql/language.ts';

/** A column within a datamodel. */
export interface IndexedColumn {
  /** Its oid, or its name if it has none yet. */
  readonly id: string;
  readonly name: string;
  readonly column: Column;
  readonly table: IndexedTable;
}

/** A table within a datamodel. */
export interface IndexedTable {
  readonly id: string;
  readonly name: string;
  readonly table: Table;
  readonly dataset: Dataset;
  readonly columns: readonly IndexedColumn[];
}

/** The table or column that a name in SQL, a rule or a viewpoint refers to. */
export interface ResolvedReference {
  readonly table: IndexedTable;
  readonly column?: IndexedColumn;
}

/** The SQL expression of a custom table or a custom column. */
export interface IndexedExpression {
  readonly table: IndexedTable;
  readonly column?: IndexedColumn;
  readonly text: string;
}

/** Finds tables and columns of one datamodel by oid and by name. */
export class ModelIndex {
  readonly model: Datamodel;
  readonly tables: readonly IndexedTable[];
  readonly catalog: Catalog;
  readonly #byId: ReadonlyMap<string, IndexedTable>;
  readonly #tablesByEntry = new Map<CatalogTable, IndexedTable>();
  readonly #columnsByEntry = new Map<CatalogColumn, IndexedColumn>();

  constructor(model: Datamodel) {
    this.model = model;
    this.tables = (model.datasets ?? []).flatMap((dataset) =>
      (dataset.schema?.tables ?? []).map((table) => indexTable(table, dataset)),
    );
    this.#byId = new Map(this.tables.map((table) => [table.id, table]));
    this.catalog = { complete: true, tables: this.tables.map((table) => this.#createCatalogTable(table)) };
  }

  getTable(id: string): IndexedTable | undefined {
    return this.#byId.get(id);
  }

  getColumn(tableId: string, columnId: string): IndexedColumn | undefined {
    return this.getTable(tableId)?.columns.find(({ id }) => id === columnId);
  }

  /**
   * Finds the column that a rule or a viewpoint names. Names are case sensitive (rest-api.md, "Data security rule").
   * @param column absent to find only the table
   */
  findByName(table: string, column?: string): ResolvedReference | undefined {
    const indexedTable = this.tables.find(({ name }) => name === table);
    if (indexedTable === undefined || column === undefined) {
      return indexedTable && { table: indexedTable };
    }
    const indexedColumn = indexedTable.columns.find(({ name }) => name === column);
    return indexedColumn && { table: indexedTable, column: indexedColumn };
  }

  /** Resolves a reference in an expression that was parsed with a context of this index. */
  findByUsage({ table, column }: Pick<CatalogUsage, 'table' | 'column'>): ResolvedReference | undefined {
    const indexedTable = this.#tablesByEntry.get(table);
    if (indexedTable === undefined || column === undefined) {
      return indexedTable && { table: indexedTable };
    }
    const indexedColumn = this.#columnsByEntry.get(column);
    return indexedColumn && { table: indexedTable, column: indexedColumn };
  }

  /** Returns the names in scope of an expression (rest-api.md, "Column": a custom column refers to its own table). */
  getContext(expression: Pick<IndexedExpression, 'table' | 'column'>): ExpressionContext {
    return expression.column === undefined
      ? { kind: 'table', catalog: this.catalog }
      : { kind: 'column', table: expression.table.name, catalog: this.catalog };
  }

  /** Returns all SQL expressions of the datamodel. */
  getExpressions(): readonly IndexedExpression[] {
    return this.tables.flatMap((table) => [
      ...getExpressions(table.table.expression, { table }),
      ...table.columns.flatMap((column) => getExpressions(column.column.expression, { table, column })),
    ]);
  }

  /** Returns the names of the containers of a table or column, outermost first. */
  getContainerNames({ table, column }: ResolvedReference): readonly string[] {
    const dataset = getDatasetName(table.dataset);
    const parents = [this.model.title, ...(dataset === undefined ? [] : [dataset])];
    return column === undefined ? parents : [...parents, table.name];
  }

  #createCatalogTable(table: IndexedTable): CatalogTable {
    const columns = table.columns.map((indexedColumn): CatalogColumn => {
      const { type, hidden } = indexedColumn.column;
      const column = {
        name: indexedColumn.name,
        ...(typeof type === 'number' ? { type } : {}),
        hidden: hidden === true,
      };
      this.#columnsByEntry.set(column, indexedColumn);
      return column;
    });
    const entry = { name: table.name, columns };
    this.#tablesByEntry.set(entry, table);
    return entry;
  }
}

function indexTable(table: Table, dataset: Dataset): IndexedTable {
  const columns: IndexedColumn[] = [];
  const indexedTable: IndexedTable = { id: table.oid, name: getTableName(table), table, dataset, columns };
  for (const column of table.columns ?? []) {
    const name = getColumnName(column);
    columns.push({ id: column.oid ?? `name:${name}`, name, column, table: indexedTable });
  }
  return indexedTable;
}

function getExpressions(
  expression: Table['expression'],
  owner: { readonly table: IndexedTable; readonly column?: IndexedColumn },
): readonly IndexedExpression[] {
  const text = getExpressionText(expression);
  return text === undefined || text.trim() === '' ? [] : [{ ...owner, text }];
}
