import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { WriteKindLookup } from '../endpoints/writeKinds.ts';
import type { UndoWrites } from '../model/undoWrites.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';
import type { Documents } from '../model/snapshot.ts';
import type { HistoryEntry } from './entry.ts';

/**
 * Returns the IDs of items that an entry has deleted and that still don't exist: tables, alone or with their dataset,
 * and columns of tables that exist.
 */
export const findDeletedIds = (
  { operation, writeStates }: HistoryEntry,
  {
    documents,
    tablesBefore,
    undoWrites,
    getWriteKind,
  }: {
    readonly documents: Documents;
    /** The tables before each PATCH. */
    readonly tablesBefore: ReadonlyMap<number, JsonObject>;
    readonly undoWrites: UndoWrites;
    readonly getWriteKind: WriteKindLookup;
  },
): readonly string[] =>
  operation.writes.flatMap((write, index) => {
    const { endpoint, target, body } = write;
    if (target === undefined || writeStates[index]?.state !== 'done') {
      return [];
    }
    const current = undoWrites.getDocument(target);
    const tableBefore = tablesBefore.get(index);
    if (endpoint === 'tables.update' && tableBefore !== undefined) {
      const remaining = new Set(getOids(asObject(current)['columns']));
      return current === undefined || !('columns' in asObject(body))
        ? []
        : getOids(tableBefore['columns']).filter((oid) => !remaining.has(oid));
    }
    if (getWriteKind(write).action !== 'delete' || current !== undefined) {
      return [];
    }
    return target.kind === 'table'
      ? [target.tableId]
      : target.kind === 'dataset'
        ? getOids(asObject(asObject(documents.get(target))['schema'])['tables'])
        : [];
  });

const getOids = (items: JsonValue | undefined): readonly string[] =>
  getObjects(items).map(({ oid }) => getText(oid));
