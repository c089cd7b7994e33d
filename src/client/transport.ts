import type { Disposable } from '../base/disposable.ts';
import type { HttpMethod } from '../contract/endpoints.ts';

export interface TransportRequest {
  readonly method: HttpMethod;
  /** Absolute, with its query. It is sent as given: a transport neither normalizes it nor follows redirects. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body, decoded as UTF-8. */
  readonly text: string;
  /** False if the body is not UTF-8: characters of {@link text} are lost. */
  readonly isUtf8: boolean;
  /** Length of the body in bytes. */
  readonly bytes: number;
}

/** Sends requests to an instance. */
export interface Transport extends Disposable {
  /**
   * Sends one request once and reads the whole response, whatever its status.
   * @throws TransportFailure for anything that prevents a complete response
   */
  send(request: TransportRequest): Promise<TransportResponse>;
}

/** How the connection failed. */
export type NetworkFailureKind = 'dns' | 'refused' | 'reset' | 'tls' | 'proxy' | 'unknown';

export type TransportFailureKind = NetworkFailureKind | 'timeout' | 'too-large' | 'aborted';

/** No complete response arrived. The pipeline converts it to an error that names the request. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';
  readonly kind: TransportFailureKind;
  /** The part of the exchange that a `timeout` ended. */
  readonly phase: 'connect' | 'headers' | 'body' | undefined;
  /** The exceeded limit for `too-large`, in bytes. */
  readonly limitBytes: number | undefined;
  /** False if the request certainly did not reach the server. */
  readonly mayHaveBeenSent: boolean;

  constructor(
    kind: TransportFailureKind,
    details: {
      readonly mayHaveBeenSent: boolean;
      readonly cause?: unknown;
      readonly phase?: 'connect' | 'headers' | 'body';
      readonly limitBytes?: number;
    },
  ) {
    super(`The exchange failed: ${kind}`, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.phase = details.phase;
    this.limitBytes = details.limitBytes;
    this.mayHaveBeenSent = details.mayHaveBeenSent;
  }
}
