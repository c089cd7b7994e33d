import { createViewpointChangePayload } from '../../client/payloads/viewpointPayload.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { viewpointSchema } from '../../contract/viewpoint.ts';
import { hasCompleteSharing } from '../model/viewpointSteps.ts';
import { asObject, getDocumentName, getText } from '../model/jsonMembers.ts';
import type { UndoWrites } from '../model/undoWrites.ts';
import type { Write } from '../model/operation.ts';
import { readViewpointDocuments } from '../model/readViewpointDocuments.ts';
import type { Versions, WriteKinds } from '../model/writeKind.ts';
import { createCreationKind } from './creation.ts';
import {
  getChangedEffects,
  toCreatedEffects,
  toDeletedEffects,
  createNewSubject,
  getTargetSubject,
} from './effects.ts';
import { readDocuments } from './readDocuments.ts';
import { matchesStored, everyField } from './matchesStored.ts';
import { getObjectBody, getPathParams } from './requestParts.ts';
import { verifyChange, verifyDeletion } from './verifyWrites.ts';
import { withViewpoints } from './snapshots.ts';
import {
  createViewpointCreationWrite,
  createViewpointUpdateWrite,
  createViewpointDeletionWrite,
} from '../model/viewpointWrites.ts';

/** The writes of viewpoints (rest-api.md, "Viewpoint API"). */
export const viewpointKinds: WriteKinds<'viewpoints'> = {
  'viewpoints.create': createCreationKind({
    idField: 'id',
    getRef: (viewpointId) => ({ kind: 'viewpoint', viewpointId }),
    createDeletionWrite: (viewpointId) => createViewpointDeletionWrite({ viewpointId }),
    send: (client, write) => client.viewpoints.create(getObjectBody(write)),
    // Read in pages, since many names may contain this one (rest-api.md, "ViewpointSearch": a partial match).
    list: (client, { body }) =>
      readViewpointDocuments(client, {
        search: { name: getText(asObject(body)['name']) },
        with: ['visibility', 'details'],
      }),
    getName: ({ body }) => getDocumentName(asObject(body)),
    getEffects: (write, sources) => toCreatedEffects(createNewSubject('viewpoint', write, sources)),
    getCatalogChanges: () => [{ kind: 'viewpoints' }],
  }),
  'viewpoints.update': {
    action: 'update',
    needsBuild: false,
    send: (client, write) =>
      client.viewpoints.update(getPathParams<'viewpoints.update'>(write), getObjectBody(write)),
    readBefore: ({ target }, reader) => readDocuments(reader, [target]),
    verifyOutcome: (write, context) => verifyChange(write, context, matchesViewpoint),
    matchesRequest: matchesViewpoint,
    // The publication state is stored in `enabled` and in `visibility` (rest-api.md, "Viewpoint publication").
    getWrittenMembers: ({ body }) => {
      const names = Object.keys(asObject(body));
      return names.some((name) => name === 'visibility' || name === 'enabled')
        ? [...names, 'visibility', 'enabled']
        : names;
    },
    addUndoWrites: (write, { oldDocument }, undoWrites) =>
      undoViewpointWrite(write, asObject(oldDocument), undoWrites),
    getEffects: (write, sources) =>
      getChangedEffects(getTargetSubject('viewpoint', write, sources), write, sources),
    applyToSnapshot: (state, { params, body }) =>
      withViewpoints(state, (viewpoints) =>
        viewpoints.map((viewpoint) =>
          viewpoint.id === params['viewpointId']
            ? (viewpointSchema.safeParse({ ...viewpoint, ...asObject(body) }).data ?? viewpoint)
            : viewpoint,
        ),
      ),
    getReach: () => 'itself',
    getCatalogChanges: () => [{ kind: 'viewpoints' }],
  },
  'viewpoints.delete': {
    action: 'delete',
    needsBuild: false,
    send: (client, write) => client.viewpoints.delete(getPathParams<'viewpoints.delete'>(write)),
    readBefore: ({ target }, reader) => readDocuments(reader, [target]),
    verifyOutcome: verifyDeletion,
    addUndoWrites: (write, { oldDocument }, undoWrites) =>
      undoViewpointWrite(write, asObject(oldDocument), undoWrites),
    getEffects: (write, sources) => toDeletedEffects(getTargetSubject('viewpoint', write, sources)),
    applyToSnapshot: (state, { params }) =>
      withViewpoints(state, (viewpoints) => viewpoints.filter(({ id }) => id !== params['viewpointId'])),
    getReach: () => 'itself',
    getCatalogChanges: () => [{ kind: 'viewpoints' }],
  },
};

