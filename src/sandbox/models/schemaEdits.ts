import type { JsonObject } from '../../base/json.ts';
import { parseDocument } from '../documents.ts';
import { createNotFoundProblem } from '../problem.ts';
import type { DatamodelSummary } from '../store/datamodelStore.ts';
import { type EditContext, getTimestamp } from '../editContext.ts';
import { markDroppedEnds } from './relationDocument.ts';

/** @throws HttpProblem 404 (platform-facts.md, 2.7). */
export function requireDatamodel({ store }: EditContext, oid: string): DatamodelSummary {
  const summary = store.datamodels.find(oid);
  if (summary === undefined) {
    throw createNotFoundProblem('The datamodel', oid);
  }
  return summary;
}

/**
 * Returns the datamodel of a dataset.
 * @throws HttpProblem 404 that names the datamodel or the dataset, whichever is missing.
 */
export function requireDatamodelOfDataset(
  context: EditContext,
  datamodelOid: string,
  oid: string,
): DatamodelSummary {
  const summary = requireDatamodel(context, datamodelOid);
  if (!context.store.datasets.has(datamodelOid, oid)) {
    throw createNotFoundProblem('The dataset', oid);
  }
  return summary;
}

/**
 * Returns the dataset without its tables.
 * @throws HttpProblem 404 that names the datamodel or the dataset, whichever is missing.
 */
export function requireDatasetWithoutTables(
  context: EditContext,
  datamodelOid: string,
  oid: string,
): JsonObject {
  requireDatamodelOfDataset(context, datamodelOid, oid);
  return context.store.datasets.getWithoutTables(datamodelOid, oid) ?? {};
}

/**
 * Returns the table as JSON text.
 * @throws HttpProblem 404 that names the missing datamodel, dataset or table.
 */
export function requireTable(
  context: EditContext,
  datamodelOid: string,
  datasetOid: string,
  oid: string,
): string {
  const table = context.store.tables.getText({ datamodel: datamodelOid, dataset: datasetOid, table: oid });
  if (table === undefined) {
    requireDatamodelOfDataset(context, datamodelOid, datasetOid);
    throw createNotFoundProblem('The table', oid);
  }
  return table;
}

/** Runs an edit of a datamodel's schema as one transaction, and updates the datamodel's `lastUpdated`. */
export function editSchema<T>({ store, clock }: EditContext, datamodelOid: string, edit: () => T): T {
  return store.transaction(() => {
    const result = edit();
    store.datamodels.update(datamodelOid, { lastUpdated: getTimestamp(clock) });
    return result;
  });
}

/**
 * Like {@link editSchema}, for an edit that may remove columns of the table or dataset with the oid `containerOid`.
 * Relations that lost a column are kept and marked, until a client of the API deletes them (rest-api.md, "Datamodel
 * API" 4).
 */
export function editColumns<T>(
  context: EditContext,
  datamodelOid: string,
  containerOid: string,
  edit: () => T,
): T {
  const { store } = context;
  return editSchema(context, datamodelOid, () => {
    const result = edit();
    // Only relations whose text contains the oid can refer to the table or dataset, so the others needn't be parsed.
    const candidates = store.relations.getTexts(datamodelOid).filter((text) => text.includes(containerOid));
    for (const relation of candidates.map(parseDocument)) {
      const marked = markDroppedEnds(relation, (address) => store.tables.hasColumn(datamodelOid, address));
      if (marked !== relation) {
        store.relations.update(marked);
      }
    }
    return result;
  });
}
