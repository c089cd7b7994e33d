import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import {
  type Catalog,
  type ExpressionContext,
  findCatalogUsages,
  renameInContext,
  renameInExpression,
} from '../../sql/language.ts';
import { type NameChange, renameInViewpoint } from '../../viewpoints/renameInViewpoint.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, type ProjectItem, formatItemKey, parseItemKey } from '../item.ts';
import { createInstanceCatalog } from './instanceCatalog.ts';
import { emptyLock } from './lock.ts';
import type { Project } from '../files/project.ts';
import { type ColumnName, findTablesWithColumn, mapObjects, renameRules } from './movedRules.ts';
import type { PullSides } from './mergeUnits.ts';
import { type Renamer, deriveRenamer } from './renames.ts';

/** Renames an item in its key and content, from the names on the instance to those in the files of the project. */
export type RenameItem = (item: ProjectItem) => ProjectItem;

/**
 * The renames in the files of a project that are not in the lock: from the names on the instance to those in the files.
 */
export interface PendingRenames {
  readonly renameItem: RenameItem;
  /**
   * Returns one of the new names of the column that rules of a cube set are on if the datamodels don't agree on one;
   * the rules then keep the former name.
   */
  readonly findAmbiguousNewName: (key: CubeSetRulesKey) => ColumnName | undefined;
}

type CubeSetRulesKey = Extract<ItemKey, { kind: 'cubeSetRules' }>;

/**
 * Finds the names that the files of the project change, and that the lock has unchanged; `undefined` if there are none.
 */
export function createPendingRenames(sides: PullSides): PendingRenames | undefined {
  const renamer = findPendingRenames(sides);
  if (renamer.isEmpty) {
    return undefined;
  }
  const itemRenamer = new ItemRenamer(renamer, sides.pulled, sides.project);
  return {
    renameItem: (item) => itemRenamer.rename(item),
    findAmbiguousNewName: (key) => itemRenamer.findAmbiguousNewName(key),
  };
}

/**
 * Creates a function that renames the items of an instance from their names on it to those in the files of the project.
 * @param project the project, if the rules of cube sets get new names, too
 */
export function createItemRenamer(
  renamer: Renamer,
  pulled: Pick<ConvertedInstance, 'items'>,
  project?: Pick<Project, 'items'>,
): RenameItem {
  const itemRenamer = new ItemRenamer(renamer, pulled, project);
  return (item) => itemRenamer.rename(item);
}

/**
 * Finds the renames in files that are not in the lock. A rename doesn't count if the lock has the new name: then the
 * instance had this name at the last pull, and has changed it since. Tables that only the lock has are renamed with
 * their columns: rules may be on the former names. The renamer gets an empty lock, because the former names come from
 * the instance: the entries of the lock are passed as items of the instance, so that the renamer knows their names.
 */
function findPendingRenames({ project, lock, pulled }: PullSides): Renamer {
  const lockItems = [...lock.entries].flatMap(([text, { oid = '', columns }]) => {
    const key = parseItemKey(text);
    return key === undefined ? [] : [{ key, oid, ...(columns === undefined ? {} : { columns }) }];
  });
  const pulledTexts = new Set(pulled.identities.map(({ key }) => formatItemKey(key)));
  return deriveRenamer({
    items: project.items,
    lock: emptyLock,
    pulled: {
      items: [...pulled.items, ...lockItems],
      identities: [
        ...pulled.identities.map((identity) => ({
          ...identity,
          columns: { ...lock.entries.get(formatItemKey(identity.key))?.columns, ...identity.columns },
        })),
        ...lockItems.filter(({ key }) => !pulledTexts.has(formatItemKey(key))),
      ],
    },
  });
}

/** Returns the title of the datamodel that a viewpoint is on; `undefined` if its content has none. */
export const getViewpointDatamodelTitle = (content: JsonValue): JsonValue | undefined =>
  ['details', 'datasource', 'title'].reduce<JsonValue | undefined>(getMember, content);

class ItemRenamer {
  readonly #renamer: Renamer;
  readonly #pulled: Pick<ConvertedInstance, 'items'>;
  /** The project, if the rules of cube sets get new names, too. */
  readonly #project: Pick<Project, 'items'> | undefined;
  readonly #catalogs = new Map<string, Catalog>();

  constructor(renamer: Renamer, pulled: Pick<ConvertedInstance, 'items'>, project?: Pick<Project, 'items'>) {
    this.#renamer = renamer;
    this.#pulled = pulled;
    this.#project = project;
  }

