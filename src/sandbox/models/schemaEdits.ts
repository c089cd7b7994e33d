import type { JsonObject } from '../../base/json.ts';
import { parseDocument } from '../documents.ts';
import { notFound } from '../problem.ts';
import type { DatamodelHead } from '../store/datamodelStore.ts';
import { type Context, timestamp } from '../context.ts';
import { withDroppedEnds } from './relationDocument.ts';

/** @throws HttpProblem 404 (platform-facts 2.7, "unknown id"). */
export function requireDatamodel({ store }: Context, oid: string): DatamodelHead {
  const head = store.datamodels.find(oid);
  if (head === undefined) {
    throw notFound('The datamodel', oid);
  }
  return head;
}

/**
 * The datamodel of a dataset.
 * @throws HttpProblem 404 that names the datamodel or the dataset, whichever is missing.
 */
export function requireDataset(held: Context, datamodel: string, oid: string): DatamodelHead {
  const head = requireDatamodel(held, datamodel);
  if (!held.store.datasets.has(datamodel, oid)) {
    throw notFound('The dataset', oid);
  }
  return head;
}

/** The dataset without its tables. Throws as {@link requireDataset}. */
export function datasetHead(held: Context, datamodel: string, oid: string): JsonObject {
  requireDataset(held, datamodel, oid);
  return held.store.datasets.head(datamodel, oid) ?? {};
}

/**
 * The table as JSON text.
 * @throws HttpProblem 404 that names what is missing on the way to the table.
 */
export function requireTable(held: Context, datamodel: string, dataset: string, oid: string): string {
  requireDataset(held, datamodel, dataset);
  const table = held.store.tables.text(dataset, oid);
  if (table === undefined) {
    throw notFound('The table', oid);
  }
  return table;
}

/** Runs an edit of a datamodel's schema as one transaction, and advances the datamodel's `lastUpdated`. */
export function editSchema<T>({ store, clock }: Context, datamodel: string, edit: () => T): T {
  return store.transaction(() => {
    const result = edit();
    store.datamodels.update(datamodel, { lastUpdated: timestamp(clock) });
    return result;
  });
}

/**
 * As {@link editSchema}, for an edit that may take columns away from a table or a dataset, named by its oid:
 * afterwards the relations that lost one say so. They are kept, since removing them is the caller's duty (spec,
 * Datamodel rule 4).
 */
export function editColumns<T>(held: Context, datamodel: string, owner: string, edit: () => T): T {
  const { store } = held;
  return editSchema(held, datamodel, () => {
    const result = edit();
    const concerned = store.relations.texts(datamodel).filter((text) => text.includes(owner));
    for (const relation of concerned.map(parseDocument)) {
      const marked = withDroppedEnds(relation, (address) => store.tables.hasColumn(datamodel, address));
      if (marked !== relation) {
        store.relations.update(marked);
      }
    }
    return result;
  });
}
