import type { JsonValue } from '../base/json.ts';

/** The response of an operation. */
export interface Answer<T> {
  /** The value as parsed by the contract, with unknown fields kept. */
  readonly value: T;
  /** The body as received, or as it would be as a list; empty if there is none. */
  readonly text: string;
  /**
   * The body as lossless JSON; of a list, in whichever form it was received, its items. Documents are made from it, so
   * that what the user did not edit is sent back unchanged (decisions.md, "REST client"). `undefined` if the body is
   * not read or is empty.
   */
  readonly json: JsonValue | undefined;
  /** The response status, always a success. */
  readonly status: number;
}