/**
 * Returns whether a viewpoint matches the request. For the publication state, `visibility` takes precedence over
 * `enabled` (rest-api.md, "Viewpoint publication").
 */
function matchesViewpoint({ body }: Write, { current, previous }: Versions): boolean {
  const payload = createViewpointChangePayload(asObject(body));
  const isStateInVisibility = hasPublicationState(payload['visibility']);
  return everyField(payload, (name, value) => {
    if (isServerManagedField(name) || (name === 'enabled' && isStateInVisibility)) {
      return true;
    }
    const serverFields = name === 'visibility' && !isStateInVisibility ? enabledField : undefined;
    return matchesStored(value, current[name] ?? null, previous[name], serverFields);
  });
}

const hasPublicationState = (visibility: JsonValue | undefined): boolean =>
  isJsonObject(visibility) && typeof visibility['enabled'] === 'boolean';

const enabledField: ReadonlySet<string> = new Set(['enabled']);

/**
 * Adds the write that restores the changed members of a viewpoint, or the whole viewpoint, without its bookmarks, if it
 * was deleted (rest-api.md, "DELETE /infusion/viewpoints").
 */
function undoViewpointWrite(
  { endpoint, params, body, target }: Write,
  oldViewpoint: JsonObject,
  undoWrites: UndoWrites,
): void {
  const { viewpointId = '' } = params;
  const exists = target !== undefined && undoWrites.getDocument(target) !== undefined;
  if (endpoint === 'viewpoints.update' ? 'visibility' in asObject(body) : exists) {
    addLossIfIncomplete(oldViewpoint, undoWrites);
  }
  if (exists) {
    const sentNames =
      endpoint === 'viewpoints.update' ? Object.keys(asObject(body)) : Object.keys(oldViewpoint);
    // A visibility without `enabled` doesn't change the publication state.
    const names = new Set(
      sentNames.includes('visibility') && !hasPublicationState(oldViewpoint['visibility'])
        ? [...sentNames, 'enabled']
        : sentNames,
    );
    const fields = Object.fromEntries([...names].map((name) => [name, getSendableValue(oldViewpoint, name)]));
    undoWrites.add(createViewpointUpdateWrite({ viewpointId }, fields));
    return;
  }
  const isPublished = oldViewpoint['enabled'] === true;
  const visibility = { ...asObject(oldViewpoint['visibility']), enabled: isPublished };
  const index = undoWrites.add(createViewpointCreationWrite({ ...oldViewpoint, visibility }));
  undoWrites.addLoss({ code: 'new-id', name: getDocumentName(oldViewpoint) });
  undoWrites.addRestoredId(getText(oldViewpoint['id']), { write: index, from: ['id'] });
  undoWrites.addLoss({ code: 'bookmarks', name: getDocumentName(oldViewpoint) });
}

/**
 * Returns the value with which an update restores a member of a viewpoint. If the viewpoint lacked the member, that is
 * the value that means the same.
 */
function getSendableValue(viewpoint: JsonObject, name: string): JsonValue {
  const value = viewpoint[name];
  if (name === 'visibility') {
    return value === undefined || !hasCompleteSharing(viewpoint)
      ? { ...asObject(value), ...notShared }
      : value;
  }
  if (name === 'enabled') {
    return value ?? asObject(viewpoint['visibility'])['enabled'] ?? false;
  }
  // The description is required (rest-api.md, "POST /infusion/viewpoints").
  return value ?? (name === 'description' ? '' : null);
}

/** Adds a loss if the sharing of a viewpoint can't be sent. Then the viewpoint isn't shared. */
function addLossIfIncomplete(viewpoint: JsonObject, undoWrites: UndoWrites): void {
  if (!hasCompleteSharing(viewpoint)) {
    undoWrites.addLoss({ code: 'sharing', name: getDocumentName(viewpoint) });
  }
}

/** Sharing with nothing and no one can be sent (decisions.md, "Stable interfaces"). */
const notShared = { apps: [], groups: [], users: [] } as const satisfies JsonObject;
