import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import { createModelCatalog, mergeModelCatalogs } from '../../catalog/modelCatalog.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { CatalogNames } from '../../security/catalogNames.ts';
import { type Catalog, type CatalogTable, withInferredColumns } from '../../sql/language.ts';
import { DatamodelLookup } from '../../viewpoints/datamodelLookup.ts';
import type { FileItem, Project } from '../files/project.ts';
import type { ItemKind } from '../item.ts';
import { itemSuffixes } from '../paths.ts';
import { findExcludedFiles } from '../settings/managedFiles.ts';
import type { Selection } from '../source/selection.ts';
import { readDatamodelType } from '../datamodelType.ts';

/** The kinds of items that the names in a datamodel are read from. */
const nameKinds: ReadonlySet<ItemKind> = new Set([
  'datamodel',
  'dataset',
  'table',
  'tableExpression',
  'columnExpression',
  'relation',
]);

/** The names in a datamodel of a project, for the checks of SQL, rules, and viewpoints. */
export interface DatamodelNames {
  /** The tables that could be read, with all of their columns. */
  readonly catalog: Catalog;
  /** Whether all tables could be read. If not, a table that isn't in the catalog may still exist. */
  readonly hasAllTables: boolean;
  readonly lookup: DatamodelLookup;
  /** Returns which of the names is unknown; `undefined` if both are known, or if that can't be decided. */
  findMissing(table: string, column?: string): 'unknown-table' | 'unknown-column' | undefined;
  findTable(name: string): CatalogTable | undefined;
  /** Whether the datamodel is live. Live datamodels can't be in a cube set. */
  readonly isLive: boolean;
  /** The items that the names are from. */
  readonly items: readonly FileItem[];
}

/** What the findings in an item depend on, besides the item itself. */
export interface ItemNames {
  /** Returns the names in a datamodel; `undefined` if the project does not have it or it could not be read. */
  getDatamodel(title: string): DatamodelNames | undefined;
  /** Returns the titles of the datamodels that could be read, sorted. */
  listDatamodels(): readonly string[];
  /** Returns the names of the datasets of a datamodel that could be read. */
  listDatasets(title: string): readonly string[];
  /** Returns the names of the tables that the rules of a cube set may be on and that could be read. */
  listCubeSetTables(): readonly string[];
  /** Returns whether the project manages a datamodel and certainly does not have it. */
  isDatamodelMissing(title: string): boolean;
  /** Returns whether a datamodel certainly does not have a dataset. */
  isDatasetMissing(title: string, dataset: string): boolean;
  /**
   * Returns the table that the rules of a cube set may be on, merged from the tables with this name in all datamodels
   * of the project that aren't live: no request lists which of them are in the set. Returns `missing` if there is
   * certainly no such table, and `undefined` if files that can't be read may contain it.
   */
  findCubeSetTable(name: string): CatalogTable | 'missing' | undefined;
  /** Returns whether the project has all datamodels of its instance, so that cube sets have no other tables. */
  hasAllDatamodels(): boolean;
  /**
   * Returns the number of files that the project doesn't manage and that are reported in this file. All files of a
   * datamodel are reported in that of the datamodel, and all others of a folder in the first of them.
   */
  countExcludedFiles(path: string): number;
  /** Returns the filter that finds a custom data object; `undefined` if the project doesn't manage the object. */
  getCustomDataFilter(name: string): JsonObject | undefined;
}

/** The names in the files of a project. */
export class ProjectNames implements ItemNames {
  readonly #project: Project;
  readonly #selection: Selection | undefined;
  readonly #datamodels: ReadonlyMap<string, DatamodelNames>;
  readonly #datasets: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #cubeSetTables: ReadonlyMap<string, readonly CatalogTable[]>;
  /** Whether all tables could be read that the rules of cube sets may be on. */
  readonly #hasAllCubeSetTables: boolean;
  /** Computed on first use: nothing but the search for problems depends on it. */
  #excludedCounts: ReadonlyMap<string, number> | undefined;

