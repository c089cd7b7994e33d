import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { viewpointCreation, viewpointDeletion, viewpointUpdate } from '../model/viewpointWrites.ts';
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
export const createViewpoint = (
  place: OperationLocation,
  { name, description, datasource }: ViewpointInput,
): Operation =>
  createOperation(place, 'create', name, [
    viewpointCreation({ name, description, details: { datasource, columns: [] } }),
  ]);

/**
 * Creates the operation that copies a viewpoint under another name; names are unique (rest-api.md, "Viewpoint"). The
 * copy is neither shared nor published, so no one sees it before it is finished.
 */
export const duplicateViewpoint = (
  place: OperationLocation,
  viewpoint: JsonObject,
  name: string,
): Operation =>
  createOperation(place, 'duplicate', name, [
    viewpointCreation({
      name,
      description: viewpoint['description'] ?? '',
      ...(viewpoint['details'] === undefined ? {} : { details: viewpoint['details'] }),
    }),
  ]);

/**
 * Creates the operation that deletes a viewpoint with its bookmarks in all apps
 * (rest-api.md, "DELETE /infusion/viewpoints").
 */
export const deleteViewpoint = (place: OperationLocation, viewpointId: string, name: string): Operation =>
  createOperation(place, 'delete', name, [viewpointDeletion({ viewpointId })]);

/**
 * Creates the operation that publishes or unpublishes a viewpoint; sends no other field
 * (rest-api.md, "PUT /infusion/viewpoints").
 */
export const publishViewpoint = (
  place: OperationLocation,
  { viewpointId, name }: { readonly viewpointId: string; readonly name: string },
  enabled: boolean,
): Operation => changeViewpoint(place, enabled ? 'publish' : 'unpublish', { viewpointId, name }, { enabled });

/** The apps, groups and users to share a viewpoint with. */
export interface SharingInput {
  readonly apps: readonly string[];
  readonly groups: readonly { readonly id: string; readonly name: string }[];
  readonly users: readonly string[];
}

/** Returns whether a list contains a group, by name or by ID (rest-api.md, "ViewpointVisibility"). */
export const isGroupNamed = (
  shared: readonly string[],
  { id, name }: { readonly id: string; readonly name: string },
): boolean => shared.includes(id) || shared.includes(name);

/**
 * Creates the operation that shares the current version of a viewpoint, so that changes that another user has made
 * since the sharing dialog was opened are kept. Also returns the version that the write is based on.
 */
export async function shareCurrentViewpoint(
  read: () => Promise<JsonValue | undefined>,
  place: OperationLocation,
  viewpoint: { readonly viewpointId: string; readonly name: string },
  more: SharingInput,
): Promise<{ readonly operation: Operation; readonly document: JsonValue | undefined }> {
  const document = await read();
  const current: JsonObject = isJsonObject(document) ? document : {};
  return { operation: shareViewpoint(place, viewpoint, current, more), document };
}

/**
 * Creates the operation that shares a viewpoint with additional apps, groups and users. Sends its visibility as a whole
 * (rest-api.md, "PUT /infusion/viewpoints").
 */
export const shareViewpoint = (
  place: OperationLocation,
  viewpoint: { readonly viewpointId: string; readonly name: string },
  { visibility }: JsonObject,
  more: SharingInput,
): Operation => {
  const old: JsonObject = isJsonObject(visibility) ? visibility : {};
  const before = (key: keyof SharingInput): readonly string[] => {
    const entries = old[key];
    return Array.isArray(entries) ? entries.filter((entry) => typeof entry === 'string') : [];
  };
  const groups = before('groups');
  const newGroups = more.groups.filter((group) => !isGroupNamed(groups, group)).map(({ name }) => name);
  return changeViewpoint(place, 'share', viewpoint, {
    visibility: {
      ...old,
      apps: [...new Set([...before('apps'), ...more.apps])],
      groups: [...new Set([...groups, ...newGroups])],
      users: [...new Set([...before('users'), ...more.users])],
    },
  });
};

const changeViewpoint = (
  place: OperationLocation,
  cause: OperationCause,
  { viewpointId, name }: { readonly viewpointId: string; readonly name: string },
  body: JsonObject,
): Operation => createOperation(place, cause, name, [viewpointUpdate({ viewpointId }, body)]);
