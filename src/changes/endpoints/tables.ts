import { tableChangePayload } from '../../client/payloads/modelPayloads.ts';
import { tableProperties, tableSchema } from '../../contract/table.ts';
import { asObject, itemsOf } from '../model/read.ts';
import { columnSubject, tableSubject } from '../model/subjects.ts';
import { maskSecrets } from '../../base/secrets/maskSecrets.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import type { Settled } from '../model/settled.ts';
import type { Look, Versions, WriteKinds } from '../model/writeKind.ts';
import { creation } from './creation.ts';
import { created, deleted, newSubject } from './effects.ts';
import { modelOf, readAll } from './reading.ts';
import { rebuildTable } from './rebuild.ts';
import { agrees, everyField, sameSql } from './sayings.ts';
import { affectsDatamodel, objectBody, pathNames } from './sending.ts';
import { notHappened, settleChange, settleDeletion, unknown } from './settling.ts';
import { parsed, withTablesOf } from './snapshots.ts';
import { tableBack } from './tableBack.ts';
import { changedTable, dropsColumns, newColumns, saysColumns } from './tableColumns.ts';
import { tableEffects } from './tableEffects.ts';
import { reachOfTable } from './tableReach.ts';
import { tableDeletion } from '../model/tableWrites.ts';

/** The writes of tables (spec, "Table"). */
export const tableKinds: WriteKinds<'tables'> = {
  'tables.create': creation({
    id: 'oid',
    needsBuild: true,
    refOf: (tableId, { datamodelId = '', datasetId = '' }) => ({
      kind: 'table',
      datamodelId,
      datasetId,
      tableId,
    }),
    deletionOf: (tableId, { datamodelId = '', datasetId = '' }) =>
      tableDeletion({ datamodelId, datasetId, tableId }),
    send: (client, write, signal) =>
      client.tables.create(pathNames<'tables.create'>(write), objectBody(write), signal),
    list: async (client, write) => (await client.tables.list(pathNames<'tables.create'>(write))).json,
    effects: (write, sources) => created(newSubject('table', write, sources)),
    after: (state, { params, body }, newId) => {
      const sent = asObject(body);
      const made = parsed(tableSchema, { ...sent, columns: newColumns(sent, newId), oid: newId });
      return withTablesOf(state, params, (tables) => [...tables, ...made]);
    },
    affects: affectsDatamodel,
  }),
  'tables.update': {
    action: 'update',
    needsBuild: true,
    send: (client, write, signal) =>
      client.tables.update(pathNames<'tables.update'>(write), objectBody(write), signal),
    before: async (write, reader) => {
      const [table] = await readAll(reader, [write.target]);
      const rest = dropsColumns(write, table?.document) ? await readAll(reader, [modelOf(write.target)]) : [];
      return table === undefined ? [] : [table, ...rest];
    },
    settle: (write, look) =>
      write.target === undefined ? settleOwnTable(write, look) : settleChange(write, look, saysTable),
    says: saysTable,
    back: (write, { old, model }, inverse) => tableBack(write, { old: asObject(old), model }, inverse),
    effects: tableEffects,
    after: async (state, { params, body }, newId) => {
      const { datamodelId, datasetId, tableId } = params;
      const model = state.datamodels.find(({ oid }) => oid === datamodelId);
      const dataset = model?.datasets?.find(({ oid }) => oid === datasetId);
      const known = dataset?.schema?.tables?.find(({ oid }) => oid === tableId);
      const next = known && (await changedTable(known, asObject(body), newId));
      return withTablesOf(state, params, (tables) =>
        tables.map((table) => (next !== undefined && table.oid === tableId ? next : table)),
      );
    },
    reach: reachOfTable,
    affects: affectsDatamodel,
  },
  'tables.delete': {
    action: 'delete',
    needsBuild: true,
    send: (client, write, signal) => client.tables.delete(pathNames<'tables.delete'>(write), signal),
    before: ({ target }, reader) => readAll(reader, [target, modelOf(target)]),
    settle: settleDeletion,
    back: (write, { old, model }, inverse) => {
      const { target, params } = write;
      const table = asObject(old);
      if (target === undefined || inverse.present(target) === undefined) {
        rebuildTable({ table, ids: params, model }, inverse);
        return;
      }
      // Somebody has made it again under its own id: it gets back what it said.
      const fields = tableProperties.flatMap((name) =>
        table[name] === undefined ? [] : [[name, table[name]] as const],
      );
      tableBack({ ...write, body: Object.fromEntries(fields) }, { old: table, model }, inverse);
    },
    effects: ({ params: { tableId = '' } }, { now }) => {
      const table = now?.table(tableId);
      return now === undefined || table === undefined
        ? deleted()
        : deleted(tableSubject(table, now), ...table.columns.map((column) => columnSubject(column, now)));
    },
    after: (state, { params }) =>
      withTablesOf(state, params, (tables) => tables.filter(({ oid }) => oid !== params['tableId'])),
    reach: () => 'rules and viewpoints',
    affects: affectsDatamodel,
  },
};

function saysTable({ body }: Write, { now, old }: Versions): boolean {
  return everyField(asObject(maskSecrets(tableChangePayload(asObject(body)))), (name, sent) => {
    if (name === 'columns' && Array.isArray(sent)) {
      return saysColumns(itemsOf(sent), itemsOf(now['columns']), itemsOf(old['columns']));
    }
    return name === 'expression'
      ? sameSql(sent, now['expression'])
      : agrees(sent, now[name] ?? null, old[name]);
  });
}

/** A table that the same operation has made: of before there is nothing, and what it does not say yet was not done. */
async function settleOwnTable(write: Write, { client }: Look): Promise<Settled> {
  const { datamodelId = '', datasetId = '', tableId = '' } = write.params;
  const now = asObject(
    await new DocumentReader(client).document({ kind: 'table', datamodelId, datasetId, tableId }),
  );
  if (Object.keys(now).length === 0) {
    return unknown;
  }
  return saysTable(write, { now, old: {} }) ? { state: 'happened', answer: now } : notHappened;
}
