import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { newViewpointSchema } from '../../contract/viewpoint.ts';
import { parseWithSchema } from '../validation.ts';
import { omitDocumentMembers } from '../documents.ts';
import { createValidationProblem } from '../problem.ts';

/** Properties that the server sets; ignored in requests. */
const readOnlyProperties = ['id', 'tenantId', 'createdBy', 'createdAt', 'updatedBy', 'updatedAt'];

/** A complex property. On creation, only its type is checked (rest-api.md, "POST /infusion/viewpoints"). */
const objectOrNullSchema = z.looseObject({}).nullish();
const complexPropertiesSchema = z.looseObject({
  details: objectOrNullSchema,
  visibility: objectOrNullSchema,
});
const changesSchema = complexPropertiesSchema.extend({
  name: z.string().min(1).optional(),
  description: z.string().optional(),
  enabled: z.boolean().optional(),
});

/** The caller and the time of a viewpoint write. `timestamp` is an ISO 8601 time. */
export interface ViewpointWriteContext {
  readonly userId: string;
  readonly timestamp: string;
}

const emptyVisibility: JsonObject = { apps: [], groups: [], users: [] };

/** Returns the visibility with the enabled state of its viewpoint (rest-api.md, "Viewpoint publication"). */
const withEnabled = (visibility: JsonValue | undefined, enabled: boolean): JsonObject => ({
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
  input: JsonObject,
  context: ViewpointWriteContext & { readonly id: string; readonly tenant: string | undefined },
): JsonObject {
  parseWithSchema(newViewpointSchema, input);
  parseWithSchema(complexPropertiesSchema, input);
  const { id, tenant, userId, timestamp } = context;
  const enabled = toObject(input['visibility'])['enabled'] === true;
  return {
    ...omitDocumentMembers(input, readOnlyProperties),
    id,
    ...(tenant === undefined ? {} : { tenantId: tenant }),
    enabled,
    createdBy: userId,
    createdAt: timestamp,
    updatedBy: userId,
    updatedAt: timestamp,
    details: toObject(input['details']),
    visibility: withEnabled(input['visibility'], enabled),
  };
}

/**
 * Returns the viewpoint after a PUT: sent root fields replace the stored ones; complex properties are replaced as a
 * whole (rest-api.md, "PUT /infusion/viewpoints").
 * @throws HttpProblem 400 for wrong types, and for a visibility without an app, or without a user or group. All three
 * may be empty: the viewpoint is then not shared (decisions.md, "Stable interfaces").
 */
export function applyViewpointChange(
  storedViewpoint: JsonObject,
  input: JsonObject,
  { userId, timestamp }: ViewpointWriteContext,
): JsonObject {
  const changes = omitDocumentMembers(input, readOnlyProperties);
  parseWithSchema(changesSchema, changes);
  const visibility = changes['visibility'];
  if (isJsonObject(visibility)) {
    checkSharing(visibility);
  }
  const enabled = [toObject(visibility)['enabled'], changes['enabled'], storedViewpoint['enabled']].find(
    (value) => typeof value === 'boolean',
  );
  const complexProperties = {
    ...('details' in changes ? { details: toObject(changes['details']) } : {}),
    visibility: withEnabled(
      'visibility' in changes ? visibility : storedViewpoint['visibility'],
      enabled === true,
    ),
  };
  return {
    ...storedViewpoint,
    ...changes,
    ...complexProperties,
    enabled: enabled === true,
    updatedBy: userId,
    updatedAt: timestamp,
  };
}

function checkSharing(visibility: JsonObject): void {
  const [apps, users, groups] = ['apps', 'users', 'groups'].map((name) => countEntries(visibility, name));
  const partyCount = (users ?? 0) + (groups ?? 0);
  if (apps === 0 && partyCount === 0) {
    return;
  }
  if (apps === 0) {
    throw createValidationProblem('visibility/apps: at least one app is required');
  }
  if (partyCount === 0) {
    throw createValidationProblem('visibility/users: at least one user or one group is required');
  }
}

function countEntries(visibility: JsonObject, name: string): number {
  const entries = visibility[name];
  if (entries !== undefined && entries !== null && !Array.isArray(entries)) {
    throw createValidationProblem(`visibility/${name}: expected an array`);
  }
  return Array.isArray(entries) ? entries.length : 0;
}
