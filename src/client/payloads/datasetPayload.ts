import type { JsonObject } from '../../base/json.ts';
import { datasetTypes, readOnlyConnectionFields } from '../../contract/datamodel.ts';
import { PayloadError } from '../payloadError.ts';
import { type WriteDocument, objectAt, only, textAt, without } from './document.ts';

export interface ConnectionPayloadOptions {
  /**
   * `parameters` that are an encrypted string go back only when this says so: they may hold another person's
   * secrets (design.md, section 8; platform-facts 2.5).
   */
  readonly sendEncryptedParameters?: boolean;
}

/** What a dataset may be made with: the spec's fields and two that a real client sends (platform-facts 2.5). */
const newDatasetProperties = ['name', 'type', 'connection', 'database', 'schemaName'];

/**
 * Body of POST /datasets: `name`, `type`, and `connection` unless the type is custom (spec, "Dataset").
 * @throws PayloadError
 */
export function newDatasetPayload(
  document: WriteDocument,
  options: ConnectionPayloadOptions = {},
): JsonObject {
  const name = textAt(document['name'], ['name']);
  const type = textAt(document['type'], ['type']).toLowerCase();
  if (!datasetTypes.some((known) => known === type)) {
    throw new PayloadError('wrong-type', ['type']);
  }
  const body = { ...only(document, newDatasetProperties), name, type };
  return type === 'custom'
    ? without(body, ['connection'])
    : { ...body, connection: connectionPayload(document['connection'], options) };
}

/**
 * Body of PATCH /datasets/{id}: the connection only, complete for its connector (spec, "Dataset").
 * @throws PayloadError
 */
export function datasetChangePayload(
  document: WriteDocument,
  options: ConnectionPayloadOptions = {},
): JsonObject {
  return { connection: connectionPayload(document['connection'], options) };
}

/**
 * A connection without its read-only properties `id`, `owner`, `autoRefresh` and `protectedParameters`, which must
 * not be sent (spec, "Dataset"). Without its parameters a connection would not be complete, so an encrypted string
 * is refused rather than left out.
 * @throws PayloadError `encrypted-parameters` when they are an encrypted string and were not asked for
 */
export function connectionPayload(value: unknown, options: ConnectionPayloadOptions = {}): JsonObject {
  const connection = objectAt(value, ['connection']);
  if (typeof connection['parameters'] === 'string' && options.sendEncryptedParameters !== true) {
    throw new PayloadError('encrypted-parameters', ['connection', 'parameters']);
  }
  return without(connection, readOnlyConnectionFields);
}
