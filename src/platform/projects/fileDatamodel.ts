import type { NamedDatamodel } from '../../catalog/namedDatamodels.ts';
import type { DatamodelUpdate, FileTable } from '../../project/language/languageCalls.ts';
import { createColumnId } from '../../project/language/nameIds.ts';

/** A datamodel as the files of a project define it. It stays the same object until the datamodel changes. */
export interface FileDatamodel extends NamedDatamodel {
  readonly title: string;
  /** Whether all tables could be read. */
  readonly hasAllTables: boolean;
}

/** Creates a datamodel from its tables. Names serve as IDs. */
export function createDatamodel(
  { title, type, hasAllTables, datasets, tableNames, relations }: DatamodelUpdate,
  tables: ReadonlyMap<string, FileTable>,
): FileDatamodel {
  const ordered = tableNames.flatMap((name) => tables.get(name) ?? []);
  const byDataset = Map.groupBy(ordered, ({ dataset }) => dataset);
  const names = [...new Set([...datasets, ...byDataset.keys()])];
  const datasetsByTable = new Map(ordered.map(({ dataset, table }) => [table.oid, dataset]));
  return {
    title,
    hasAllTables,
    datamodel: {
      oid: title,
      title,
      type,
      datasets: names.map((name) => ({
        oid: name,
        name,
        schema: { tables: (byDataset.get(name) ?? []).map(({ table }) => table) },
      })),
      relations: relations.map(({ columns }) => ({
        oid: JSON.stringify(columns),
        columns: columns.map(({ table, column }) => ({
          dataset: datasetsByTable.get(table) ?? '',
          table,
          column: createColumnId(table, column),
        })),
      })),
    },
    catalog: {
      complete: hasAllTables,
      tables: ordered.map(({ catalogTable }) => catalogTable),
      relations,
    },
  };
}
