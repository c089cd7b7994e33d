import { tableChangePayload } from '../../client/payloads/modelPayloads.ts';
import { tableProperties, tableSchema } from '../../contract/table.ts';
import { asObject, getObjects } from '../model/readJson.ts';
import { createColumnSubject, createTableSubject } from '../model/subjects.ts';
import { maskSecrets } from '../../base/secrets/maskSecrets.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import type { VerifyContext, Versions, WriteKinds } from '../model/writeKind.ts';
import { createCreationKind } from './creation.ts';
import { createdEffects, deletedEffects, createNewSubject } from './effects.ts';
import { getDatamodelRef, readDocuments } from './readDocuments.ts';
import { restoreTable } from './restoreDeleted.ts';
import { matchesStored, everyField, sqlEquals } from './matching.ts';
import { getDatamodelChanges, getObjectBody, getPathParams } from './requestParts.ts';
import { notHappened, verifyChange, verifyDeletion, unknownOutcome } from './verifyOutcome.ts';
import { parseValues, withTablesOfDataset } from './snapshots.ts';
import { undoTableUpdate } from './undoTableUpdate.ts';
import { applyTableChange, dropsColumns, withNewIds, matchesColumns } from './tableColumns.ts';
import { getTableEffects } from './tableEffects.ts';
import { getTableReach } from './tableReach.ts';
import { tableDeletion } from '../model/tableWrites.ts';

/** The writes of tables (rest-api.md, "Table"). */
export const tableKinds: WriteKinds<'tables'> = {
  'tables.create': createCreationKind({
    id: 'oid',
    needsBuild: true,
    getRef: (tableId, { datamodelId = '', datasetId = '' }) => ({
      kind: 'table',
      datamodelId,
      datasetId,
      tableId,
    }),
    createDeletion: (tableId, { datamodelId = '', datasetId = '' }) =>
      tableDeletion({ datamodelId, datasetId, tableId }),
    send: (client, write, signal) =>
      client.tables.create(getPathParams<'tables.create'>(write), getObjectBody(write), signal),
    list: async (client, write) => (await client.tables.list(getPathParams<'tables.create'>(write))).json,
    getEffects: (write, sources) => createdEffects(createNewSubject('table', write, sources)),
    after: (state, { params, body }, newId) => {
      const sent = asObject(body);
      const made = parseValues(tableSchema, { ...sent, columns: withNewIds(sent, newId), oid: newId });
      return withTablesOfDataset(state, params, (tables) => [...tables, ...made]);
    },
    getCatalogChanges: getDatamodelChanges,
  }),
  'tables.update': {
    action: 'update',
    needsBuild: true,
    send: (client, write, signal) =>
      client.tables.update(getPathParams<'tables.update'>(write), getObjectBody(write), signal),
    readBefore: async (write, reader) => {
      const [table] = await readDocuments(reader, [write.target]);
      const rest = dropsColumns(write, table?.document)
        ? await readDocuments(reader, [getDatamodelRef(write.target)])
        : [];
      return table === undefined ? [] : [table, ...rest];
    },
    verifyOutcome: (write, look) =>
      write.target === undefined ? verifyOwnTable(write, look) : verifyChange(write, look, matchesTable),
    matchesRequest: matchesTable,
    addInverse: (write, { old, model }, inverse) =>
      undoTableUpdate(write, { old: asObject(old), model }, inverse),
    getEffects: getTableEffects,
    applyToSnapshot: async (state, { params, body }, newId) => {
      const { datamodelId, datasetId, tableId } = params;
      const model = state.datamodels.find(({ oid }) => oid === datamodelId);
      const dataset = model?.datasets?.find(({ oid }) => oid === datasetId);
      const known = dataset?.schema?.tables?.find(({ oid }) => oid === tableId);
      const next = known && (await applyTableChange(known, asObject(body), newId));
      return withTablesOfDataset(state, params, (tables) =>
        tables.map((table) => (next !== undefined && table.oid === tableId ? next : table)),
      );
    },
    getReach: getTableReach,
    getCatalogChanges: getDatamodelChanges,
  },
  'tables.delete': {
    action: 'delete',
    needsBuild: true,
    send: (client, write, signal) => client.tables.delete(getPathParams<'tables.delete'>(write), signal),
    readBefore: ({ target }, reader) => readDocuments(reader, [target, getDatamodelRef(target)]),
    verifyOutcome: verifyDeletion,
    addInverse: (write, { old, model }, inverse) => {
      const { target, params } = write;
      const table = asObject(old);
      if (target === undefined || inverse.getDocument(target) === undefined) {
        restoreTable({ table, ids: params, model }, inverse);
        return;
      }
      // The table exists again under the same ID, so its content is restored.
      const fields = tableProperties.flatMap((name) =>
        table[name] === undefined ? [] : [[name, table[name]] as const],
      );
      undoTableUpdate({ ...write, body: Object.fromEntries(fields) }, { old: table, model }, inverse);
    },
    getEffects: ({ params: { tableId = '' } }, { now }) => {
      const table = now?.table(tableId);
      return now === undefined || table === undefined
        ? deletedEffects()
        : deletedEffects(
            createTableSubject(table, now),
            ...table.columns.map((column) => createColumnSubject(column, now)),
          );
    },
    applyToSnapshot: (state, { params }) =>
      withTablesOfDataset(state, params, (tables) => tables.filter(({ oid }) => oid !== params['tableId'])),
    getReach: () => 'rules and viewpoints',
    getCatalogChanges: getDatamodelChanges,
  },
};

function matchesTable({ body }: Write, { now, old }: Versions): boolean {
  return everyField(asObject(maskSecrets(tableChangePayload(asObject(body)))), (name, sent) => {
    if (name === 'columns' && Array.isArray(sent)) {
      return matchesColumns(getObjects(sent), getObjects(now['columns']), getObjects(old['columns']));
    }
    return name === 'expression'
      ? sqlEquals(sent, now['expression'])
      : matchesStored(sent, now[name] ?? null, old[name]);
  });
}

/**
 * Verifies a change of a table that the same operation created. There is no earlier version, so if the table doesn't
 * show the change, it did not happen.
 */
async function verifyOwnTable(write: Write, { client }: VerifyContext): Promise<WriteOutcome> {
  const { datamodelId = '', datasetId = '', tableId = '' } = write.params;
  const now = asObject(
    await new DocumentReader(client).document({ kind: 'table', datamodelId, datasetId, tableId }),
  );
  if (Object.keys(now).length === 0) {
    return unknownOutcome;
  }
  return matchesTable(write, { now, old: {} }) ? { state: 'happened', answer: now } : notHappened;
}
