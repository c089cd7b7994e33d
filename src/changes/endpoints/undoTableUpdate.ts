import { type JsonObject, type JsonValue, mapMembers } from '../../base/json.ts';
import type { Write } from '../model/operation.ts';
import type { IdOrOutput, IdUse, InverseWrites } from '../model/inverseWrites.ts';
import {
  asObject,
  getObjects,
  getDocumentName,
  getText,
  getCompleteRelations,
  omitMembers,
} from '../model/jsonMembers.ts';
import { restoreRelation } from './restoreRelation.ts';

/**
 * Adds the writes that undo a PATCH of a table: every property that was sent gets its old value. Deleted columns are
 * created again under new oids (rest-api.md, "Datamodel API" 2); relations and the accumulation, which refer to columns
 * by oid, are updated to the new ones.
 */
export function undoTableUpdate(
  write: Write,
  previous: { readonly oldTable: JsonObject; readonly model: JsonValue | undefined },
  inverse: InverseWrites,
): void {
  const { params, body, target } = write;
  const { oldTable, model } = previous;
  const oldColumns = getObjects(oldTable['columns']);
  const accumulationColumn = getText(getAccumulation(oldTable)?.['column']);
  const sentValues = mapMembers(asObject(body), (_value, name) => oldTable[name] ?? null);
  const losesAccumulation =
    accumulationColumn !== '' &&
    'buildBehavior' in sentValues &&
    !('columns' in sentValues) &&
    target?.kind === 'table' &&
    inverse.isMissingColumn({ ...target, columnId: accumulationColumn });
  const oldValues = losesAccumulation ? omitMembers(sentValues, 'buildBehavior') : sentValues;
  if (losesAccumulation) {
    inverse.addLoss({ code: 'missing-accumulation', name: getDocumentName(oldTable) });
    if (Object.keys(oldValues).length === 0) {
      return;
    }
  }
  const sendsColumns = 'columns' in oldValues;
  const currentOids = new Set(
    getObjects(asObject(target && inverse.getDocument(target))['columns']).map(({ oid }) => oid),
  );
  const isMissing = ({ oid }: JsonObject): boolean => Boolean(oid) && !currentOids.has(oid);
  // If a later PATCH has deleted the column, the undo of that PATCH creates it again under a new ID.
  const getNewId = (oid: string): IdOrOutput | undefined => {
    const id = inverse.getCurrentId(oid);
    return oid === '' || id === oid ? undefined : id;
  };
  const lostColumns = sendsColumns
    ? oldColumns.filter((column) => isMissing(column) && getNewId(getText(column['oid'])) === undefined)
    : [];
  const accumulatesByLostColumn = lostColumns.some(({ oid }) => oid === accumulationColumn);
  const uses: IdUse[] = [];
  const addUse = (into: IdUse['into'], oid: string): void => {
    const id = getNewId(oid);
    if (id !== undefined) {
      uses.push({ into, id });
    }
  };
  if (sendsColumns) {
    oldColumns.forEach(({ oid }, index) => addUse(['body', 'columns', index, 'oid'], getText(oid)));
  }
  if ('buildBehavior' in oldValues && !accumulatesByLostColumn) {
    addUse(accumulationColumnPath, accumulationColumn);
  }
  const sentColumns = new Map(getObjects(asObject(body)['columns']).map((column) => [column['oid'], column]));
  const payload = {
    ...(accumulatesByLostColumn ? omitMembers(oldValues, 'buildBehavior') : oldValues),
    ...(sendsColumns
      ? {
          columns: oldColumns.map((column) =>
            isMissing(column)
              ? omitMembers(column, 'oid')
              : { ...nullAddedMembers(column, sentColumns.get(column['oid'])), ...column },
          ),
        }
      : {}),
  };
  const formerId = getText(params['tableId']);
  const tableId = inverse.getCurrentId(formerId) ?? formerId;
  const isRestored = tableId !== formerId;
  const index = inverse.add(
    {
      endpoint: 'tables.update',
      params: isRestored ? { ...params, tableId: '' } : params,
      body: payload,
      ...(target && !isRestored && { target }),
    },
    isRestored ? [...uses, { into: ['params', 'tableId'], id: tableId }] : uses,
  );
  for (const column of lostColumns) {
    inverse.addRestoredId(getText(column['oid']), {
      write: index,
      from: ['columns', getDocumentName(column), 'oid'],
    });
    inverse.addLoss({ code: 'new-id', name: getDocumentName(column) });
  }
  if (accumulatesByLostColumn) {
    restoreAccumulation(write, oldTable, inverse);
  }
  const lostIds = new Set(lostColumns.map(({ oid }) => oid));
  for (const relation of getCompleteRelations(model)) {
    if (getObjects(relation['columns']).some(({ column }) => lostIds.has(column ?? ''))) {
      restoreRelation(params['datamodelId'] ?? '', relation, { model }, inverse);
    }
  }
}

/**
 * Returns null for the members that a PATCH has added to a column, since the server keeps the members of a column that
 * a request leaves out.
 */
const nullAddedMembers = (column: JsonObject, sentColumn: JsonObject = {}): JsonObject =>
  mapMembers(sentColumn, (_value, name) => (Object.hasOwn(column, name) ? undefined : null));

const accumulationColumnPath = ['body', 'buildBehavior', 'accumulativeConfig', 'column'] as const;

/**
 * Returns the accumulation settings of a table; `undefined` without an accumulation column (platform-facts.md, 2.4).
 */
export const getAccumulation = (table: JsonObject): JsonObject | undefined => {
  const config = asObject(asObject(table['buildBehavior'])['accumulativeConfig']);
  return getText(config['column']) === '' ? undefined : config;
};

/** Adds the write that restores the accumulation, with the current oid of its column. */
export function restoreAccumulation(
  { params, target }: Pick<Write, 'params' | 'target'>,
  table: JsonObject,
  inverse: InverseWrites,
  uses: Parameters<InverseWrites['add']>[1] = [],
): void {
  const column = getText(getAccumulation(table)?.['column']);
  const id = inverse.getCurrentId(column);
  if (id === undefined) {
    inverse.addLoss({ code: 'needs-build', name: getDocumentName(table) });
    return;
  }
  inverse.add(
    {
      endpoint: 'tables.update',
      params,
      body: { buildBehavior: table['buildBehavior'] ?? null },
      ...(target && { target }),
    },
    [...uses, { into: accumulationColumnPath, id }],
  );
}
