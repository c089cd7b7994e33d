import type { JsonObject, JsonValue } from '../../base/json.ts';
import { getRuleSubject } from '../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../contract/datamodel.ts';
import { tableProperties } from '../../contract/table.ts';
import type { IdOrOutput, UndoWrites, IdUse } from '../model/undoWrites.ts';
import {
  asObject,
  getObjects,
  getDocumentName,
  getText,
  getCompleteRelations,
  hasColumnSettings,
  omitMembers,
} from '../model/jsonMembers.ts';
import { restoreRelation } from './restoreRelation.ts';
import { restoreMissingRules } from './restoreMissingRules.ts';
import { restoreAccumulation, getAccumulation } from './undoTableUpdate.ts';

/** Adds the writes that restore a deleted table and the relations of its columns. */
export function restoreTable(
  deleted: {
    readonly table: JsonObject;
    readonly ids: Readonly<Record<string, string>>;
    readonly model: JsonValue | undefined;
  },
  undoWrites: UndoWrites,
): void {
  const { table, ids, model } = deleted;
  const { datamodelId = '', datasetId = '' } = ids;
  addTableCreation(table, { datamodelId, datasetId }, undoWrites);
  getRelations(model, new Set([getText(table['oid'])])).forEach((relation) =>
    restoreRelation(datamodelId, relation, { model }, undoWrites),
  );
}

/** Adds the writes that restore a deleted dataset with its tables and the relations of their columns. */
export function restoreDataset(
  deleted: {
    readonly datasetId: string;
    readonly datamodelId: string;
    readonly model: JsonValue | undefined;
  },
  undoWrites: UndoWrites,
): void {
  const { datasetId, datamodelId, model } = deleted;
  const dataset = getObjects(asObject(model)['datasets']).find(({ oid }) => oid === datasetId);
  if (dataset === undefined) {
    undoWrites.addLoss({ code: 'not-identified', name: datasetId });
    return;
  }
  addDatasetCreation(dataset, datamodelId, undoWrites);
  const tableIds = new Set(getTables(dataset).map(({ oid }) => getText(oid)));
  getRelations(model, tableIds).forEach((relation) =>
    restoreRelation(datamodelId, relation, { model }, undoWrites),
  );
}

/** Adds the writes that restore a deleted datamodel with all its contents and its rules. */
export function restoreDatamodel(
  model: JsonObject,
  rules: readonly JsonObject[],
  undoWrites: UndoWrites,
): void {
  const title = getDocumentName(model);
  const type = getText(model['type']).toLowerCase() || 'extract';
  const index = undoWrites.add({ endpoint: 'datamodels.create', params: {}, body: { title, type } });
  const oid = getText(model['oid']);
  undoWrites.addRestoredId(oid, { write: index, from: ['oid'] });
  undoWrites.addLoss({ code: 'new-id', name: title });
  undoWrites.addLoss({ code: 'settings', name: title });
  for (const dataset of getObjects(model['datasets'])) {
    addDatasetCreation(dataset, oid, undoWrites);
  }
  for (const relation of getCompleteRelations(model)) {
    restoreRelation(oid, relation, { model }, undoWrites);
  }
  const parsed = datamodelSchema.safeParse(model).data;
  const subject = parsed && getRuleSubject(parsed);
  if (subject !== undefined) {
    restoreMissingRules(subject, rules, undoWrites);
  }
}

const getTables = (dataset: JsonObject): readonly JsonObject[] =>
  getObjects(asObject(dataset['schema'])['tables']);

const getRelations = (model: JsonValue | undefined, tableIds: ReadonlySet<string>): readonly JsonObject[] =>
  getCompleteRelations(model).filter((relation) =>
    getObjects(relation['columns']).some(({ table }) => tableIds.has(getText(table))),
  );

