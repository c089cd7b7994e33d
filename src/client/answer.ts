import type { JsonValue } from '../base/json.ts';

/** What an operation answered. */
export interface Answer<T> {
  /** What the contract reads in it, with unknown fields kept. */
  readonly value: T;
  /** The body as it came, or as it would be had it come as a list; empty where there is none. */
  readonly text: string;
  /**
   * The body as lossless JSON; of a list, in whichever form it came, its items. It is what documents are made of, so that
   * what a person did not touch goes back as it came (design.md, section 4). `undefined` where the body is not read or is empty.
   */
  readonly json: JsonValue | undefined;
  /** The status that it came with, which is a success. */
  readonly status: number;
}
