import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../base/json.ts';
import type { EndpointId, PathParams } from '../contract/endpoints.ts';
import { createValidationProblem } from './problem.ts';

/** The user that a bearer token belongs to. */
export interface Caller {
  readonly userId: string;
  readonly isAdministrator: boolean;
}

/** An authenticated request with its decoded path parameters and its losslessly parsed body. */
export interface EndpointCall<Id extends EndpointId> {
  readonly params: PathParams<Id>;
  readonly caller: Caller;
  /** The value of the tenant header (rest-api.md, "Viewpoint API"); `undefined` when it is absent or empty. */
  readonly tenant: string | undefined;
  /** The JSON body; `undefined` for endpoints without one. */
  readonly body: JsonValue | undefined;
  /** A query parameter, decoded; `undefined` when it is absent. */
  readonly query: (name: string) => string | undefined;
}

/** The response of a route; `text` is JSON, and empty with 204. */
export interface EndpointResponse {
  readonly status: 200 | 201 | 204;
  readonly text: string;
}

export type EndpointHandler<Id extends EndpointId> = (
  call: EndpointCall<Id>,
) => EndpointResponse | Promise<EndpointResponse>;

/** One handler for each endpoint of the contract; the compiler requires all of them. */
export type EndpointHandlers = { readonly [Id in EndpointId]: EndpointHandler<Id> };

/** The handlers of all endpoints whose id starts with the area, e.g. `tables.`. */
export type AreaHandlers<Area extends string> = {
  readonly [Id in EndpointId as Id extends `${Area}.${string}` ? Id : never]: EndpointHandler<Id>;
};

export const createOkResponse = (value: unknown): EndpointResponse => ({
  status: 200,
  text: stringify(value),
});
export const createOkTextResponse = (text: string): EndpointResponse => ({ status: 200, text });
export const createCreatedResponse = (value: unknown): EndpointResponse => ({
  status: 201,
  text: stringify(value),
});
export const noContentResponse: EndpointResponse = { status: 204, text: '' };
export const createCreatedTextResponse = (text: string): EndpointResponse => ({ status: 201, text });

/**
 * Returns the body of a call as a JSON object.
 * @throws HttpProblem 400 for any other JSON value.
 */
export function requireObjectBody(call: { readonly body: JsonValue | undefined }): JsonObject {
  if (!isJsonObject(call.body)) {
    throw createValidationProblem('The body must be a JSON object');
  }
  return call.body;
}

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' } as const;

export const toHttpResponse = ({ status, text }: EndpointResponse): Response =>
  status === 204 ? new Response(null, { status }) : new Response(text, { status, headers: jsonHeaders });
