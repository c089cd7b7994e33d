import { type JsonObject, isJsonObject } from '../../base/json.ts';
import { serverConnectionFields } from '../../contract/datamodel.ts';
import { pickDocumentMembers, getTextMember } from '../documents.ts';

/**
 * Creates a dataset document in the shape of platform-facts.md, 2.2; unknown members of the request are kept.
 * `connection` is null for datasets of type custom (rest-api.md, "Dataset").
 */
export function createDatasetDocument(
  sent: JsonObject,
  made: { readonly oid: string; readonly connectionOid: string; readonly now: string },
): JsonObject {
  const { oid, connectionOid, now } = made;
  const type = getTextMember(sent, 'type');
  const connection = isJsonObject(sent['connection']) ? sent['connection'] : undefined;
  const provider = connection === undefined ? '' : getTextMember(connection, 'provider');
  return {
    database: null,
    schemaName: null,
    modelingTransformations: [],
    shares: [],
    liveQuerySettings: null,
    schedule: null,
    ...sent,
    oid,
    fullname: type === 'custom' ? `custom-${oid}` : `${provider}:${getTextMember(sent, 'name')}`,
    lastUpdated: now,
    connection:
      connection === undefined ? null : createConnectionDocument(connection, type, connectionOid, now),
    schema: { tables: [] },
  };
}

function createConnectionDocument(sent: JsonObject, type: string, oid: string, now: string): JsonObject {
  return {
    id: null,
    oid,
    owner: null,
    ownerId: null,
    protectedParameters: null,
    enabled: true,
    created: now,
    createdByUser: null,
    supportedModelTypes: [type.toUpperCase()],
    connectionPermissions: null,
    ...sent,
    lastModified: now,
  };
}

/** Replaces a dataset's connection, except for the fields that the server sets (rest-api.md, "Dataset" 1). */
export function replaceConnection(dataset: JsonObject, sent: JsonObject, now: string): JsonObject {
  const stored = isJsonObject(dataset['connection']) ? dataset['connection'] : {};
  const kept = pickDocumentMembers(stored, serverConnectionFields);
  return { ...dataset, connection: { ...sent, ...kept, lastModified: now }, lastUpdated: now };
}
