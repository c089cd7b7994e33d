import type { JsonObject, JsonValue } from '../../base/json.ts';
import { getRefKey, isSameRef, type ResourceRef } from '../../catalog/resourceRef.ts';
import type { Write } from '../model/operation.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';

/** The table and the column that a rule names. */
export interface RuleColumn {
  readonly table: string;
  readonly column: string;
}

/** What a write does, or may do, to the names that rules apply to. */
export interface NameEffect {
  /** The datamodel of the names: see {@link getDatamodelKey}. */
  readonly datamodelKey: string;
  /** The names of the tables whose names, or names of columns, it changes: the earlier ones and the new ones. */
  readonly tables: readonly string[] | 'any';
  /** Returns whether the write may expose a column with this name: create or show it. Then rules on it matter. */
  readonly mayExpose: (column: RuleColumn) => boolean;
  /** True if the write may create or show any name. */
  readonly mayExposeNames: boolean;
  /** True if someone may see more after the write: it may create or show names, or remove what rules are on. */
  readonly mayShowMore: boolean;
  /**
   * Returns whether the write may remove columns, tables, or relations that restrict the same rows as the rules on a
   * column. An operation adds the new rules before such a write, so they must still be in force when it's sent.
   */
  readonly mayRemoveProtection: (column: RuleColumn) => boolean;
}

/** A document from before the operation. */
interface DocumentBefore {
  readonly ref: ResourceRef;
  readonly document?: JsonValue | undefined;
}

/** The name of a table, and its columns by their names. */
export interface TableNames {
  readonly name: string;
  readonly isHidden: boolean;
  readonly columns: ReadonlyMap<string, { readonly oid: string; readonly isHidden: boolean }>;
}

/** What a write does, apart from its datamodel. */
type OwnEffect = Omit<NameEffect, 'datamodelKey'>;

const never = (): boolean => false;
const noEffect: OwnEffect = {
  tables: [],
  mayExpose: never,
  mayExposeNames: false,
  mayShowMore: false,
  mayRemoveProtection: never,
};
const removal: OwnEffect = { ...noEffect, mayShowMore: true, mayRemoveProtection: () => true };

/** Writes that remove tables or relations, or may remove columns from a relation. */
const removingEndpoints: ReadonlySet<string> = new Set([
  'tables.delete',
  'datasets.delete',
  'relations.delete',
  'relations.update',
]);

/**
 * Returns what each write of an operation does to the names that rules apply to (platform-facts.md, 3.1: names aren't
 * checked, so rules on a name have no effect before it exists). Which columns the SQL of a custom table has isn't
 * known, so a change of it may expose any column that the table didn't have (rest-api.md, "Table").
 * @param before the documents from before the operation
 */
export function getNameEffects(
  writes: readonly Write[],
  before: readonly DocumentBefore[],
): readonly NameEffect[] {
  const stored = new Map(before.map(({ ref, document }) => [getRefKey(ref), document]));
  const tables = new Map<string, TableNames>();
  const getEffect = (write: Write, index: number): OwnEffect => {
    const { endpoint, target } = write;
    const body = asObject(write.body);
    if (endpoint === 'tables.create') {
      const names = applyUpdate(undefined, body);
      tables.set(`new ${index}`, names);
      return {
        tables: [names.name],
        mayExpose: ({ table }) => table === names.name,
        mayExposeNames: true,
        mayShowMore: true,
        mayRemoveProtection: never,
      };
    }
    if (endpoint !== 'tables.update') {
      return removingEndpoints.has(endpoint)
        ? { ...removal, tables: findRemovedTables(write, before) }
        : noEffect;
    }
    const creation = write.outputRefs?.find(
      ({ into: [root, name] }) => root === 'params' && name === 'tableId',
    );
    const key = target === undefined ? `new ${creation?.write ?? ''}` : getRefKey(target);
    const previous = tables.get(key) ?? readTableNames(stored.get(key));
    const names = applyUpdate(previous, body);
    tables.set(key, names);
    return compareNames(previous, names, body);
  };
  return writes.map((write, index) => ({
    ...getEffect(write, index),
    datamodelKey: getDatamodelKey(write, index),
  }));
}

/**
 * Identifies the datamodel of a write: its ID, or a term with the index of the write that creates it. Empty for writes
 * that belong to no datamodel, and for those of rules, which are addressed by the title (rest-api.md, "Endpoints").
 */
