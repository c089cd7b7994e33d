import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import {
  createViewpointCreationWrite,
  createViewpointDeletionWrite,
  createViewpointUpdateWrite,
} from '../model/viewpointWrites.ts';
import type { Operation, OperationCause } from '../model/operation.ts';
import { type OperationLocation, createOperation } from '../model/operationLocation.ts';

/** The content of a new viewpoint. */
export interface ViewpointInput {
  readonly name: string;
  readonly description: string;
  readonly datasource: {
    readonly id?: string;
    readonly title: string;
    readonly fullname: string;
    readonly modelType: string;
  };
}

/**
 * Creates the operation that creates a viewpoint without columns, neither shared nor published
 * (rest-api.md, "Viewpoint publication").
 */
export const createViewpointCreationOperation = (
  location: OperationLocation,
  { name, description, datasource }: ViewpointInput,
): Operation =>
  createOperation(location, 'create', name, [
    createViewpointCreationWrite({ name, description, details: { datasource, columns: [] } }),
  ]);

/**
 * Creates the operation that copies a viewpoint under another name; names are unique (rest-api.md, "Viewpoint"). The
 * copy is neither shared nor published, so no one sees it before it is finished.
 */
export const createViewpointDuplicationOperation = (
  location: OperationLocation,
  viewpoint: JsonObject,
  name: string,
): Operation =>
  createOperation(location, 'duplicate', name, [
    createViewpointCreationWrite({
      name,
      description: viewpoint['description'] ?? '',
      ...(viewpoint['details'] === undefined ? {} : { details: viewpoint['details'] }),
    }),
  ]);

/**
 * Creates the operation that deletes a viewpoint with its bookmarks in all apps
 * (rest-api.md, "DELETE /infusion/viewpoints").
 */
export const createViewpointDeletionOperation = (
  location: OperationLocation,
  viewpointId: string,
  name: string,
): Operation => createOperation(location, 'delete', name, [createViewpointDeletionWrite({ viewpointId })]);

/**
 * Creates the operation that publishes or unpublishes a viewpoint; sends no other field
 * (rest-api.md, "PUT /infusion/viewpoints").
 */
export const createPublicationOperation = (
  location: OperationLocation,
  { viewpointId, name }: { readonly viewpointId: string; readonly name: string },
  isPublished: boolean,
): Operation =>
  createViewpointUpdateOperation(
    location,
    isPublished ? 'publish' : 'unpublish',
    { viewpointId, name },
    { enabled: isPublished },
  );

/**
 * Creates the operation that renames a viewpoint; sends no other field (rest-api.md, "PUT /infusion/viewpoints").
 * Nothing refers to a viewpoint by its name, so nothing else changes.
 */
export const createViewpointRenameOperation = (
  location: OperationLocation,
  viewpoint: { readonly viewpointId: string; readonly name: string },
  newName: string,
): Operation => createViewpointUpdateOperation(location, 'rename', viewpoint, { name: newName });

/** The apps, groups and users to share a viewpoint with. */
export interface SharingInput {
  readonly apps: readonly string[];
  readonly groups: readonly { readonly id: string; readonly name: string }[];
  readonly users: readonly string[];
}

/**
 * Returns whether a list of a visibility contains an app, group or user, by ID or by name (rest-api.md,
 * "ViewpointVisibility").
 */
export const includesIdOrName = (
  sharedWith: readonly string[],
  { id, name }: { readonly id: string; readonly name: string },
): boolean => sharedWith.includes(id) || sharedWith.includes(name);

/**
 * Creates the operation that shares the current version of a viewpoint, so that changes that another user has made
 * since the sharing dialog was opened are kept. Also returns the version that the write is based on.
 */
export async function createSharingOperationForCurrentVersion(
  readViewpoint: () => Promise<JsonValue | undefined>,
  location: OperationLocation,
  viewpoint: { readonly viewpointId: string; readonly name: string },
  additions: SharingInput,
): Promise<{ readonly operation: Operation; readonly document: JsonValue | undefined }> {
  const document = await readViewpoint();
  const current: JsonObject = isJsonObject(document) ? document : {};
  return { operation: createSharingOperation(location, viewpoint, current, additions), document };
}

/**
 * Creates the operation that shares a viewpoint with additional apps, groups and users. Sends its visibility as a whole
 * (rest-api.md, "PUT /infusion/viewpoints").
 */
export const createSharingOperation = (
  location: OperationLocation,
  viewpoint: { readonly viewpointId: string; readonly name: string },
  { visibility }: JsonObject,
  additions: SharingInput,
): Operation => {
  const oldVisibility: JsonObject = isJsonObject(visibility) ? visibility : {};
  const getOldEntries = (key: keyof SharingInput): readonly string[] => {
    const entries = oldVisibility[key];
    return Array.isArray(entries) ? entries.filter((entry) => typeof entry === 'string') : [];
  };
  const groups = getOldEntries('groups');
  const newGroups = additions.groups
    .filter((group) => !includesIdOrName(groups, group))
    .map(({ name }) => name);
  return createViewpointUpdateOperation(location, 'share', viewpoint, {
    visibility: {
      ...oldVisibility,
      apps: [...new Set([...getOldEntries('apps'), ...additions.apps])],
      groups: [...new Set([...groups, ...newGroups])],
      users: [...new Set([...getOldEntries('users'), ...additions.users])],
    },
  });
};

const createViewpointUpdateOperation = (
  location: OperationLocation,
  cause: OperationCause,
  { viewpointId, name }: { readonly viewpointId: string; readonly name: string },
  body: JsonObject,
): Operation => createOperation(location, cause, name, [createViewpointUpdateWrite({ viewpointId }, body)]);
