import { lowerBound } from './lowerBound.ts';

/** Converts offsets to lines and characters, for a text that is not an open `TextDocument`. */
export class LineOffsets {
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#starts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(({ index, 0: eol }) => index + eol.length)];
  }

  positionAt(offset: number): { readonly line: number; readonly character: number } {
    const line = lowerBound(this.#starts.length, (index) => (this.#starts[index] ?? 0) <= offset) - 1;
    return { line, character: offset - (this.#starts[line] ?? 0) };
  }
}
