import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { getRefId, type ResourceRef } from '../../catalog/resourceRef.ts';
import { loadWriteKinds } from '../endpoints/writeKinds.ts';
import { asObject, getText } from '../model/jsonMembers.ts';
import type { Write } from '../model/operation.ts';
import { resolveKnownOutputs } from '../model/outputRefs.ts';
import type { WriteKind } from '../model/writeKind.ts';
import type { HistoryEntry } from './entry.ts';

/**
 * A completed write with its response. The write contains the IDs from the responses to earlier writes instead of
 * references to them.
 */
export interface CompletedWrite {
  readonly write: Write;
  readonly kind: WriteKind;
  readonly response: JsonValue | undefined;
}

/** An item that an operation has created. */
export interface CreatedItem {
  readonly ref: ResourceRef;
  /** The item as its creation has left it, as far as the response shows that. */
  readonly created: JsonValue;
  /** Returns whether the item is still as the operation has left it, and contains nothing that others have added. */
  readonly isUnchanged: (current: JsonValue | undefined) => boolean;
}

/** Finds what completed writes of one operation, in order, have created, as far as the responses have IDs. */
export function findCreatedItems(completedWrites: readonly CompletedWrite[]): readonly CreatedItem[] {
  const createdIds = new Set(
    completedWrites.flatMap(({ response }) => (isJsonObject(response) ? [response['oid'] ?? null] : [])),
  );
  // The target of a write to an item that the operation has created itself is only in its parameters.
  const changes = completedWrites.filter(({ kind, write }) => kind.action === 'update' && !write.target);
  const changesById = Map.groupBy(changes, ({ write: { params } }) => params['tableId'] ?? '');
  return completedWrites.flatMap(({ write, kind, response }) =>
    (kind.getCreated?.(write, response) ?? []).map(({ ref, isUnchanged }): CreatedItem => {
      const laterBodies = (changesById.get(getRefId(ref) ?? '') ?? []).map((later) =>
        asObject(later.write.body),
      );
      return {
        ref,
        created: Object.assign({}, asObject(write.body), asObject(response), ...laterBodies) as JsonValue,
        isUnchanged: (current) => isUnchanged(current, { createdIds, laterBodies }),
      };
    }),
  );
}

/** Finds the datamodels, datasets, tables, relations, and viewpoints that an entry has created. */
export async function readCreatedItems({
  operation,
  writeStates,
}: Pick<HistoryEntry, 'operation' | 'writeStates'>): Promise<readonly CreatedItem[]> {
  const getWriteKind = await loadWriteKinds(operation.writes);
  const responses = writeStates.map((state) => (state.state === 'done' ? state.answer : undefined));
  const completedWrites = operation.writes.flatMap((write, index): readonly CompletedWrite[] =>
    writeStates[index]?.state === 'done'
      ? [
          {
            write: resolveKnownOutputs(write, responses),
            kind: getWriteKind(write),
            response: responses[index],
          },
        ]
      : [],
  );
  return findCreatedItems(completedWrites).filter(
    ({ ref }) => !('subject' in ref) && ref.kind !== 'customDataObject' && getText(getRefId(ref)) !== '',
  );
}