export function getDatamodelKey({ endpoint, params, outputRefs }: Write, index: number): string {
  const creation = outputRefs?.find(({ into: [root, name] }) => root === 'params' && name === 'datamodelId');
  const createdBy = endpoint === 'datamodels.create' ? index : creation?.write;
  return createdBy === undefined ? (params['datamodelId'] ?? '') : `new ${createdBy}`;
}

/** Returns the names of the tables that a write removes. */
function findRemovedTables(
  { endpoint, target }: Write,
  before: readonly DocumentBefore[],
): NameEffect['tables'] {
  if (endpoint !== 'tables.delete' && endpoint !== 'datasets.delete') {
    return [];
  }
  return target === undefined ? 'any' : findTableDocuments(target, before).map(({ name }) => getText(name));
}

/** Returns the documents of a table, or of the tables of a dataset, as far as they were read. */
export function findTableDocuments(
  target: ResourceRef,
  before: readonly DocumentBefore[],
): readonly JsonObject[] {
  if (target.kind === 'table') {
    return before.filter(({ ref }) => isSameRef(ref, target)).map(({ document }) => asObject(document));
  }
  return before.flatMap(({ ref, document }) =>
    target.kind === 'dataset' && ref.kind === 'datamodel' && ref.datamodelId === target.datamodelId
      ? getObjects(asObject(document)['datasets'])
          .filter(({ oid }) => oid === target.datasetId)
          .flatMap((dataset) => getObjects(asObject(dataset['schema'])['tables']))
      : [],
  );
}

/** Returns the names in the document of a table; `undefined` if there is no document. */
export const readTableNames = (document: JsonValue | undefined): TableNames | undefined =>
  document === undefined ? undefined : applyUpdate(undefined, asObject(document));

function applyUpdate(previous: TableNames | undefined, body: JsonObject): TableNames {
  const byOid = new Map(
    [...(previous?.columns ?? [])].map(([name, { oid, isHidden }]) => [oid, { name, isHidden }] as const),
  );
  return {
    name: getText(body['name']) || (previous?.name ?? ''),
    isHidden: 'hidden' in body ? body['hidden'] === true : (previous?.isHidden ?? false),
    columns: !Array.isArray(body['columns'])
      ? (previous?.columns ?? new Map())
      : new Map(
          getObjects(body['columns']).map((column) => {
            const oid = getText(column['oid']);
            const current = oid === '' ? undefined : byOid.get(oid);
            return [
              getText(column['name']) || (current?.name ?? getText(column['id'])),
              {
                oid,
                isHidden: 'hidden' in column ? column['hidden'] === true : (current?.isHidden ?? false),
              },
            ];
          }),
        ),
  };
}

function compareNames(previous: TableNames | undefined, names: TableNames, body: JsonObject): OwnEffect {
  const isTable = (table: string): boolean => names.name === '' || names.name === table;
  const hasNewSql = 'expression' in body;
  if (previous === undefined) {
    // It is unknown which names the table had, so any of them may be new.
    const isNamed = 'name' in body || body['hidden'] === false;
    const mayShowMore = isNamed || hasNewSql || names.columns.size > 0;
    return {
      tables: mayShowMore ? 'any' : [],
      mayExpose: ({ table, column }) => isTable(table) && (isNamed || hasNewSql || names.columns.has(column)),
      mayExposeNames: mayShowMore,
      mayShowMore,
      mayRemoveProtection: ({ table }) => names.columns.size > 0 || (hasNewSql && isTable(table)),
    };
  }
  const isExposed = previous.name !== names.name || (previous.isHidden && !names.isHidden);
  const exposesColumn = (name: string): boolean => {
    const [earlier, column] = [previous.columns.get(name), names.columns.get(name)];
    return column === undefined
      ? hasNewSql
      : earlier === undefined || earlier.oid !== column.oid || (earlier.isHidden && !column.isHidden);
  };
  const oids = new Set([...names.columns.values()].map(({ oid }) => oid));
  const mayExposeNames = isExposed || hasNewSql || [...names.columns.keys()].some(exposesColumn);
  const removes = [...previous.columns.values()].some(({ oid }) => !oids.has(oid));
  const mayShowMore = mayExposeNames || removes;
  return {
    tables: mayShowMore ? [...new Set([previous.name, names.name])] : [],
    mayExpose: ({ table, column }) => isTable(table) && (isExposed || exposesColumn(column)),
    mayExposeNames,
    mayShowMore,
    mayRemoveProtection: ({ table }) => removes || (hasNewSql && isTable(table)),
  };
}
