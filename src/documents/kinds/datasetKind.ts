import { createDatasetUpdateWrite } from '../../changes/model/datasetWrites.ts';
import { createDatasetChangePayload } from '../../client/payloads/modelPayloads.ts';
import { omitProperties } from '../../client/payloads/documentToWrite.ts';
import { type JsonObject, type JsonValue, isJsonObject, getMember } from '../../base/json.ts';
import { getRefKey } from '../../catalog/resourceRef.ts';
import { readOnlyConnectionFields } from '../../contract/datamodel.ts';
import { jsonEquals } from '../../base/canonicalJson.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import type { DocumentRef } from '../documentAddress.ts';
import { maskConnectorDocument } from '../../base/secrets/maskSecrets.ts';
import { fillSecrets } from '../secrets.ts';
import {
  type DocumentKindDescriptor,
  type DocumentEdit,
  mergeResponse,
  requireObjectValue,
  checkOnlyEditable,
} from './documentKind.ts';

type DatasetRef = Extract<DocumentRef, { kind: 'dataset' }>;

const isEditable = (name: string): boolean => name === 'connection';

/**
 * A dataset without its tables, which have documents of their own. Only its connection can be modified
 * (rest-api.md, "Dataset" 1).
 */
export const datasetKind: DocumentKindDescriptor<DatasetRef> = {
  language: 'json',
  isEditable,
  getSourceKey: getRefKey,
  fetch: (client, ref, signal) => client.datasets.get(ref, signal),
  getVisiblePart,
  createWrites(ref, edit) {
    const next = requireObjectValue(edit.next);
    checkOnlyEditable(edit.before, next, isEditable);
    const shownDataset = getVisiblePart(edit.source) ?? null;
    if (
      jsonEquals(getMember(shownDataset, 'connection'), getMember(next, 'connection'), isServerManagedField)
    ) {
      return [];
    }
    const connection = getMember(next, 'connection') ?? null;
    if (isJsonObject(connection)) {
      const isReadOnly = (name: string): boolean => readOnlyConnectionFields.some((field) => field === name);
      const readOnlyMembers = Object.fromEntries(
        Object.entries(connection).filter(([name]) => isReadOnly(name)),
      );
      // The connection is editable, but not all of its members.
      checkOnlyEditable(
        getReadOnlyMembers(getMember(edit.before, 'connection'), isReadOnly),
        readOnlyMembers,
        () => false,
        ['connection'],
      );
    }
    const sendEncryptedParameters = true as const;
    const body = createDatasetChangePayload(
      { connection: completeConnection(connection, edit) },
      { sendEncryptedParameters },
    );
    return [
      {
        ...createDatasetUpdateWrite(ref, body),
        // Parameters that are still encrypted text are those that the user chose to send back.
        ...(typeof getMember(getMember(body, 'connection'), 'parameters') === 'string'
          ? { sendEncryptedParameters }
          : {}),
      },
    ];
  },
  applyWrites: (ref, { source, writes, responses }) =>
    mergeResponse(
      source,
      responses[0],
      { name: 'oid', value: ref.datasetId },
      (writes[0]?.body ?? {}) as JsonObject,
    ),
};

function getVisiblePart(source: JsonValue): JsonValue | undefined {
  return isJsonObject(source) ? maskConnectorDocument(omitProperties(source, ['schema'])) : undefined;
}

const getReadOnlyMembers = (
  connection: JsonValue | undefined,
  isReadOnly: (name: string) => boolean,
): JsonObject =>
  Object.fromEntries(
    Object.entries(isJsonObject(connection) ? connection : {}).filter(([name]) => isReadOnly(name)),
  );

/**
 * Returns the connection to send: it has to be complete for its connector (rest-api.md, "Dataset" 1), secrets included.
 */
const completeConnection = (connection: JsonValue, edit: DocumentEdit): JsonValue =>
  getMember(
    fillSecrets(
      { connection },
      edit,
      ([, name]) => !readOnlyConnectionFields.some((field) => field === name),
    ),
    'connection',
  ) ?? null;
