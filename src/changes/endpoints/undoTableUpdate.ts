import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Write } from '../model/operation.ts';
import type { InverseWrites } from '../model/inverseWrites.ts';
import {
  asObject,
  getObjects,
  getDocumentName,
  getText,
  getCompleteRelations,
  omitMembers,
} from '../model/readJson.ts';
import { restoreRelation } from './undoRelationWrites.ts';

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
  const names = Object.keys(asObject(body));
  const currentTable = asObject(target && inverse.getDocument(target));
  const currentOids = new Set(getObjects(currentTable['columns']).map(({ oid }) => oid));
  const columns = getObjects(oldTable['columns']);
  const lostColumns = names.includes('columns')
    ? columns.filter(({ oid }) => oid && !currentOids.has(oid))
    : [];
  const oldValues = Object.fromEntries(names.map((name) => [name, oldTable[name] ?? null]));
  const accumulatesByLostColumn = lostColumns.some(
    ({ oid }) => oid === getAccumulation(oldTable)?.['column'],
  );
  const payload = {
    ...oldValues,
    ...(names.includes('columns')
      ? {
          columns: columns.map((column) =>
            lostColumns.includes(column) ? omitMembers(column, 'oid') : column,
          ),
        }
      : {}),
  };
  const index = inverse.add({
    endpoint: 'tables.update',
    params,
    body: accumulatesByLostColumn ? omitMembers(payload, 'buildBehavior') : payload,
    ...(target && { target }),
  });
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
    [...uses, { into: ['body', 'buildBehavior', 'accumulativeConfig', 'column'], id }],
  );
}
