import type { JsonObject } from '../../base/json.ts';
import { parseDocument } from '../documents.ts';
import { createNotFoundProblem } from '../problem.ts';
import type { DatamodelHead } from '../store/datamodelStore.ts';
import { type EditContext, getTimestamp } from '../context.ts';
import { markDroppedEnds } from './relationDocument.ts';

/** @throws HttpProblem 404 (platform-facts.md, 2.7). */
export function requireDatamodel({ store }: EditContext, oid: string): DatamodelHead {
  const head = store.datamodels.find(oid);
  if (head === undefined) {
    throw createNotFoundProblem('The datamodel', oid);
  }
  return head;
}

/**
 * Returns the datamodel of a dataset.
 * @throws HttpProblem 404 that names the datamodel or the dataset, whichever is missing.
 */
export function requireDataset(context: EditContext, datamodel: string, oid: string): DatamodelHead {
  const head = requireDatamodel(context, datamodel);
  if (!context.store.datasets.has(datamodel, oid)) {
    throw createNotFoundProblem('The dataset', oid);
  }
  return head;
}

/** Returns the dataset without its tables. Throws like {@link requireDataset}. */
export function getDatasetHead(context: EditContext, datamodel: string, oid: string): JsonObject {
  requireDataset(context, datamodel, oid);
  return context.store.datasets.getHead(datamodel, oid) ?? {};
}

/**
 * Returns the table as JSON text.
 * @throws HttpProblem 404 that names the missing datamodel, dataset or table.
 */
export function requireTable(context: EditContext, datamodel: string, dataset: string, oid: string): string {
  requireDataset(context, datamodel, dataset);
  const table = context.store.tables.getText(dataset, oid);
  if (table === undefined) {
    throw createNotFoundProblem('The table', oid);
  }
  return table;
}

/** Runs an edit of a datamodel's schema as one transaction, and updates the datamodel's `lastUpdated`. */
export function editSchema<T>({ store, clock }: EditContext, datamodel: string, edit: () => T): T {
  return store.transaction(() => {
    const result = edit();
    store.datamodels.update(datamodel, { lastUpdated: getTimestamp(clock) });
    return result;
  });
}

/**
 * Like {@link editSchema}, for an edit that may remove columns of the table or dataset with the oid `containerOid`.
 * Marks the relations that lost a column; the caller must remove them (rest-api.md, "Datamodel API" 4).
 */
export function editColumns<T>(context: EditContext, datamodel: string, owner: string, edit: () => T): T {
  const { store } = context;
  return editSchema(context, datamodel, () => {
    const result = edit();
    const concerned = store.relations.getTexts(datamodel).filter((text) => text.includes(owner));
    for (const relation of concerned.map(parseDocument)) {
      const marked = markDroppedEnds(relation, (address) => store.tables.hasColumn(datamodel, address));
      if (marked !== relation) {
        store.relations.update(marked);
      }
    }
    return result;
  });
}
