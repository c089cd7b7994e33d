import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { newViewpointSchema } from '../../contract/viewpoint.ts';
import { parseWithSchema } from '../validation.ts';
import { omitDocumentMembers } from '../documents.ts';
import { createInvalidProblem } from '../problem.ts';

/** Properties that the server sets; ignored in requests. */
const readOnlyProperties = ['id', 'tenantId', 'createdBy', 'createdAt', 'updatedBy', 'updatedAt'];

/**
 * Checks only the types of fields; the contents of details and visibility are not validated
 * (rest-api.md, "POST /infusion/viewpoints").
 */
const objectOrNull = z.looseObject({}).nullish();
const partTypes = z.looseObject({ details: objectOrNull, visibility: objectOrNull });
const changeTypes = partTypes.extend({
  name: z.string().min(1).optional(),
  description: z.string().optional(),
  enabled: z.boolean().optional(),
});

/** The caller and the time of a viewpoint write. `timestamp` is an ISO 8601 time. */
export interface ViewpointWriteContext {
  readonly userId: string;
  readonly now: string;
}

const emptyVisibility: JsonObject = { apps: [], groups: [], users: [] };

/**
 * Returns the visibility with the enabled state of its viewpoint (rest-api.md, "Viewpoint
 * publication").
 */
const setEnabled = (visibility: JsonValue | undefined, enabled: boolean): JsonObject => ({
  ...emptyVisibility,
  ...(isJsonObject(visibility) ? visibility : {}),
  enabled,
});

const toObject = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

/**
 * Creates a viewpoint document, published only if its visibility is enabled (rest-api.md, "Viewpoint publication").
 * @throws HttpProblem 400 without a name or a description, and for wrong types.
 */
export function createViewpointDocument(
  sent: JsonObject,
  making: ViewpointWriteContext & { readonly id: string; readonly tenant: string | undefined },
): JsonObject {
  parseWithSchema(newViewpointSchema, sent);
  parseWithSchema(partTypes, sent);
  const { id, tenant, userId, now } = making;
  const enabled = toObject(sent['visibility'])['enabled'] === true;
  return {
    ...omitDocumentMembers(sent, readOnlyProperties),
    id,
    ...(tenant === undefined ? {} : { tenantId: tenant }),
    enabled,
    createdBy: userId,
    createdAt: now,
    updatedBy: userId,
    updatedAt: now,
    details: toObject(sent['details']),
    visibility: setEnabled(sent['visibility'], enabled),
  };
}

/**
 * Returns the viewpoint after a PUT: sent root fields replace the stored ones; structures are replaced as a whole
 * (rest-api.md, "PUT /infusion/viewpoints").
 * @throws HttpProblem 400 for wrong types, and for a visibility without an app, or without a user or group. All three
 * may be empty: the viewpoint is then not shared (rest-api.md, "PUT /infusion/viewpoints").
 */
export function applyViewpointChange(
  stored: JsonObject,
  sent: JsonObject,
  { userId, now }: ViewpointWriteContext,
): JsonObject {
  const change = omitDocumentMembers(sent, readOnlyProperties);
  parseWithSchema(changeTypes, change);
  const visibility = change['visibility'];
  if (isJsonObject(visibility)) {
    checkSharing(visibility);
  }
  const enabled = [toObject(visibility)['enabled'], change['enabled'], stored['enabled']].find(
    (value) => typeof value === 'boolean',
  );
  const parts = {
    ...('details' in change ? { details: toObject(change['details']) } : {}),
    visibility: setEnabled('visibility' in change ? visibility : stored['visibility'], enabled === true),
  };
  return { ...stored, ...change, ...parts, enabled: enabled === true, updatedBy: userId, updatedAt: now };
}

function checkSharing(visibility: JsonObject): void {
  const [apps, users, groups] = ['apps', 'users', 'groups'].map((name) => countMembers(visibility, name));
  const parties = (users ?? 0) + (groups ?? 0);
  if (apps === 0 && parties === 0) {
    return;
  }
  if (apps === 0) {
    throw createInvalidProblem('visibility/apps: at least one app is needed');
  }
  if (parties === 0) {
    throw createInvalidProblem('visibility/users: at least one user or one group is needed');
  }
}

function countMembers(visibility: JsonObject, name: string): number {
  const names = visibility[name];
  if (names !== undefined && names !== null && !Array.isArray(names)) {
    throw createInvalidProblem(`visibility/${name}: expected an array`);
  }
  return Array.isArray(names) ? names.length : 0;
}
