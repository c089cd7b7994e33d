import type { JsonObject } from '../../base/json.ts';
import { serverManagedViewpointFields } from '../../contract/viewpoint.ts';
import { PayloadError } from '../errors.ts';
import { type DocumentToWrite, requireObject, requireText, omitProperties } from './documentToWrite.ts';

/**
 * Body of POST /infusion/viewpoints: `name` and `description` are required. The content is not validated, neither by
 * the platform nor here (rest-api.md, "POST /infusion/viewpoints").
 * @throws PayloadError
 */
export function createViewpointPayload(document: DocumentToWrite): JsonObject {
  requireText(document['name'], ['name']);
  if (typeof document['description'] !== 'string') {
    throw new PayloadError('missing-property', ['description']);
  }
  return omitServerManagedFields(document);
}

/**
 * Body of PUT /infusion/viewpoints/{id}: the fields to change, with `details` and `visibility` complete (rest-api.md,
 * "PUT /infusion/viewpoints"): details without their datasource or columns would drop them.
 * @throws PayloadError
 */
export function createViewpointChangePayload(document: DocumentToWrite): JsonObject {
  const body = omitServerManagedFields(document);
  if (Object.keys(body).length === 0) {
    throw new PayloadError('missing-property');
  }
  if (body['details'] !== undefined && body['details'] !== null) {
    const details = requireObject(body['details'], ['details']);
    for (const name of ['datasource', 'columns']) {
      if (details[name] === undefined) {
        throw new PayloadError('incomplete-details', ['details', name]);
      }
    }
  }
  if (body['visibility'] !== undefined && body['visibility'] !== null) {
    checkVisibility(requireObject(body['visibility'], ['visibility']));
  }
  return body;
}

const omitServerManagedFields = (document: DocumentToWrite): JsonObject =>
  omitProperties(document, [...serverManagedViewpointFields]);

/**
 * Changing visibility needs at least one app and at least one user or one group (rest-api.md, "Limits"). All of them
 * empty is "not shared" (decisions.md, "Stable interfaces").
 */
function checkVisibility(visibility: JsonObject): void {
  const isNonEmpty = (name: string): boolean => {
    const list = visibility[name];
    return Array.isArray(list) && list.length > 0;
  };
  const hasParty = isNonEmpty('users') || isNonEmpty('groups');
  if (isNonEmpty('apps') && !hasParty) {
    throw new PayloadError('visibility-needs-party', ['visibility']);
  }
  if (hasParty && !isNonEmpty('apps')) {
    throw new PayloadError('visibility-needs-app', ['visibility', 'apps']);
  }
}
