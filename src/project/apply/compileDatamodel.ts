import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import { findMaskPaths } from '../../base/secrets/maskPaths.ts';
import { createDatasetCreationWrite, createDatasetDeletionWrite } from '../../changes/model/datasetWrites.ts';
import type { IdOrOutput, IdUse } from '../../changes/model/inverseWrites.ts';
import { getText } from '../../changes/model/jsonMembers.ts';
import {
  createRelationCreationWrite,
  createRelationDeletionWrite,
} from '../../changes/model/relationWrites.ts';
import { createTableDeletionWrite } from '../../changes/model/tableWrites.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import { isCustomTable } from '../compare/compareContents.ts';
import type { ItemChange } from '../compare/itemChange.ts';
import type { Renamer } from '../pull/renames.ts';
import { isFileConnection } from './connections.ts';
import {
  addTableCreation,
  addLaterTableUpdate,
  addReferences,
  addTableHiding,
  addTableUpdate,
} from './compileTables.ts';
import type { TableContext, TableItemChange } from './tableContext.ts';
import type { ApplyProblem, DeferredChange } from './problems.ts';
import type { TargetDatamodel, TargetNames } from './targetNames.ts';
import { type WriteList, createParams } from './writeList.ts';

/** The input from which the writes of a datamodel are created. */
export interface DatamodelCompileInput {
  readonly title: string;
  /** The changes of the datamodel and its parts, but not of its rules. */
  readonly changes: readonly ItemChange[];
  readonly datamodel: TargetDatamodel;
  readonly list: WriteList;
  readonly problems: ApplyProblem[];
  readonly deferred: DeferredChange[];
  /** The contents of the project, by the texts of their keys. */
  readonly contents: ReadonlyMap<string, JsonValue>;
  readonly renamer: Renamer;
  readonly target: TargetNames;
  /** The relations of the instance, by their keys there. */
  readonly currentRelations: readonly { readonly key: ItemKey; readonly oid: string }[];
  readonly getConnection: (dataset: string) => JsonObject | undefined;
  /**
   * Whether the operation includes deletions. While changes of rules are deferred to the next apply, the columns and
   * tables of these rules are kept.
   */
  readonly includesDeletions: boolean;
  /** See {@link TableContext.hidingList}. */
  readonly hidingList: WriteList | undefined;
  /**
   * Whether changes of rules are deferred to the next apply, those of the datamodel or of a cube set. Then tables and
   * columns that the project no longer hides stay hidden until the next apply, too.
   */
  readonly keepsHidden: boolean;
}

/** Adds the writes of the datasets, tables and relations of a datamodel. */
export class DatamodelCompiler {
  readonly #input: DatamodelCompileInput;
  readonly #tables: TableContext;

