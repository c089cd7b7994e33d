import type { Datamodel, Relation } from '../contract/datamodel.ts';
import {
  type Column,
  getColumnName,
  getExpressionText,
  type Table,
  getTableName,
} from '../contract/table.ts';

/** A column by the name that expressions, rules and viewpoints use for it. */
export interface ModelCatalogColumn {
  readonly name: string;
  readonly type?: number;
  readonly hidden?: boolean;
}

export interface ModelCatalogTable {
  readonly name: string;
  readonly columns: readonly ModelCatalogColumn[];
  /** True if the table may have columns that are not listed. */
  readonly open?: boolean;
}

/** The names of a datamodel. Same shape as the `Catalog` of the SQL language (decisions.md, "Stable interfaces"). */
export interface ModelCatalog {
  /** False while there may be unlisted tables or columns: then an unknown name is not an error. */
  readonly complete: boolean;
  readonly tables: readonly ModelCatalogTable[];
  readonly relations: readonly {
    readonly columns: readonly { readonly table: string; readonly column: string }[];
  }[];
}

/**
 * The names in the loaded part of a datamodel; see `InstanceCatalog.datamodel` and `InstanceCatalog.getKnownDatamodel`.
 * A custom table has no columns before its first build: it is listed without any, which means that they are unknown.
 */
export function createModelCatalog(datamodel: Pick<Datamodel, 'datasets' | 'relations'>): ModelCatalog {
  const datasets = datamodel.datasets ?? [];
  const tables = datasets.flatMap(({ schema }) => schema?.tables ?? []);
  return {
    complete:
      datamodel.datasets !== undefined &&
      datamodel.datasets !== null &&
      datasets.every(({ schema }) => schema?.tables !== undefined && schema.tables !== null) &&
      !tables.some(isTransformed),
    tables: tables.map(createCatalogTable),
    relations: getRelations(datamodel.relations ?? [], tables),
  };
}

function createCatalogTable(table: Table): ModelCatalogTable {
  const isOpen = !(table.columns ?? []).some((column) => !isCustomColumn(column));
  return { name: getTableName(table), columns: getColumns(table), ...(isOpen ? { open: true } : {}) };
}

const isCustomColumn = ({ isCustom, expression }: Column): boolean =>
  isCustom === true || (getExpressionText(expression) ?? '') !== '';

function getColumns(table: Table): ModelCatalogColumn[] {
  const columns = (table.columns ?? []).map((column): ModelCatalogColumn => {
    const { type, hidden } = column;
    return {
      name: getColumnName(column),
      ...(typeof type === 'number' ? { type } : {}),
      ...(hidden === true ? { hidden } : {}),
    };
  });
  return columns.filter(({ name }) => name !== '');
}

/**
 * Exports list custom, renamed and dropped columns of a table separately from its columns (platform-facts.md, 5.5).
 * Their shape is not documented, so such a table is only partly known.
 */
function isTransformed(table: Table): boolean {
  const transformations = table['tupleTransformations'];
  return Array.isArray(transformations) && transformations.length > 0;
}

/** The relations by table and column name; columns that are in none of the tables are omitted. */
function getRelations(relations: readonly Relation[], tables: readonly Table[]): ModelCatalog['relations'] {
  const columnsById = new Map<string, { readonly table: string; readonly column: string }>();
  for (const table of tables) {
    for (const column of table.columns ?? []) {
      if (column.oid) {
        columnsById.set(column.oid, { table: getTableName(table), column: getColumnName(column) });
      }
    }
  }
  return relations
    .map(({ columns }) => ({
      columns: (columns ?? []).flatMap(({ column }) => columnsById.get(column) ?? []),
    }))
    .filter(({ columns }) => columns.length > 1);
}

/**
 * Merges the names of several datamodels, for rules that may refer to any of them. Relations are left out, because they
 * connect tables of one datamodel only.
 */
export function mergeModelCatalogs(catalogs: readonly ModelCatalog[]): ModelCatalog {
  const tables = Map.groupBy(
    catalogs.flatMap((catalog) => catalog.tables),
    ({ name }) => name,
  );
  return {
    complete: catalogs.every(({ complete }) => complete),
    tables: [...tables].map(([name, sameNameTables]) => mergeTables(name, sameNameTables)),
    relations: [],
  };
}

/** Merges tables with the same name. If one of them may have unlisted columns, so may the result. */
function mergeTables(name: string, tables: readonly ModelCatalogTable[]): ModelCatalogTable {
  const columns = Map.groupBy(
    tables.flatMap((table) => table.columns),
    (column) => column.name,
  );
  return {
    name,
    columns: [...columns].map(([columnName, sameNameColumns]) => mergeColumns(columnName, sameNameColumns)),
    ...(tables.some(({ open }) => open === true) ? { open: true } : {}),
  };
}

/** Merges columns with the same name. If their types differ, the type of the result is unknown. */
function mergeColumns(name: string, columns: readonly ModelCatalogColumn[]): ModelCatalogColumn {
  const [type, ...otherTypes] = new Set(columns.map((column) => column.type));
  return {
    name,
    ...(type === undefined || otherTypes.length > 0 ? {} : { type }),
    ...(columns.every(({ hidden }) => hidden === true) ? { hidden: true } : {}),
  };
}
