import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import type { Column, Table } from '../../contract/table.ts';
import type { CatalogTable } from '../../sql/language.ts';
import type { FileItem } from '../files/project.ts';
import type { DatamodelNames } from '../validate/projectNames.ts';
import type { DatamodelUpdate, FileTable } from './languageCalls.ts';
import { createColumnId } from './nameIds.ts';

/** The number of columns after which an update gets no further table: more would block the thread that receives it. */
const maxColumnsPerUpdate = 1000;

/** A table with the items that it was created from, and the revision in which it last changed. */
interface TrackedTable {
  readonly items: readonly FileItem[];
  readonly fileTable: FileTable;
  readonly revision: number;
}

/** The tables of a datamodel in the project, with the revision in which each was changed. */
export class FileTables {
  readonly #names: DatamodelNames;
  readonly #tables: ReadonlyMap<string, TrackedTable>;
  readonly #datamodel: FileItem | undefined;

  /**
   * @param previous the tables before a change
   * @param createRevision returns the number of a new revision
   */
  constructor(names: DatamodelNames, previous: FileTables | undefined, createRevision: () => number) {
    this.#names = names;
    this.#datamodel = names.items.find(({ key }) => key.kind === 'datamodel');
    const itemsByTable = Map.groupBy(names.items, ({ key }) =>
      key.kind === 'table' || key.kind === 'tableExpression' || key.kind === 'columnExpression'
        ? key.table
        : undefined,
    );
    this.#tables = new Map(
      names.catalog.tables.map((catalogTable) => {
        const items = itemsByTable.get(catalogTable.name) ?? [];
        const previousTable = previous === undefined ? undefined : previous.#tables.get(catalogTable.name);
        return [
          catalogTable.name,
          previousTable !== undefined && isSame(previousTable, items, catalogTable)
            ? previousTable
            : { items, fileTable: createFileTable(items, catalogTable), revision: createRevision() },
        ];
      }),
    );
  }

  /** The names that the tables were created from. */
  get names(): DatamodelNames {
    return this.#names;
  }

  getPath(table: string): string | undefined {
    return this.#tables.get(table)?.fileTable.path;
  }

  /** Returns the tables that have changed since a revision, the earliest changes first. */
  createUpdate(title: string, since: number): DatamodelUpdate {
    const changed = [...this.#tables.values()]
      .filter(({ revision }) => revision > since)
      .toSorted((a, b) => a.revision - b.revision);
    const sent: TrackedTable[] = [];
    let columnCount = 0;
    for (const table of changed) {
      if (columnCount > maxColumnsPerUpdate) {
        break;
      }
      columnCount += table.fileTable.catalogTable.columns.length;
      sent.push(table);
    }
    return {
      title,
      type: isJsonObject(this.#datamodel?.content) ? getText(this.#datamodel.content['type']) : '',
      hasAllTables: this.#names.hasAllTables,
      datasets: this.#names.items.flatMap(({ key }) => (key.kind === 'dataset' ? [key.dataset] : [])),
      tableNames: [...this.#tables.keys()],
      relations: this.#names.catalog.relations ?? [],
      tables: sent.map(({ fileTable }) => fileTable),
      revision: sent.at(-1)?.revision ?? since,
      hasMore: sent.length < changed.length,
    };
  }
}

const isSame = (
  { items, fileTable }: TrackedTable,
  others: readonly FileItem[],
  table: CatalogTable,
): boolean =>
  items.length === others.length &&
  items.every((item, index) => item === others[index]) &&
  jsonEquals(toJson(fileTable.catalogTable), toJson(table));

/** A table of the catalog has only texts, numbers, and booleans. */
const toJson = (table: CatalogTable): JsonValue => table as unknown as JsonValue;

function createFileTable(items: readonly FileItem[], catalogTable: CatalogTable): FileTable {
  const tableItem = items.find(({ key }) => key.kind === 'table');
  const content = isJsonObject(tableItem?.content) ? tableItem.content : {};
  const expressions = new Map<string | undefined, string>();
  for (const { key, content: sql } of items) {
    if (typeof sql === 'string') {
      expressions.set(key.kind === 'columnExpression' ? key.column : undefined, sql);
    }
  }
  const { columns } = content;
  const { name } = catalogTable;
  const table: Table = {
    oid: name,
    name,
    type: getText(content['type']) || 'base',
    description: getText(content['description']),
    hidden: content['hidden'] === true,
    columns: (isJsonArray(columns) ? columns : [])
      .filter(isJsonObject)
      .map((column) => createColumn(name, column, expressions)),
    ...getExpression(expressions, undefined),
  };
  return { path: tableItem?.path ?? '', dataset: getText(content['dataset']), table, catalogTable };
}

function createColumn(
  table: string,
  { name, type, hidden, isCustom, description }: JsonObject,
  expressions: ReadonlyMap<string | undefined, string>,
): Column {
  const column = getText(name);
  return {
    oid: createColumnId(table, column),
    name: column,
    ...(typeof type === 'number' ? { type } : {}),
    hidden: hidden === true,
    isCustom: isCustom === true || expressions.has(column),
    description: getText(description),
    ...getExpression(expressions, column),
  };
}

const getExpression = (
  expressions: ReadonlyMap<string | undefined, string>,
  column: string | undefined,
): { readonly expression?: string } => {
  const expression = expressions.get(column);
  return expression === undefined ? {} : { expression };
};

const getText = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
