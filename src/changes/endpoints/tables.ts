import { type JsonObject, isJsonObject } from '../../base/json.ts';
import { sortByText } from '../../base/sortByText.ts';
import { createTableChangePayload } from '../../client/payloads/modelPayloads.ts';
import { tableProperties, tableSchema } from '../../contract/table.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';
import { createColumnSubject, createTableSubject } from '../model/planSubjects.ts';
import { maskConnectorDocument } from '../../base/secrets/maskSecrets.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import type { VerifyContext, Versions, WriteKinds } from '../model/writeKind.ts';
import { createCreationKind } from './creation.ts';
import { toCreatedEffects, toDeletedEffects, createNewSubject } from './effects.ts';
import { getDatamodelRef, readDocuments } from './readDocuments.ts';
import { restoreTable } from './restoreDeleted.ts';
import { matchesStored, everyField, isSameSql } from './matchesStored.ts';
import { getDatamodelCatalogChanges } from './datamodelCatalogChanges.ts';
import { getObjectBody, getPathParams } from './requestParts.ts';
import { notHappenedOutcome, verifyChange, verifyDeletion, unknownOutcome } from './verifyWrites.ts';
import { parseOptional, withTablesOfDataset } from './snapshots.ts';
import { undoTableUpdate } from './undoTableUpdate.ts';
import {
  applyTableChange,
  deletesColumns,
  getColumnSettings,
  isCustomColumn,
  matchesColumns,
  matchesGeneratedColumns,
  withNewIds,
} from './tableColumns.ts';
import { getTableEffects } from './tableEffects.ts';
import { getTableReach } from './tableReach.ts';
import { createTableDeletionWrite } from '../model/tableWrites.ts';

/** The writes of tables (rest-api.md, "Table"). */
export const tableKinds: WriteKinds<'tables'> = {
  'tables.create': createCreationKind({
    idField: 'oid',
    needsBuild: true,
    getRef: (tableId, { datamodelId = '', datasetId = '' }) => ({
      kind: 'table',
      datamodelId,
      datasetId,
      tableId,
    }),
    createDeletionWrite: (tableId, { datamodelId = '', datasetId = '' }) =>
      createTableDeletionWrite({ datamodelId, datasetId, tableId }),
    send: (client, write) =>
      client.tables.create(getPathParams<'tables.create'>(write), getObjectBody(write)),
    list: async (client, write) => (await client.tables.list(getPathParams<'tables.create'>(write))).json,
    getEffects: (write, sources) => toCreatedEffects(createNewSubject('table', write, sources)),
    applyToSnapshot: (state, { params, body }, newId) => {
      const payload = asObject(body);
      const newTables = parseOptional(tableSchema, {
        ...payload,
        columns: withNewIds(payload, newId),
        oid: newId,
      });
      return withTablesOfDataset(state, params, (tables) => [...tables, ...newTables]);
    },
    getCatalogChanges: getDatamodelCatalogChanges,
  }),
  'tables.update': {
    action: 'update',
    needsBuild: true,
    send: (client, write) =>
      client.tables.update(getPathParams<'tables.update'>(write), getObjectBody(write)),
    readBefore: async (write, reader) => {
      const [table] = await readDocuments(reader, [write.target]);
      const datamodelDocuments = deletesColumns(write, table?.document)
        ? await readDocuments(reader, [getDatamodelRef(write.target)])
        : [];
      return table === undefined ? [] : [table, ...datamodelDocuments];
    },
    verifyOutcome: (write, context) =>
      write.target === undefined
        ? verifyUpdateOfNewTable(write, context)
        : verifyChange(write, context, matchesTable),
    matchesRequest: matchesTable,
    omitGenerated: (write, table, { previous, other }) =>
      generatesColumns(write, previous) && 'columns' in table
        ? { ...table, ...omitGeneratedColumns(write, table, other) }
        : table,
    addInverse: (write, { oldDocument, model }, inverse) => {
      // Without a target, the operation itself created the table, and its undo deletes it.
      if (write.target !== undefined) {
        undoTableUpdate(write, { oldTable: asObject(oldDocument), model }, inverse);
      }
    },
    getEffects: getTableEffects,
    applyToSnapshot: async (state, { params, body }, newId) => {
      const { datamodelId, datasetId, tableId } = params;
      const model = state.datamodels.find(({ oid }) => oid === datamodelId);
      const dataset = model?.datasets?.find(({ oid }) => oid === datasetId);
      const storedTable = dataset?.schema?.tables?.find(({ oid }) => oid === tableId);
      const changedTable = storedTable && (await applyTableChange(storedTable, asObject(body), newId));
      return withTablesOfDataset(state, params, (tables) =>
        tables.map((table) => (changedTable !== undefined && table.oid === tableId ? changedTable : table)),
      );
    },
    getReach: getTableReach,
    getCatalogChanges: getDatamodelCatalogChanges,
  },
  'tables.delete': {
    action: 'delete',
    needsBuild: true,
    send: (client, write) => client.tables.delete(getPathParams<'tables.delete'>(write)),
    readBefore: ({ target }, reader) => readDocuments(reader, [target, getDatamodelRef(target)]),
    verifyOutcome: verifyDeletion,
    addInverse: (write, { oldDocument, model }, inverse) => {
      const { target, params } = write;
      const table = asObject(oldDocument);
      if (target === undefined || inverse.getDocument(target) === undefined) {
        restoreTable({ table, ids: params, model }, inverse);
        return;
      }
      // The table exists again under the same ID, so its content is restored.
      const fields = tableProperties.flatMap((name) =>
        table[name] === undefined ? [] : [[name, table[name]] as const],
      );
      undoTableUpdate({ ...write, body: Object.fromEntries(fields) }, { oldTable: table, model }, inverse);
    },
    getEffects: ({ params: { tableId = '' } }, { oldIndex }) => {
      const table = oldIndex?.getTable(tableId);
      return oldIndex === undefined || table === undefined
        ? toDeletedEffects()
        : toDeletedEffects(
            createTableSubject(table, oldIndex),
            ...table.columns.map((column) => createColumnSubject(column, oldIndex)),
          );
    },
    applyToSnapshot: (state, { params }) =>
      withTablesOfDataset(state, params, (tables) => tables.filter(({ oid }) => oid !== params['tableId'])),
    getReach: () => 'rules and viewpoints',
    getCatalogChanges: getDatamodelCatalogChanges,
  },
};

