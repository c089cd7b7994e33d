import type { JsonValue } from '../base/json.ts';

/** The response of an operation. */
export interface ApiResponse<T> {
  /** The value as parsed by the contract, with unknown fields kept. */
  readonly value: T;
  /** The body as received, or the JSON of the merged list if several responses were merged; empty if there is none. */
  readonly text: string;
  /**
   * The body as lossless JSON; for a list, only its items, whatever the form of the response. Documents are created
   * from it, so that parts that the user did not edit are sent back unchanged (decisions.md, "REST client").
   * `undefined` if the body is not read or is empty.
   */
  readonly json: JsonValue | undefined;
  /** The response status, always a success. */
  readonly status: number;
}
