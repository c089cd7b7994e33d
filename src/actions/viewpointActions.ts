import type { JsonObject } from '../base/json.ts';
import type { Operation } from '../writes/operation.ts';
import { type Place, operationAt } from './place.ts';

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

/** A viewpoint without columns, not shared and not published (spec, "Viewpoint publication"). */
export const createViewpoint = (place: Place, { name, description, datasource }: ViewpointInput): Operation =>
  operationAt(place, 'create', name, [
    {
      endpoint: 'viewpoints.create',
      params: {},
      body: { name, description, details: { datasource, columns: [] } },
    },
  ]);

/**
 * A copy under another name; names are unique (spec, "Viewpoint"). It is neither shared nor published, so that
 * nobody sees it before it is finished.
 */
export const duplicateViewpoint = (place: Place, viewpoint: JsonObject, name: string): Operation =>
  operationAt(place, 'duplicate', name, [
    {
      endpoint: 'viewpoints.create',
      params: {},
      body: {
        name,
        description: viewpoint['description'] ?? '',
        ...(viewpoint['details'] === undefined ? {} : { details: viewpoint['details'] }),
      },
    },
  ]);

/** Deletes the viewpoint with its bookmarks in all apps (spec). */
export const deleteViewpoint = (place: Place, viewpointId: string, name: string): Operation =>
  operationAt(place, 'delete', name, [
    {
      endpoint: 'viewpoints.delete',
      params: { viewpointId },
      target: { kind: 'viewpoint', viewpointId },
    },
  ]);
