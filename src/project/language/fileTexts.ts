import { LineOffsets } from '../../base/lineOffsets.ts';
import type { FilePlace } from './languageMessages.ts';

const byteOrderMark = '\uFEFF';

/** The text of a file with places in it, as an editor counts them: its documents have no byte-order mark. */
export class LocatedText {
  readonly path: string;
  readonly text: string;
  #lines: LineOffsets | undefined;

  constructor({ path, text }: { readonly path: string; readonly text: string }) {
    this.path = path;
    this.text = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  }

  locate({ start, end }: { readonly start: number; readonly end: number }): FilePlace {
    this.#lines ??= new LineOffsets(this.text);
    return {
      path: this.path,
      span: { start: this.#lines.positionAt(start), end: this.#lines.positionAt(end) },
    };
  }
}
