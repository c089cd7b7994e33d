import type { EndpointId, PathDialect, PathParams } from '../contract/endpoints.ts';
import type { QueryParams } from './address.ts';
import type { ApiOperation } from './apiError.ts';

export interface SendOptions {
  /** The query, or what makes it for a dialect; what it throws ends the operation before anything is sent. */
  readonly query?: QueryParams | ((dialect: PathDialect) => QueryParams);
  /** Makes the body; what it throws ends the operation before anything is sent. */
  readonly body?: () => unknown;
  readonly signal?: AbortSignal | undefined;
  /** Set by who asks again by a clock of its own: a failure is told at once, and not followed by another request. */
  readonly once?: boolean;
}

/** A success (2xx) as it came, not read yet. */
export interface RawAnswer {
  readonly operation: ApiOperation;
  readonly status: number;
  readonly text: string;
  readonly isUtf8: boolean;
  readonly contentType: string;
  /** Set where the body is a web page, with its first words for a person, without what is secret. */
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
