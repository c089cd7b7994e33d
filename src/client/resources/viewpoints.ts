import type { EndpointLabels } from '../endpointMethods.ts';
import { type JsonValue, stringify } from '../../base/json.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import {
  type NewViewpoint,
  type Viewpoint,
  type ViewpointChange,
  type ViewpointPage,
  type ViewpointSearch,
  viewpointSchema,
} from '../../contract/viewpoint.ts';
import type { ApiResponse } from '../apiResponse.ts';
import type { DocumentToWrite } from '../payloads/documentToWrite.ts';
import { readAnyJson, readIgnoringBody, readOne, readPage, readWrittenItem } from '../reading.ts';
import type { Send } from '../send.ts';

/** A part of a viewpoint that a list returns on request (rest-api.md, "Viewpoint"). */
export type ViewpointStructure = 'visibility' | 'details';

/** Query of the list, all optional (rest-api.md, "GET /infusion/viewpoints"). */
export interface ViewpointQuery {
  readonly search?: ViewpointSearch | DocumentToWrite;
  /** Structures to add to each viewpoint: one, or several in a list. */
  readonly with?: ViewpointStructure | readonly ViewpointStructure[];
  /** Number of viewpoints to skip. */
  readonly offset?: number;
  /** At most this many; 100 by default. */
  readonly limit?: number;
}

/**
 * Viewpoints, on instances from L2023.11 with the assistant-apps license (rest-api.md, "Viewpoint API"). All but the
 * status need authorization although the guide's parameter table marks the header optional
 * (rest-api.md, "Authentication" 5).
 */
export class ViewpointsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Status of the viewpoint service: it needs no authorization, and its body is not documented (rest-api.md, "What is
   * not described").
   */
  async status(signal?: AbortSignal): Promise<ApiResponse<JsonValue | undefined>> {
    return readAnyJson(await this.#send('viewpoints.status', {}, { signal }));
  }

  /** One page, ordered by ID, with the count of all matches (rest-api.md, "GET /infusion/viewpoints"). */
  async list(query: ViewpointQuery = {}, signal?: AbortSignal): Promise<ApiResponse<ViewpointPage>> {
    const serializeSearch = await createSearchSerializer(query);
    const raw = await this.#send(
      'viewpoints.list',
      {},
      { query: () => toQuery(query, serializeSearch), signal },
    );
    return readPage(raw, viewpointSchema, (viewpoints, total) => ({ viewpoints, total }));
  }

  /** One viewpoint with its details and visibility. */
  async get(path: PathParams<'viewpoints.get'>, signal?: AbortSignal): Promise<ApiResponse<Viewpoint>> {
    return readOne(await this.#send('viewpoints.get', path, { signal }), viewpointSchema);
  }

  async create(
    viewpoint: NewViewpoint | DocumentToWrite,
    signal?: AbortSignal,
  ): Promise<ApiResponse<Viewpoint | undefined>> {
    const { createViewpointPayload } = await import('../payloads/viewpointPayload.ts');
    const createBody = () => createViewpointPayload(viewpoint);
    return readWrittenItem(
      await this.#send('viewpoints.create', {}, { createBody, signal }),
      viewpointSchema,
      'id',
    );
  }

  /**
   * Changes the given fields; `details` and `visibility` are sent complete (rest-api.md, "PUT /infusion/viewpoints").
   */
  async update(
    path: PathParams<'viewpoints.update'>,
    change: ViewpointChange,
    signal?: AbortSignal,
  ): Promise<ApiResponse<Viewpoint | undefined>> {
    const { createViewpointChangePayload } = await import('../payloads/viewpointPayload.ts');
    const createBody = () => createViewpointChangePayload(change);
    return readWrittenItem(
      await this.#send('viewpoints.update', path, { createBody, signal }),
      viewpointSchema,
      'id',
    );
  }

  /**
   * Deletes the viewpoint and its bookmarks in all apps; it is inaccessible at once
   * (rest-api.md, "DELETE /infusion/viewpoints").
   */
  async delete(path: PathParams<'viewpoints.delete'>, signal?: AbortSignal): Promise<ApiResponse<undefined>> {
    return readIgnoringBody(await this.#send('viewpoints.delete', path, { signal }));
  }
}

/** Returns a function that serializes the search; it throws if the search is not an object. */
async function createSearchSerializer({ search }: ViewpointQuery): Promise<() => string | undefined> {
  if (search === undefined) {
    return () => undefined;
  }
  const { requireObject } = await import('../payloads/documentToWrite.ts');
  return () => stringify(requireObject(search, ['search']));
}

const toQuery = (query: ViewpointQuery, serializeSearch: () => string | undefined) => ({
  search: serializeSearch(),
  with: [query.with ?? []].flat().join(',') || undefined,
  offset: query.offset,
  limit: query.limit,
});

export const viewpointLabels: EndpointLabels<'viewpoints'> = {
  'viewpoints.status': (t) => t('Checking the viewpoint service'),
  'viewpoints.list': (t) => t('Loading the viewpoints'),
  'viewpoints.get': (t) => t('Loading the viewpoint'),
  'viewpoints.create': (t) => t('Creating the viewpoint'),
  'viewpoints.update': (t) => t('Changing the viewpoint'),
  'viewpoints.delete': (t) => t('Deleting the viewpoint'),
};
