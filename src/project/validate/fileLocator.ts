import type { JsonPath } from '../../base/json.ts';
import { LineOffsets } from '../../base/lineOffsets.ts';
import { type JsonDocument, parseJsonTree } from '../../json/text/parseJsonTree.ts';
import { findNodeAtPath } from '../../json/text/jsonNode.ts';
import { getPathRange } from '../../json/text/pathRange.ts';
import type { FilePosition } from '../files/project.ts';

/** Finds positions in a text. The text is split and parsed on first use, because most files have no findings. */
export class FileLocator {
  readonly #text: string;
  #offsets: LineOffsets | undefined;
  #document: JsonDocument | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text as JSON. */
  get document(): JsonDocument {
    this.#document ??= parseJsonTree(this.#text);
    return this.#document;
  }

  /** Returns the position of a range and its text, which becomes the subject of a finding. */
  locate({ start, end }: { readonly start: number; readonly end: number }): FilePosition & SubjectText {
    this.#offsets ??= new LineOffsets(this.#text);
    const { line, character } = this.#offsets.positionAt(start);
    const [subject = ''] = this.#text.slice(start, end).split(/[\r\n]/, 1);
    return { line: line + 1, column: character + 1, subject };
  }

  /** Returns the position of the value at a path of the JSON, or that of the closest enclosing value. */
  locatePath(path: JsonPath): FilePosition & SubjectText {
    return this.locate(getPathRange(this.document, path));
  }

  /** Returns the position of the key of the property at a path, or that of the closest enclosing value. */
  locateKey(path: JsonPath): FilePosition & SubjectText {
    const member = findNodeAtPath(this.document.root, path)?.member;
    return member === undefined
      ? this.locatePath(path)
      : this.locate({ start: member.start, end: member.keyEnd });
  }
}

/**
 * The first line of the text that a finding is about. The rest of an object may change without making the finding a new
 * one.
 */
interface SubjectText {
  readonly subject: string;
}
