import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { newViewpointSchema } from '../../contract/viewpoint.ts';
import { checked } from '../check.ts';
import { omit } from '../documents.ts';
import { invalid } from '../problem.ts';

/** What the server makes of a viewpoint; a request cannot set it. */
const serverMade = ['id', 'tenantId', 'createdBy', 'createdAt', 'updatedBy', 'updatedAt'];

/** The types of the fields; what is inside details and visibility is not validated (spec, POST /infusion/viewpoints). */
const objectOrNull = z.looseObject({}).nullish();
const partTypes = z.looseObject({ details: objectOrNull, visibility: objectOrNull });
const changeTypes = partTypes.extend({
  name: z.string().min(1).optional(),
  description: z.string().optional(),
  enabled: z.boolean().optional(),
});

/** What a write of a viewpoint needs besides the request. `now` is an ISO 8601 time. */
export interface ViewpointMaking {
  readonly userId: string;
  readonly now: string;
}

const emptyVisibility: JsonObject = { apps: [], groups: [], users: [] };

/** Published or not: the enabled state of the visibility is that of the viewpoint (spec, "Viewpoint publication"). */
const withEnabled = (visibility: JsonValue | undefined, enabled: boolean): JsonObject => ({
  ...emptyVisibility,
  ...(isJsonObject(visibility) ? visibility : {}),
  enabled,
});

const partOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

/**
 * A new viewpoint: unpublished unless its visibility says enabled (spec, "Viewpoint publication").
 * @throws HttpProblem 400 without name or description.
 */
export function newViewpoint(
  sent: JsonObject,
  making: ViewpointMaking & { readonly id: string; readonly tenant: string | undefined },
): JsonObject {
  checked(newViewpointSchema, sent);
  checked(partTypes, sent);
  const { id, tenant, userId, now } = making;
  const enabled = partOf(sent['visibility'])['enabled'] === true;
  return {
    ...omit(sent, serverMade),
    id,
    ...(tenant === undefined ? {} : { tenantId: tenant }),
    enabled,
    createdBy: userId,
    createdAt: now,
    updatedBy: userId,
    updatedAt: now,
    details: partOf(sent['details']),
    visibility: withEnabled(sent['visibility'], enabled),
  };
}

/**
 * The viewpoint after a PUT: the root fields that are sent replace those that are stored, complex ones whole (spec).
 * @throws HttpProblem 400 for wrong types, and for a visibility without an app, or without a user or group; all three
 * empty means that it is shared with nobody (spec, "Changing visibility").
 */
export function changedViewpoint(
  stored: JsonObject,
  sent: JsonObject,
  { userId, now }: ViewpointMaking,
): JsonObject {
  const change = omit(sent, serverMade);
  checked(changeTypes, change);
  const visibility = change['visibility'];
  if (isJsonObject(visibility)) {
    checkSharing(visibility);
  }
  const enabled = [partOf(visibility)['enabled'], change['enabled'], stored['enabled']].find(
    (value) => typeof value === 'boolean',
  );
  const parts = {
    ...('details' in change ? { details: partOf(change['details']) } : {}),
    visibility: withEnabled('visibility' in change ? visibility : stored['visibility'], enabled === true),
  };
  return { ...stored, ...change, ...parts, enabled: enabled === true, updatedBy: userId, updatedAt: now };
}

function checkSharing(visibility: JsonObject): void {
  const [apps, users, groups] = ['apps', 'users', 'groups'].map((name) => count(visibility, name));
  const parties = (users ?? 0) + (groups ?? 0);
  if (apps === 0 && parties === 0) {
    return;
  }
  if (apps === 0) {
    throw invalid('visibility/apps: at least one app is needed');
  }
  if (parties === 0) {
    throw invalid('visibility/users: at least one user or one group is needed');
  }
}

function count(visibility: JsonObject, name: string): number {
  const names = visibility[name];
  if (names !== undefined && names !== null && !Array.isArray(names)) {
    throw invalid(`visibility/${name}: expected an array`);
  }
  return Array.isArray(names) ? names.length : 0;
}
