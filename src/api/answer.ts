/**
 * What an operation answered. `text` is the body as it came (documents are edited on the text level, so that what a
 * person did not touch goes back as it came: design.md, section 4); `value` is what the contract reads in it, with
 * unknown fields kept.
 */
export interface Answer<T> {
  readonly value: T;
  readonly text: string;
  /** The status that it came with, which is a success. */
  readonly status: number;
}
