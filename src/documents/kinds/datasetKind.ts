import { datasetUpdate } from '../../changes/model/datasetWrites.ts';
import { datasetChangePayload } from '../../client/payloads/modelPayloads.ts';
import { without } from '../../client/payloads/document.ts';
import { type JsonObject, type JsonValue, isJsonObject, memberOf } from '../../base/json.ts';
import { refKey } from '../../catalog/resourceRef.ts';
import { readOnlyConnectionFields } from '../../contract/datamodel.ts';
import { sameJson } from '../../base/canonicalJson.ts';
import { isBookkeeping } from '../../contract/bookkeeping.ts';
import type { DocumentRef } from '../documentAddress.ts';
import { maskSecrets } from '../../base/secrets/maskSecrets.ts';
import { withSecrets } from '../secrets.ts';
import { type DocumentKind, type Edit, answeredOr, objectOf, onlyEdited } from './documentKind.ts';

type DatasetRef = Extract<DocumentRef, { kind: 'dataset' }>;

const isEditable = (name: string): boolean => name === 'connection';

/** A dataset without its tables, which have documents of their own. Only its connection can be modified (spec). */
export const datasetKind: DocumentKind<DatasetRef> = {
  language: 'json',
  isEditable,
  sourceKey: refKey,
  ask: (client, ref, signal) => client.datasets.get(ref, signal),
  show,
  writes(ref, edit) {
    const next = objectOf(edit.next);
    onlyEdited(edit.before, next, isEditable);
    const shown = show(edit.source) ?? null;
    if (sameJson(memberOf(shown, 'connection'), memberOf(next, 'connection'), isBookkeeping)) {
      return [];
    }
    const connection = memberOf(next, 'connection') ?? null;
    if (isJsonObject(connection)) {
      const isReadOnly = (name: string): boolean => readOnlyConnectionFields.some((known) => known === name);
      const kept = Object.fromEntries(Object.entries(connection).filter(([name]) => isReadOnly(name)));
      onlyEdited(readOnlyOf(memberOf(edit.before, 'connection'), isReadOnly), kept, () => false, [
        'connection',
      ]);
    }
    const sendEncryptedParameters = true as const;
    const body = datasetChangePayload(
      { connection: completeConnection(connection, edit) },
      { sendEncryptedParameters },
    );
    return [
      {
        ...datasetUpdate(ref, body),
        // Only what the person let go back is still in it.
        ...(typeof memberOf(memberOf(body, 'connection'), 'parameters') === 'string'
          ? { sendEncryptedParameters }
          : {}),
      },
    ];
  },
  after: (ref, { source, writes, answers }) =>
    answeredOr(
      source,
      answers[0],
      { name: 'oid', value: ref.datasetId },
      (writes[0]?.body ?? {}) as JsonObject,
    ),
};

function show(source: JsonValue): JsonValue | undefined {
  return isJsonObject(source) ? maskSecrets(without(source, ['schema'])) : undefined;
}

const readOnlyOf = (connection: JsonValue | undefined, isReadOnly: (name: string) => boolean): JsonObject =>
  Object.fromEntries(
    Object.entries(isJsonObject(connection) ? connection : {}).filter(([name]) => isReadOnly(name)),
  );

/** The connection as it is sent: it has to be complete for its connector (spec), with its secrets. */
const completeConnection = (connection: JsonValue, edit: Edit): JsonValue =>
  memberOf(
    withSecrets(
      { connection },
      edit,
      ([, name]) => !readOnlyConnectionFields.some((known) => known === name),
    ),
    'connection',
  ) ?? null;
