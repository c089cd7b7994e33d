import { LineOffsets } from '../../base/lineOffsets.ts';
import type { FileLocation } from './languageCalls.ts';

const byteOrderMark = '\uFEFF';

/** The text of a file without a byte-order mark, to find positions as an editor counts them. */
export class LocatedText {
  readonly path: string;
  readonly text: string;
  #lines: LineOffsets | undefined;

  constructor({ path, text }: { readonly path: string; readonly text: string }) {
    this.path = path;
    this.text = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  }

  locate({ start, end }: { readonly start: number; readonly end: number }): FileLocation {
    this.#lines ??= new LineOffsets(this.text);
    return {
      path: this.path,
      span: { start: this.#lines.positionAt(start), end: this.#lines.positionAt(end) },
    };
  }
}
