import type { JsonObject, JsonValue } from '../../base/json.ts';
import { ruleSubjectOf } from '../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../contract/datamodel.ts';
import { tableProperties } from '../../contract/table.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { Id, InverseWrites, IdUse } from '../model/inverseWrites.ts';
import { asObject, itemsOf, nameOf, textOf, wholeRelations, without } from '../model/read.ts';
import { relationBack } from './relationBack.ts';
import { missingBack } from './ruleBack.ts';
import { accumulateAgain, accumulationOf } from './tableBack.ts';

/** Brings a deleted table back, and the relations of its columns. */
export function rebuildTable(
  gone: {
    readonly table: JsonObject;
    readonly ids: Readonly<Record<string, string>>;
    readonly model: JsonValue | undefined;
  },
  inverse: InverseWrites,
): void {
  const { table, ids, model } = gone;
  const { datamodelId = '', datasetId = '' } = ids;
  createTable(table, { datamodelId, datasetId }, inverse);
  relationsOf(model, new Set([textOf(table['oid'])])).forEach((relation) =>
    relationBack(datamodelId, relation, { model }, inverse),
  );
}

/** Brings a deleted dataset back, with its tables and the relations of their columns. */
export function rebuildDataset(
  gone: { readonly datasetId: string; readonly datamodelId: string; readonly model: JsonValue | undefined },
  inverse: InverseWrites,
): void {
  const { datasetId, datamodelId, model } = gone;
  const dataset = itemsOf(asObject(model)['datasets']).find(({ oid }) => oid === datasetId);
  if (dataset === undefined) {
    inverse.lose({ code: 'not-identified', name: datasetId });
    return;
  }
  createDataset(dataset, datamodelId, inverse);
  const tables = new Set(tablesOf(dataset).map(({ oid }) => textOf(oid)));
  relationsOf(model, tables).forEach((relation) => relationBack(datamodelId, relation, { model }, inverse));
}

/** Brings a deleted datamodel back, with all that it held and the rules that were bound to it. */
export function rebuildModel(
  model: JsonObject,
  before: readonly ReadDocument[],
  inverse: InverseWrites,
): void {
  const title = nameOf(model);
  const type = textOf(model['type']).toLowerCase() || 'extract';
  const index = inverse.add({ endpoint: 'datamodels.create', params: {}, body: { title, type } });
  const oid = textOf(model['oid']);
  inverse.move(oid, { write: index, from: ['oid'] });
  inverse.lose({ code: 'new-id', name: title });
  inverse.lose({ code: 'settings', name: title });
  for (const dataset of itemsOf(model['datasets'])) {
    createDataset(dataset, oid, inverse);
  }
  for (const relation of wholeRelations(model)) {
    relationBack(oid, relation, { model }, inverse);
  }
  const read = datamodelSchema.safeParse(model).data;
  const subject = read && ruleSubjectOf(read);
  const kept = before.find(({ ref }) => ref.kind === 'rules');
  if (subject !== undefined) {
    missingBack(subject, itemsOf(kept?.document), inverse);
  }
}

const tablesOf = (dataset: JsonObject): readonly JsonObject[] =>
  itemsOf(asObject(dataset['schema'])['tables']);

const relationsOf = (model: JsonValue | undefined, tables: ReadonlySet<string>): readonly JsonObject[] =>
  wholeRelations(model).filter((relation) =>
    itemsOf(relation['columns']).some(({ table }) => tables.has(textOf(table))),
  );

/** Ids of what holds something, which may be as new as itself. */
const holders = (
  ids: Readonly<Record<string, string>>,
  inverse: InverseWrites,
): {
  readonly params: Record<string, string>;
  readonly uses: readonly IdUse[];
} => {
  const params: Record<string, string> = {};
  const uses: IdUse[] = [];
  for (const [name, old] of Object.entries(ids)) {
    const id: Id = inverse.now(old) ?? old;
    params[name] = typeof id === 'string' ? id : '';
    uses.push({ into: ['params', name], id });
  }
  return { params, uses };
};

function createDataset(dataset: JsonObject, datamodelId: string, inverse: InverseWrites): void {
  const { params, uses } = holders({ datamodelId }, inverse);
  const { datamodelId: known = '' } = params;
  const { name = null, type = null, connection, database, schemaName } = dataset;
  const index = inverse.add(
    {
      endpoint: 'datasets.create',
      params,
      body: {
        name,
        type: textOf(type).toLowerCase(),
        ...(connection === undefined || connection === null ? {} : { connection }),
        ...(database === undefined ? {} : { database }),
        ...(schemaName === undefined ? {} : { schemaName }),
      },
      ...(known === '' ? {} : { target: { kind: 'datamodel', datamodelId: known } }),
    },
    uses,
  );
  const oid = textOf(dataset['oid']);
  inverse.move(oid, { write: index, from: ['oid'] });
  inverse.lose({ code: 'new-id', name: nameOf(dataset) });
  if (textOf(asObject(dataset['schedule'])['type']) !== '') {
    inverse.lose({ code: 'settings', name: nameOf(dataset) });
  }
  for (const table of tablesOf(dataset)) {
    createTable(table, { datamodelId, datasetId: oid }, inverse);
  }
}

/**
 * The columns of a base table are sent with it and come back under new oids; those of a custom table are made by the
 * next build (spec, "Table"), so nothing can be said of them before.
 */
function createTable(
  table: JsonObject,
  ids: { readonly datamodelId: string; readonly datasetId: string },
  inverse: InverseWrites,
): void {
  const { params, uses } = holders(ids, inverse);
  const { datamodelId = '', datasetId = '' } = params;
  const isCustom = textOf(table['type']).toLowerCase() === 'custom';
  const accumulates = accumulationOf(table) !== undefined;
  const behaviour = accumulates
    ? { ...asObject(table['buildBehavior']), accumulativeConfig: null }
    : table['buildBehavior'];
  const body = {
    ...Object.fromEntries(
      Object.entries(table).filter(
        ([name, value]) => tableProperties.some((known) => known === name) && value !== null,
      ),
    ),
    ...(behaviour === undefined || behaviour === null ? {} : { buildBehavior: behaviour }),
  };
  const index = inverse.add(
    {
      endpoint: 'tables.create',
      params,
      body: isCustom ? without(body, 'columns') : body,
      ...(datasetId === '' ? {} : { target: { kind: 'dataset', datamodelId, datasetId } }),
    },
    uses,
  );
  const oid = textOf(table['oid']);
  inverse.move(oid, { write: index, from: ['oid'] });
  inverse.lose({ code: 'new-id', name: nameOf(table) });
  for (const column of itemsOf(table['columns'])) {
    const made = { write: index, from: ['columns', nameOf(column), 'oid'] };
    inverse.move(textOf(column['oid']), isCustom ? undefined : made);
  }
  if (accumulates) {
    const made = { into: ['params', 'tableId'], id: { write: index, from: ['oid'] } } as const;
    accumulateAgain({ params: { ...params, tableId: '' } }, table, inverse, [...uses, made]);
  }
}
