import type { JsonPath } from '../../base/json.ts';
import { LineOffsets } from '../../json/language/lineOffsets.ts';
import { type JsonDocument, parseJson } from '../../json/text/parseJson.ts';
import { getPathRange } from '../../json/text/pathRange.ts';
import type { FilePosition } from '../files/project.ts';

/** Finds the places of a text. The text is split and parsed on first use, because most files have no findings. */
export class FileLocator {
  readonly #text: string;
  #offsets: LineOffsets | undefined;
  #document: JsonDocument | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text as JSON. */
  get document(): JsonDocument {
    this.#document ??= parseJson(this.#text);
    return this.#document;
  }

  /** Returns the place of a range, and its text: that is what a finding is about. */
  locate({ start, end }: { readonly start: number; readonly end: number }): FilePosition & SubjectText {
    this.#offsets ??= new LineOffsets(this.#text);
    const { line, character } = this.#offsets.positionAt(start);
    const [subject = ''] = this.#text.slice(start, end).split(/[\r\n]/, 1);
    return { line: line + 1, column: character + 1, subject };
  }

  /** Returns the place of the value at a path of the JSON, or that of the nearest value around it. */
  locatePath(path: JsonPath): FilePosition & SubjectText {
    return this.locate(getPathRange(this.document, path));
  }
}

/** The first line of what a finding is about: the rest of an object may change, and the finding is the same. */
interface SubjectText {
  readonly subject: string;
}
