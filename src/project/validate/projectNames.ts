import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import { createModelCatalog } from '../../catalog/modelCatalog.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { CatalogNames } from '../../security/catalogNames.ts';
import { type Catalog, type CatalogTable, withInferredColumns } from '../../sql/language.ts';
import { DatamodelLookup } from '../../viewpoints/model.ts';
import type { FileItem, Project } from '../files/project.ts';
import { itemSuffixes } from '../paths.ts';
import type { Selection } from '../source/selection.ts';

/** The names in one datamodel of a project, as the checks of SQL, rules, and viewpoints need them. */
export interface DatamodelNames {
  /** The tables that could be read. Of these, all columns are known. */
  readonly catalog: Catalog;
  /** False if a table could not be read. Then no table is missing for certain. */
  readonly hasAllTables: boolean;
  readonly lookup: DatamodelLookup;
  /** Returns which of the names is missing; `undefined` if none is, or that can't be decided. */
  findMissing(table: string, column?: string): 'unknown-table' | 'unknown-column' | undefined;
  findTable(name: string): CatalogTable | undefined;
}

/** The names in the files of a project. */
export class ProjectNames {
  readonly #project: Project;
  readonly #selection: Selection | undefined;
  readonly #datamodels: ReadonlyMap<string, DatamodelNames>;
  readonly #datasets: ReadonlyMap<string, ReadonlySet<string>>;

  /** @param selection what the project manages; `undefined` if that is unknown */
  constructor(project: Project, selection: Selection | undefined) {
    this.#project = project;
    this.#selection = selection;
    const itemsByTitle = Map.groupBy(project.items, ({ key }) =>
      'datamodel' in key ? key.datamodel : undefined,
    );
    const foldersWithDuplicates = findFoldersWithDuplicateTables(project);
    const datamodels = new Map<string, DatamodelNames>();
    const datasets = new Map<string, ReadonlySet<string>>();
    for (const [title, items] of itemsByTitle) {
      const datamodelPath = items.find(({ key }) => key.kind === 'datamodel')?.path;
      if (title !== undefined && datamodelPath !== undefined) {
        const hasAllTables =
          !project.isUnknown({ kind: 'table', datamodel: title, table: impossibleName }) &&
          !foldersWithDuplicates.has(getDatamodelFolderName(datamodelPath));
        datamodels.set(title, createDatamodelNames(items, hasAllTables));
        datasets.set(
          title,
          new Set(items.flatMap(({ key }) => (key.kind === 'dataset' ? [key.dataset] : []))),
        );
      }
    }
    this.#datamodels = datamodels;
    this.#datasets = datasets;
  }

  /** Returns the names in a datamodel; `undefined` if the project does not have it, or it could not be read. */
  getDatamodel(title: string): DatamodelNames | undefined {
    return this.#datamodels.get(title);
  }

  /** True if the project manages a datamodel and certainly does not have it. */
  isDatamodelMissing(title: string): boolean {
    return (
      !this.#datamodels.has(title) &&
      this.#selection?.includesDatamodel(title) === true &&
      !this.#project.isUnknown({ kind: 'datamodel', datamodel: title })
    );
  }

  /** True if a datamodel certainly does not have a dataset. */
  isDatasetMissing(title: string, dataset: string): boolean {
    return (
      this.#datasets.get(title)?.has(dataset) === false &&
      !this.#project.isUnknown({ kind: 'dataset', datamodel: title, dataset })
    );
  }
}

/** A name that no table has: it is unknown only if any table may be. */
const impossibleName = '\0';

/** A table that is in two files is not among the items. */
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
  const transformed = new Set(items.filter(isTransformedTable).map(({ key }) => 'table' in key && key.table));
  const queries = new Map(
    items.flatMap(({ key, content }) =>
      key.kind === 'tableExpression' && typeof content === 'string' ? [[key.table, content] as const] : [],
    ),
  );
  const relations = items.flatMap(({ key }) => (key.kind === 'relation' ? [{ columns: key.columns }] : []));
  const completed = withInferredColumns(
    {
      complete: true,
      tables: catalog.tables.map((table) => (transformed.has(table.name) ? { ...table, open: true } : table)),
      relations,
    },
    queries,
  );
  const names = new CatalogNames(completed);
  const tablesByName = new Map(completed.tables.map((table) => [table.name, table]));
  return {
    catalog: completed,
    hasAllTables,
    lookup: new DatamodelLookup(completed),
    findMissing: (table, column) => {
      const found = names.find(table, column);
      return typeof found !== 'string' || (found === 'unknown-table' && !hasAllTables) ? undefined : found;
    },
    findTable: (name) => tablesByName.get(name),
  };
}

/** Exports list some columns of a table separately (platform-facts.md, 5.5), so it may have others than those known. */
const isTransformedTable = ({ key, content }: FileItem): boolean => {
  const transformations = getMember(content, 'tupleTransformations');
  return key.kind === 'table' && isJsonArray(transformations) && transformations.length > 0;
};

/** Reads what names depend on; everything else of a table may have any type. */
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
