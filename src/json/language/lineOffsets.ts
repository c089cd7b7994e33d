/** Converts offsets to lines and characters, for a text that is not an open `TextDocument`. */
export class LineOffsets {
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#starts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(({ index, 0: eol }) => index + eol.length)];
  }

  positionAt(offset: number): { readonly line: number; readonly character: number } {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return { line: low, character: offset - (this.#starts[low] ?? 0) };
  }
}