  /**
   * @param selection what the project manages; `undefined` if that is unknown
   * @param previous the names before a change: those of datamodels that have not changed stay the same objects
   */
  constructor(project: Project, selection: Selection | undefined, previous?: ProjectNames) {
    this.#project = project;
    this.#selection = selection;
    const itemsByTitle = Map.groupBy(project.items, ({ key }) =>
      'datamodel' in key && nameKinds.has(key.kind) ? key.datamodel : undefined,
    );
    const foldersWithDuplicates = findFoldersWithDuplicateTables(project);
    const datamodels = new Map<string, DatamodelNames>();
    const datasets = new Map<string, ReadonlySet<string>>();
    for (const [title, items] of itemsByTitle) {
      const datamodelPath = items.find(({ key }) => key.kind === 'datamodel')?.path;
      if (title !== undefined && datamodelPath !== undefined) {
        const hasAllTables =
          !project.mayBeInUnreadFile({ kind: 'table', datamodel: title, table: impossibleName }) &&
          !foldersWithDuplicates.has(getDatamodelFolderName(datamodelPath));
        const previousNames = previous?.getDatamodel(title);
        datamodels.set(
          title,
          previousNames !== undefined &&
            previousNames.hasAllTables === hasAllTables &&
            isEqualList(previousNames.items, items)
            ? previousNames
            : createDatamodelNames(items, hasAllTables),
        );
        datasets.set(
          title,
          new Set(items.flatMap(({ key }) => (key.kind === 'dataset' ? [key.dataset] : []))),
        );
      }
    }
    const cubeSetModels = [...datamodels.values()].filter(({ isLive }) => !isLive);
    this.#cubeSetTables = Map.groupBy(
      cubeSetModels.flatMap(({ catalog }) => catalog.tables),
      ({ name }) => name,
    );
    this.#hasAllCubeSetTables =
      cubeSetModels.length > 0 &&
      cubeSetModels.every(({ hasAllTables }) => hasAllTables) &&
      !project.mayBeInUnreadFile({ kind: 'datamodel', datamodel: impossibleName });
    this.#datamodels = datamodels;
    this.#datasets = datasets;
  }

  listDatamodels(): readonly string[] {
    return [...this.#datamodels.keys()];
  }

  listDatasets(title: string): readonly string[] {
    return [...(this.#datasets.get(title) ?? [])];
  }

  listCubeSetTables(): readonly string[] {
    return [...this.#cubeSetTables.keys()];
  }

  getDatamodel(title: string): DatamodelNames | undefined {
    return this.#datamodels.get(title);
  }

  isDatamodelMissing(title: string): boolean {
    return (
      !this.#datamodels.has(title) &&
      this.#selection?.includesDatamodel(title) === true &&
      !this.#project.mayBeInUnreadFile({ kind: 'datamodel', datamodel: title })
    );
  }

  isDatasetMissing(title: string, dataset: string): boolean {
    return (
      this.#datasets.get(title)?.has(dataset) === false &&
      !this.#project.mayBeInUnreadFile({ kind: 'dataset', datamodel: title, dataset })
    );
  }

  findCubeSetTable(name: string): CatalogTable | 'missing' | undefined {
    const tables = this.#cubeSetTables.get(name);
    if (tables === undefined) {
      return this.#hasAllCubeSetTables ? 'missing' : undefined;
    }
    const [merged] =
      tables.length === 1 ? tables : mergeModelCatalogs([{ complete: true, tables, relations: [] }]).tables;
    return merged;
  }

  hasAllDatamodels(): boolean {
    return this.#hasAllCubeSetTables && this.#selection?.includesDatamodel(impossibleName) === true;
  }

  getCustomDataFilter(name: string): JsonObject | undefined {
    return this.#selection?.customData.get(name);
  }

  countExcludedFiles(path: string): number {
    this.#excludedCounts ??= countExcludedFiles(this.#project, this.#selection);
    return this.#excludedCounts.get(path) ?? 0;
  }
}

/** Counts the files that a project doesn't manage, by the path of the file in which they are reported. */
const countExcludedFiles = (
  { items }: Project,
  selection: Selection | undefined,
): ReadonlyMap<string, number> =>
  new Map(
    selection === undefined
      ? []
      : findExcludedFiles(items, selection).flatMap(({ kind, items: excluded }) => {
          const reported =
            kind === 'datamodels' ? excluded.find(({ key }) => key.kind === 'datamodel') : excluded[0];
          return reported === undefined ? [] : [[reported.path, excluded.length] as const];
        }),
  );

const isEqualList = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/**
 * A name that no table or datamodel can have. If it counts as unknown, unread files may contain any table or datamodel;
 * if the project manages it, the project manages all datamodels.
 */
const impossibleName = '\0';

/** Finds the folders with a table that is in two files: such a table is not among the items. */
const findFoldersWithDuplicateTables = ({ problems }: Project): ReadonlySet<string> =>
  new Set(
    problems
      .filter(
        ({ code, path }) => code === 'duplicate-item' && path.toLowerCase().endsWith(itemSuffixes.table),
      )
      .map(({ path }) => getDatamodelFolderName(path)),
  );

const getDatamodelFolderName = (path: string): string => path.split('/')[1] ?? '';

function createDatamodelNames(items: readonly FileItem[], hasAllTables: boolean): DatamodelNames {
  const customColumns = new Set(
    items.flatMap(({ key }) =>
      key.kind === 'columnExpression' ? [formatColumnKey(key.table, key.column)] : [],
    ),
  );
  const tables = items.flatMap(({ key, content }) =>
    key.kind === 'table' && isJsonObject(content) ? [readTable(key.table, content, customColumns)] : [],
  );
  const catalog = createModelCatalog({ datasets: [{ oid: '', schema: { tables } }], relations: [] });
  const transformedTables = new Set(
    items.filter(isTransformedTable).map(({ key }) => 'table' in key && key.table),
  );
  const queries = new Map(
    items.flatMap(({ key, content }) =>
      key.kind === 'tableExpression' && typeof content === 'string' ? [[key.table, content] as const] : [],
    ),
  );
  const relations = items.flatMap(({ key }) => (key.kind === 'relation' ? [{ columns: key.columns }] : []));
  const completedCatalog = withInferredColumns(
    {
      complete: true,
      tables: catalog.tables.map((table) =>
        transformedTables.has(table.name) ? { ...table, open: true } : table,
      ),
      relations,
    },
    queries,
  );
  const names = new CatalogNames(completedCatalog);
  const tablesByName = new Map(completedCatalog.tables.map((table) => [table.name, table]));
  return {
    items,
    isLive: readDatamodelType(items.find(({ key }) => key.kind === 'datamodel')?.content) === 'live',
    catalog: completedCatalog,
    hasAllTables,
    lookup: new DatamodelLookup(completedCatalog),
    findMissing: (table, column) => {
      const found = names.find(table, column);
      return typeof found !== 'string' || (found === 'unknown-table' && !hasAllTables) ? undefined : found;
    },
    findTable: (name) => tablesByName.get(name),
  };
}

/**
 * Returns whether a table has transformations: exports list some of its columns separately (platform-facts.md, 5.5), so
 * it may have more columns than are known.
 */
const isTransformedTable = ({ key, content }: FileItem): boolean => {
  const transformations = getMember(content, 'tupleTransformations');
  return key.kind === 'table' && isJsonArray(transformations) && transformations.length > 0;
};

/** Reads the members of a table that names depend on; all others may have values of any type. */
function readTable(name: string, content: JsonObject, customColumns: ReadonlySet<string>) {
  const { columns } = content;
  return {
    oid: name,
    name,
    columns: (isJsonArray(columns) ? columns : [])
      .filter(isJsonObject)
      .map((column) => readColumn(name, column, customColumns)),
  };
}

function readColumn(
  table: string,
  { name, type, hidden, isCustom }: JsonObject,
  customColumns: ReadonlySet<string>,
) {
  const column = getText(name);
  return {
    name: column,
    ...(typeof type === 'number' ? { type } : {}),
    hidden: hidden === true,
    isCustom: isCustom === true || customColumns.has(formatColumnKey(table, column)),
  };
}

const formatColumnKey = (table: string, column: string): string => JSON.stringify([table, column]);

const getText = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
