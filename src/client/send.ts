import type { EndpointId, PathDialect, PathParams } from '../contract/endpoints.ts';
import type { QueryParams } from './requestAddress.ts';
import type { ApiRequestInfo } from './apiError.ts';

export interface SendOptions {
  /** The query, or a function that creates it for a dialect; if the function throws, nothing is sent. */
  readonly query?: QueryParams | ((dialect: PathDialect) => QueryParams);
  /** Creates the body; if it throws, nothing is sent. */
  readonly createBody?: () => unknown;
  readonly signal?: AbortSignal | undefined;
  /** Set by callers that poll on their own schedule: a failure is reported at once, without a retry. */
  readonly noRetry?: boolean;
}

/** A successful response (2xx) as received; its body is not parsed yet. */
export interface RawResponse {
  readonly requestInfo: ApiRequestInfo;
  readonly status: number;
  readonly text: string;
  readonly isUtf8: boolean;
  readonly contentType: string;
  /** Set if the body is a web page, with the beginning of its text for the user, without secrets. */
  readonly webPage?: { readonly serverMessage: string | undefined };
}

/**
 * Sends a request: builds its address, asks the write guard, adds the token, retries reads, and turns failures into
 * errors.
 * @throws ApiError and nothing else
 */
export type Send = <Id extends EndpointId>(
  endpoint: Id,
  params: PathParams<Id>,
  options?: SendOptions,
) => Promise<RawResponse>;