  rename({ key, content }: ProjectItem): ProjectItem {
    const to = key.kind === 'cubeSetRules' ? this.#renameCubeSetRules(key) : this.#renamer.toProjectKey(key);
    return { key: to, content: this.#renameInContent(key, to, content) };
  }

  #renameInContent(from: ItemKey, to: ItemKey, content: JsonValue): JsonValue {
    switch (to.kind) {
      case 'tableExpression':
      case 'columnExpression':
        return this.#renameInSql(from, content);
      case 'rules':
      case 'cubeSetRules':
        return formatItemKey(from) === formatItemKey(to) ? content : renameRules(content, to);
      case 'viewpoint':
        return isJsonObject(content) ? this.#renameInViewpoint(content, to.viewpoint) : content;
      case 'relation':
        return isJsonObject(content)
          ? { ...content, columns: to.columns.map(({ table, column }) => ({ table, column })) }
          : content;
      case 'datamodel':
      case 'dataset':
        return this.#renamer.renameReferences(to.datamodel, content);
      case 'table':
        return this.#renameInTable(from, to.table, this.#renamer.renameReferences(to.datamodel, content));
      case 'customData':
        return content;
    }
  }

  /**
   * Returns the key of rules of a cube set with the new name of their column. A cube set may have any datamodel that
   * isn't live, so the rules keep the former name unless all of these datamodels with the column rename it to the same
   * name.
   */
  #renameCubeSetRules(key: CubeSetRulesKey): CubeSetRulesKey {
    const [newName, ...otherNames] = this.#findNames(key);
    return newName === undefined || otherNames.length > 0 ? key : { ...key, ...newName };
  }

  findAmbiguousNewName(key: CubeSetRulesKey): ColumnName | undefined {
    const names = this.#findNames(key);
    return names.length < 2
      ? undefined
      : names.find(({ table, column }) => table !== key.table || column !== key.column);
  }

  /** Returns the names in the project of a column that the rules of a cube set are on, in any of the datamodels. */
  #findNames(key: CubeSetRulesKey): readonly ColumnName[] {
    const items = this.#project?.items;
    const renamed = findTablesWithColumn(items === undefined ? [] : this.#pulled.items, key).flatMap(
      ({ datamodel, table }) => {
        const to = this.#renamer.toProjectKey({ kind: 'rules', datamodel, table, column: key.column });
        return to.kind === 'rules' ? [to] : [];
      },
    );
    const kept = findTablesWithColumn(items ?? [], key).map(() => key);
    const names = [...renamed, ...kept].map(({ table, column }): ColumnName => ({ table, column }));
    return [...new Map(names.map((name) => [JSON.stringify(name), name])).values()];
  }

  #renameInTable(from: ItemKey, newName: string, content: JsonValue): JsonValue {
    if (from.kind !== 'table' || !isJsonObject(content)) {
      return content;
    }
    const { datamodel, table } = from;
    const columns = mapObjects(content['columns'] ?? [], (column) => {
      const { name } = column;
      return typeof name === 'string'
        ? { ...column, name: this.#renamer.toProjectColumn(datamodel, table, name) }
        : column;
    });
    return { ...content, name: newName, columns };
  }

  #renameInViewpoint(content: JsonObject, newName: string): JsonValue {
    const changes = this.#listChanges(getViewpointDatamodelTitle(content));
    return { ...renameInViewpoint(content, changes), name: newName };
  }

  /** Applies the renames one after the other, each to the SQL and the catalog with the previous ones. */
  #renameInSql(key: ItemKey, sql: JsonValue): JsonValue {
    if ((key.kind !== 'tableExpression' && key.kind !== 'columnExpression') || typeof sql !== 'string') {
      return sql;
    }
    const { datamodel, table } = key;
    const changes = this.#listChanges(datamodel);
    if (changes.length === 0) {
      return sql;
    }
    let text = sql;
    let context: ExpressionContext = {
      catalog: this.#getCatalog(datamodel),
      ...(key.kind === 'tableExpression' ? { kind: 'table' } : { kind: 'column', table }),
    };
    const usedTables = new Set(findCatalogUsages(sql, context).map((usage) => usage.table.name));
    for (const { target, newName } of changes) {
      if (target.table !== table && !usedTables.has(target.table)) {
        continue;
      }
      const isOwnTable = key.kind === 'tableExpression' && target.table === table;
      text = renameInExpression(text, context, { target, newName, isOwnTable });
      context = renameInContext(context, target, newName);
    }
    return text;
  }

  /** Lists the renames in a datamodel. Columns come first, because their renames name the table as on the instance. */
  #listChanges(datamodel: JsonValue | undefined): readonly NameChange[] {
    const { renames, columnRenames } = this.#renamer;
    return [
      ...columnRenames
        .filter((rename) => rename.datamodel === datamodel)
        .map(({ table, from, to }) => ({ target: { table, column: from }, newName: to })),
      ...renames.flatMap(({ from, to }) =>
        from.kind === 'table' && to.kind === 'table' && from.datamodel === datamodel
          ? [{ target: { table: from.table }, newName: to.table }]
          : [],
      ),
    ];
  }

  #getCatalog(datamodel: string): Catalog {
    const catalog = this.#catalogs.get(datamodel) ?? createInstanceCatalog(this.#pulled, datamodel);
    this.#catalogs.set(datamodel, catalog);
    return catalog;
  }
}
