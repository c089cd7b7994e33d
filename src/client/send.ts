import type { EndpointId, PathDialect, PathParams } from '../contract/endpoints.ts';
import type { QueryParams } from './address.ts';
import type { ApiOperation } from './apiError.ts';

export interface SendOptions {
  /** The query, or a function that makes it for a dialect; if it throws, nothing is sent. */
  readonly query?: QueryParams | ((dialect: PathDialect) => QueryParams);
  /** Makes the body; if it throws, nothing is sent. */
  readonly body?: () => unknown;
  readonly signal?: AbortSignal | undefined;
  /** Set by callers that poll on their own schedule: a failure is reported at once, without a retry. */
  readonly once?: boolean;
}

/** A success (2xx) as received, not read yet. */
export interface RawAnswer {
  readonly operation: ApiOperation;
  readonly status: number;
  readonly text: string;
  readonly isUtf8: boolean;
  readonly contentType: string;
  /** Set if the body is a web page, with its first words for the user, without secrets. */
  readonly page?: { readonly words: string | undefined };
}

/**
 * Carries out one operation: address, guard, token, retries, errors.
 * @throws ApiError and nothing else
 */
export type Send = <Id extends EndpointId>(
  endpoint: Id,
  params: PathParams<Id>,
  options?: SendOptions,
) => Promise<RawAnswer>;
