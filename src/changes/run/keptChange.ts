import { getRefKey } from '../../catalog/resourceRef.ts';
import type { ChangedDocument } from '../journal/changedDocuments.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import type { Operation, Write } from '../model/operation.ts';
import type { ChangedSubject, PlanSubject } from '../model/plan.ts';
import type { ReadDocument } from '../model/readDocument.ts';

/** A part of a change that its undo leaves as it is, since it's in a document that is kept: a column, for example. */
export interface KeptPart {
  readonly subject: PlanSubject;
  /** What the change has done to it. */
  readonly action: 'created' | 'changed' | 'deleted';
  /** The fields that the change has changed; empty unless `action` is `changed`. */
  readonly fields: ChangedSubject['fields'];
}

/** What an undo leaves as it is in the documents that are kept. */
export interface KeptChange {
  /**
   * The writes that stay, as an operation of its own, and the updates of viewpoints by the undo: these may refer to names
   * that it doesn't give back. Never sent.
   */
  readonly operation: Operation;
  /** The kept documents before the change, and the tables that the undo restores. */
  readonly before: readonly ReadDocument[];
}

/**
 * Returns what an undo leaves as it is in kept documents, as an operation of its own; nothing if it's nothing.
 * @param keptWrites the writes that stay, by the kept documents
 * @param undoWrites the writes of the undo
 */
export function createKeptChange(
  { entry, documents }: { readonly entry: HistoryEntry; readonly documents: readonly ChangedDocument[] },
  keptWrites: ReadonlyMap<ChangedDocument, readonly Write[]>,
  undoWrites: readonly Write[],
): { readonly keptChange?: KeptChange } {
  const writes = [...keptWrites.values()].flat();
  if (writes.length === 0) {
    return {};
  }
  const keys = new Set(documents.map(({ ref }) => getRefKey(ref)));
  const viewpointUpdates = undoWrites.filter(
    ({ endpoint, outputRefs = [] }) => endpoint === 'viewpoints.update' && outputRefs.length === 0,
  );
  return {
    keptChange: {
      operation: { ...entry.operation, writes: [...writes, ...viewpointUpdates] },
      before: entry.before
        .filter(({ ref }) => ref.kind === 'table' || keys.has(getRefKey(ref)))
        .map(({ ref, document }) => ({ ref, document })),
    },
  };
}
