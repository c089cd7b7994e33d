import { type JsonObject, isJsonObject } from '../../base/json.ts';
import { serverConnectionFields } from '../../contract/datamodel.ts';
import { pickDocumentMembers, getTextMember } from '../documents.ts';

/**
 * Creates a dataset document in the shape of platform-facts.md, 2.2; unknown members of the request are kept.
 * `connection` is null for datasets of type custom (rest-api.md, "Dataset").
 */
export function createDatasetDocument(
  input: JsonObject,
  generated: { readonly oid: string; readonly connectionOid: string; readonly timestamp: string },
): JsonObject {
  const { oid, connectionOid, timestamp } = generated;
  const type = getTextMember(input, 'type');
  const connection = isJsonObject(input['connection']) ? input['connection'] : undefined;
  const provider = connection === undefined ? '' : getTextMember(connection, 'provider');
  return {
    database: null,
    schemaName: null,
    modelingTransformations: [],
    shares: [],
    liveQuerySettings: null,
    schedule: null,
    ...input,
    oid,
    fullname: type === 'custom' ? `custom-${oid}` : `${provider}:${getTextMember(input, 'name')}`,
    lastUpdated: timestamp,
    connection:
      connection === undefined ? null : createConnectionDocument(connection, type, connectionOid, timestamp),
    schema: { tables: [] },
  };
}

function createConnectionDocument(
  input: JsonObject,
  type: string,
  oid: string,
  timestamp: string,
): JsonObject {
  return {
    id: null,
    oid,
    owner: null,
    ownerId: null,
    protectedParameters: null,
    enabled: true,
    created: timestamp,
    createdByUser: null,
    supportedModelTypes: [type.toUpperCase()],
    connectionPermissions: null,
    ...input,
    lastModified: timestamp,
  };
}

/** Replaces a dataset's connection, except for the fields that the server sets (rest-api.md, "Dataset" 1). */
export function replaceConnection(dataset: JsonObject, input: JsonObject, timestamp: string): JsonObject {
  const storedConnection = isJsonObject(dataset['connection']) ? dataset['connection'] : {};
  const serverFields = pickDocumentMembers(storedConnection, serverConnectionFields);
  return {
    ...dataset,
    connection: { ...input, ...serverFields, lastModified: timestamp },
    lastUpdated: timestamp,
  };
}