  constructor(input: DatamodelCompileInput) {
    this.#input = input;
    const { title, contents, target } = input;
    this.#tables = {
      ...input,
      getSql: (table, column) => {
        const key: ItemKey =
          column === undefined
            ? { kind: 'tableExpression', datamodel: title, table }
            : { kind: 'columnExpression', datamodel: title, table, column };
        const sql = contents.get(formatItemKey(key));
        return typeof sql === 'string' ? sql : undefined;
      },
      findId: (names) => this.#findId(names, target),
      isGenerated: (names) => this.#isGenerated(names),
    };
  }

  /** Adds the writes that create and change items. Tables come before what refers to them. */
  addCreationsAndUpdates(): void {
    this.#getTableChanges().forEach((table) => addTableHiding(table, this.#tables));
    this.#input.deferred.push(
      ...this.#input.changes
        .filter((change) => this.#isDeferredSql(change))
        .map(({ key }) => ({ key, reason: 'renames-first' as const })),
    );
    for (const { key, action, parts } of this.#input.changes) {
      if (key.kind === 'dataset' && action === 'create') {
        this.#addDatasetCreation(key, parts[0]?.after ?? null);
      }
    }
    const tables = this.#getTableChanges();
    const created = tables.filter(({ change }) => change?.action === 'create');
    const isCustom = ({ content }: TableItemChange): boolean => isCustomTable(content);
    [...created.filter((table) => !isCustom(table)), ...created.filter(isCustom)].forEach((table) =>
      addTableCreation(table, this.#tables),
    );
    tables
      .filter(({ change }) => change?.action !== 'create' && change?.action !== 'delete')
      .forEach((table) => addTableUpdate(table, this.#tables));
    created.forEach((table) => addReferences(table, this.#tables));
    for (const { key, action } of this.#input.changes) {
      if (key.kind === 'relation' && action === 'create') {
        this.#addRelationCreation(key);
      }
    }
  }

  /**
   * Adds the writes that show what was kept hidden until rules and relations restrict it, and those that delete items.
   * What refers to an item is deleted before it (rest-api.md, "Datamodel API" 4).
   */
  addLaterUpdatesAndDeletions(): void {
    if (!this.#input.includesDeletions) {
      this.#getTableChanges().forEach((table) => addLaterTableUpdate(table, this.#tables));
      this.#deferDeletions();
      return;
    }
    const deletions = this.#input.changes.filter(({ action }) => action === 'delete');
    const deletedTables = new Set(deletions.flatMap(({ key }) => (key.kind === 'table' ? key.table : [])));
    const deletedKeys = new Set(deletions.map(({ key }) => formatItemKey(key)));
    const relationIds: string[] = [];
    for (const { key, oid } of this.#input.currentRelations) {
      const lostColumn =
        key.kind === 'relation' ? key.columns.find(({ table }) => deletedTables.has(table)) : undefined;
      if (deletedKeys.has(formatItemKey(key))) {
        relationIds.push(oid);
      } else if (lostColumn !== undefined) {
        this.#input.problems.push({ code: 'table-in-use', key, name: lostColumn.table });
      }
    }
    const { datamodel, list } = this.#input;
    if (typeof datamodel.id !== 'string') {
      return;
    }
    const datamodelId = datamodel.id;
    relationIds.forEach((relationId) => list.add(createRelationDeletionWrite({ datamodelId, relationId })));
    this.#getTableChanges().forEach((table) => addLaterTableUpdate(table, this.#tables));
    for (const { key } of deletions) {
      const table = key.kind === 'table' ? datamodel.tables.get(key.table) : undefined;
      if (table !== undefined && typeof table.id === 'string' && typeof table.datasetId === 'string') {
        list.add(createTableDeletionWrite({ datamodelId, datasetId: table.datasetId, tableId: table.id }));
      }
    }
    for (const { key } of deletions) {
      if (key.kind === 'dataset') {
        this.#addDatasetDeletion(key, datamodelId, deletedTables);
      }
    }
  }

  #deferDeletions(): void {
    const { changes, deferred } = this.#input;
    const deletions = changes.filter(
      ({ action, parts }) => action === 'delete' || parts.some(({ after }) => after === undefined),
    );
    deferred.push(
      ...deletions.map(({ action, key }) => ({
        key,
        reason: 'renames-first' as const,
        ...(action === 'delete' ? {} : { part: 'column-deletions' as const }),
      })),
    );
  }

  #addDatasetDeletion(
    key: Extract<ItemKey, { readonly kind: 'dataset' }>,
    datamodelId: string,
    deletedTables: ReadonlySet<string>,
  ): void {
    const { datamodel, list, problems } = this.#input;
    const datasetId = datamodel.datasetIds.get(key.dataset);
    const isUsed = [...datamodel.tables].some(
      ([name, table]) => table.datasetId === datasetId && !deletedTables.has(name),
    );
    if (isUsed) {
      problems.push({ code: 'dataset-in-use', key, name: key.dataset });
    } else if (typeof datasetId === 'string') {
      list.add(createDatasetDeletionWrite({ datamodelId, datasetId }));
    }
  }

  #addDatasetCreation(key: Extract<ItemKey, { readonly kind: 'dataset' }>, content: JsonValue): void {
    const { datamodel, list, problems, getConnection } = this.#input;
    const type = getText(getMember(content, 'type')).toLowerCase();
    const ownConnection = getMember(content, 'connection');
    const mappedConnection = getConnection(key.dataset);
    const connection =
      mappedConnection ??
      (isJsonObject(ownConnection) && isFileConnection(ownConnection) ? ownConnection : undefined);
    if (type !== 'custom' && connection === undefined) {
      // The dataset is added nevertheless, so that items that depend on it don't cause further problems.
      problems.push({ code: 'unmapped-connection', key, name: key.dataset });
    }
    const body: JsonObject = {
      name: key.dataset,
      type,
      ...(type === 'custom' || connection === undefined ? {} : { connection }),
      ...pickPresent(content, 'database', 'schemaName'),
    };
    if (findMaskPaths(body).length > 0) {
      problems.push({ code: 'masked-secret', key, name: key.dataset });
    }
    const { params, uses } = createParams({ datamodelId: datamodel.id });
    const index = list.add(createDatasetCreationWrite(params, body), uses);
    datamodel.datasetIds.set(key.dataset, { write: index, from: ['oid'] });
  }

  #getTableChanges(): readonly TableItemChange[] {
    const { changes, contents, title } = this.#input;
    const byTable = new Map<string, ItemChange[]>();
    for (const change of changes) {
      if ('table' in change.key && !this.#isDeferredSql(change)) {
        const { table } = change.key;
        byTable.set(table, [...(byTable.get(table) ?? []), change]);
      }
    }
    return [...byTable].map(([table, tableChanges]) => {
      const key = { kind: 'table', datamodel: title, table } as const;
      return {
        key,
        change: tableChanges.find((change) => change.key.kind === 'table'),
        expressions: tableChanges.filter((change) => change.key.kind !== 'table'),
        content: contents.get(formatItemKey(key)) ?? null,
      };
    });
  }

  /**
   * Returns whether the SQL of a custom table waits for the next apply together with changes of rules: the table might
   * get columns from it, which can't be hidden before they exist. SQL doesn't wait if it contains a new name of a table
   * or column that this apply renames, or if other SQL of this apply might need such a column.
   */
  #isDeferredSql({ action, key, from = key, parts }: ItemChange): boolean {
    const { title, renamer, keepsHidden, includesDeletions, changes } = this.#input;
    if (!keepsHidden || includesDeletions || action !== 'update' || key.kind !== 'tableExpression') {
      return false;
    }
    const columnRenames = renamer.columnRenames.filter(({ datamodel }) => datamodel === title);
    const newNames = [
      ...renamer.renames.flatMap(({ to }) => (to.kind === 'table' && to.datamodel === title ? to.table : [])),
      ...columnRenames.map(({ to }) => to),
    ];
    const sql = getText(parts[0]?.after);
    const mayBeNeeded = changes.some(
      (other) =>
        (other.key.kind === 'columnExpression' && other.key.table === key.table) ||
        (other.key.kind === 'tableExpression' && other.action === 'create'),
    );
    return (
      !mayBeNeeded &&
      formatItemKey(from) === formatItemKey(key) &&
      !columnRenames.some(({ table }) => table === key.table) &&
      !newNames.some((name) => sql.toLowerCase().includes(name.toLowerCase()))
    );
  }

  #addRelationCreation(key: Extract<ItemKey, { readonly kind: 'relation' }>): void {
    const { datamodel, list, problems, deferred } = this.#input;
    const generatedBy: string[] = [];
    const uses: IdUse[] = [];
    const columns: { dataset: string; table: string; column: string }[] = [];
    for (const [index, name] of key.columns.entries()) {
      const table = datamodel.tables.get(name.table);
      const column = table?.columnIds.get(name.column);
      if (table === undefined || column === undefined) {
        if (!this.#isGenerated(name)) {
          problems.push({ code: 'unknown-reference', key, name: `${name.table}.${name.column}` });
          return;
        }
        generatedBy.push(name.table);
        continue;
      }
      const insertId = (member: string, id: IdOrOutput): string => {
        uses.push({ into: ['body', 'columns', index, member], id });
        return typeof id === 'string' ? id : '';
      };
      columns.push({
        dataset: insertId('dataset', table.datasetId),
        table: insertId('table', table.id),
        column: insertId('column', column),
      });
    }
    if (generatedBy.length > 0) {
      deferred.push({ key, reason: 'relation-column', generatedBy });
      return;
    }
    const { params, uses: paramUses } = createParams({ datamodelId: datamodel.id });
    list.add(createRelationCreationWrite(params.datamodelId, columns), [...paramUses, ...uses]);
  }

  /**
   * Returns whether the names are those of a column of a custom table, which only a build creates (rest-api.md,
   * "Table").
   */
  #isGenerated({ table, column }: { readonly table?: JsonValue; readonly column?: JsonValue }): boolean {
    const { title, contents } = this.#input;
    return (
      typeof table === 'string' &&
      typeof column === 'string' &&
      isCustomTable(contents.get(formatItemKey({ kind: 'table', datamodel: title, table })))
    );
  }

  /**
   * Returns the ID of what the names in a reference refer to; `undefined` if neither the instance nor an earlier write
   * has it.
   */
  #findId(names: JsonObject, target: TargetNames): IdOrOutput | undefined {
    const { title, datamodel } = this.#input;
    const { table, column, dataset, datamodel: otherTitle } = names;
    if (typeof table === 'string') {
      return typeof column === 'string'
        ? target.findColumnId(title, { table, column })
        : target.findTable(title, table)?.id;
    }
    if (typeof dataset === 'string') {
      return datamodel.datasetIds.get(dataset);
    }
    return typeof otherTitle === 'string' ? target.getDatamodel(otherTitle)?.id : undefined;
  }
}

const pickPresent = (content: JsonValue, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = getMember(content, name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