function matchesTable(write: Write, { current, previous }: Versions): boolean {
  const compareColumns = generatesColumns(write, previous) ? matchesGeneratedColumns : matchesColumns;
  return everyField(
    asObject(maskConnectorDocument(createTableChangePayload(asObject(write.body)))),
    (name, value) => {
      if (name === 'columns' && Array.isArray(value)) {
        return compareColumns(
          getObjects(value),
          getObjects(current['columns']),
          getObjects(previous['columns']),
        );
      }
      return name === 'expression'
        ? isSameSql(value, current['expression'])
        : matchesStored(value, current[name] ?? null, previous[name]);
    },
  );
}

/**
 * Returns whether a write changes the SQL of a custom table, from which its columns are generated (rest-api.md,
 * "Table").
 */
const generatesColumns = ({ body }: Write, previous: JsonObject): boolean =>
  isJsonObject(body) &&
  'expression' in body &&
  getText(previous['type']).toLowerCase() === 'custom' &&
  !isSameSql(body['expression'] ?? null, previous['expression']);

/**
 * Returns the custom columns of a table, without its generated columns. If the write has sent columns, also returns the
 * settings of those generated columns that the other version has too, since the undo of the write sends their earlier
 * settings.
 */
function omitGeneratedColumns({ body }: Write, table: JsonObject, other: JsonObject): JsonObject {
  const columns = getObjects(table['columns']);
  const otherOids = new Set(getObjects(other['columns']).map(({ oid }) => oid));
  const isCompared = ({ oid }: JsonObject): boolean => 'columns' in asObject(body) && otherOids.has(oid);
  return {
    columns: columns.filter(isCustomColumn),
    columnSettings: [
      // Settings that an earlier call has added, for another write of the same table.
      ...getObjects(table['columnSettings']),
      ...sortByText(
        columns.filter((column) => !isCustomColumn(column) && isCompared(column)).map(getColumnSettings),
        ({ oid }) => getText(oid),
      ),
    ],
  };
}

/**
 * Verifies a change of a table that the same operation created. There is no earlier version, so if the table doesn't
 * show the change, it did not happen.
 */
async function verifyUpdateOfNewTable(write: Write, { client }: VerifyContext): Promise<WriteOutcome> {
  const { datamodelId = '', datasetId = '', tableId = '' } = write.params;
  const current = asObject(
    await new DocumentReader(client).readDocument({ kind: 'table', datamodelId, datasetId, tableId }),
  );
  if (Object.keys(current).length === 0) {
    return unknownOutcome;
  }
  return matchesTable(write, { current, previous: {} })
    ? { state: 'happened', response: current }
    : notHappenedOutcome;
}
