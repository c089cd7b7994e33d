import { type JsonObject } from '../../base/json.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import type { Write } from './operation.ts';

type ViewpointIds = PathParams<'viewpoints.update'>;

/** Creates the write that creates a viewpoint. */
export const createViewpointCreationWrite = (body: JsonObject): Write => ({
  endpoint: 'viewpoints.create',
  params: {},
  body,
});

/**
 * Creates the write that replaces some fields of a viewpoint, each as a whole
 * (rest-api.md, "PUT /infusion/viewpoints").
 */
export const createViewpointUpdateWrite = ({ viewpointId }: ViewpointIds, body: JsonObject): Write => ({
  endpoint: 'viewpoints.update',
  params: { viewpointId },
  body,
  target: { kind: 'viewpoint', viewpointId },
});

/**
 * Creates the write that deletes a viewpoint with its bookmarks in all apps
 * (rest-api.md, "DELETE /infusion/viewpoints").
 */
export const createViewpointDeletionWrite = ({ viewpointId }: ViewpointIds): Write => ({
  endpoint: 'viewpoints.delete',
  params: { viewpointId },
  target: { kind: 'viewpoint', viewpointId },
});