/** Returns the current IDs of the containers; for restored ones, references to the responses that contain their IDs. */
const getCurrentContainerIds = (
  ids: Readonly<Record<string, string>>,
  undoWrites: UndoWrites,
): {
  readonly params: Record<string, string>;
  readonly uses: readonly IdUse[];
} => {
  const params: Record<string, string> = {};
  const uses: IdUse[] = [];
  for (const [name, oldId] of Object.entries(ids)) {
    const id: IdOrOutput = undoWrites.getCurrentId(oldId) ?? oldId;
    params[name] = typeof id === 'string' ? id : '';
    uses.push({ into: ['params', name], id });
  }
  return { params, uses };
};

function addDatasetCreation(dataset: JsonObject, datamodelId: string, undoWrites: UndoWrites): void {
  const { params, uses } = getCurrentContainerIds({ datamodelId }, undoWrites);
  const { datamodelId: currentModelId = '' } = params;
  const { name = null, type = null, connection, database, schemaName } = dataset;
  const index = undoWrites.add(
    {
      endpoint: 'datasets.create',
      params,
      body: {
        name,
        type: getText(type).toLowerCase(),
        ...(connection === undefined || connection === null ? {} : { connection }),
        ...(database === undefined ? {} : { database }),
        ...(schemaName === undefined ? {} : { schemaName }),
      },
      ...(currentModelId === '' ? {} : { target: { kind: 'datamodel', datamodelId: currentModelId } }),
    },
    uses,
  );
  const oid = getText(dataset['oid']);
  undoWrites.addRestoredId(oid, { write: index, from: ['oid'] });
  undoWrites.addLoss({ code: 'new-id', name: getDocumentName(dataset) });
  if (getText(asObject(dataset['schedule'])['type']) !== '') {
    undoWrites.addLoss({ code: 'settings', name: getDocumentName(dataset) });
  }
  for (const table of getTables(dataset)) {
    addTableCreation(table, { datamodelId, datasetId: oid }, undoWrites);
  }
}

/**
 * Adds the writes that create a table again. The columns of a base table are sent with it and get new oids; those of a
 * custom table are created by the next build (rest-api.md, "Table"), so their oids are unknown until then.
 */
function addTableCreation(
  table: JsonObject,
  ids: { readonly datamodelId: string; readonly datasetId: string },
  undoWrites: UndoWrites,
): void {
  const { params, uses } = getCurrentContainerIds(ids, undoWrites);
  const { datamodelId = '', datasetId = '' } = params;
  const isCustom = getText(table['type']).toLowerCase() === 'custom';
  const hasAccumulation = getAccumulation(table) !== undefined;
  const behavior = hasAccumulation
    ? { ...asObject(table['buildBehavior']), accumulativeConfig: null }
    : table['buildBehavior'];
  const body = {
    ...Object.fromEntries(
      Object.entries(table).filter(
        ([name, value]) => tableProperties.some((property) => property === name) && value !== null,
      ),
    ),
    ...(behavior === undefined || behavior === null ? {} : { buildBehavior: behavior }),
  };
  const index = undoWrites.add(
    {
      endpoint: 'tables.create',
      params,
      body: isCustom ? omitMembers(body, 'columns') : body,
      ...(datasetId === '' ? {} : { target: { kind: 'dataset', datamodelId, datasetId } }),
    },
    uses,
  );
  const oid = getText(table['oid']);
  undoWrites.addRestoredId(oid, { write: index, from: ['oid'] });
  undoWrites.addLoss({ code: 'new-id', name: getDocumentName(table) });
  for (const column of getObjects(table['columns'])) {
    const newColumnId = { write: index, from: ['columns', getDocumentName(column), 'oid'] };
    undoWrites.addRestoredId(getText(column['oid']), isCustom ? undefined : newColumnId);
    if (isCustom && hasColumnSettings(column)) {
      const name = `${getDocumentName(table)}.${getDocumentName(column)}`;
      undoWrites.addLoss({ code: 'column-settings', name });
    }
  }
  if (hasAccumulation) {
    const newTableId = { into: ['params', 'tableId'], id: { write: index, from: ['oid'] } } as const;
    restoreAccumulation({ params: { ...params, tableId: '' } }, table, undoWrites, [...uses, newTableId]);
  }
}
