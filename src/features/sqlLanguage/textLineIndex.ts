import * as vscode from 'vscode';

/**
 * Converts offsets to positions in a text that is not open as a document; recognizes the same line endings as the
 * editor.
 */
export class TextLineIndex {
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((match) => match.index + match[0].length)];
  }

  toRange({ start, end }: { readonly start: number; readonly end: number }): vscode.Range {
    return new vscode.Range(this.#positionAt(start), this.#positionAt(end));
  }

  #positionAt(offset: number): vscode.Position {
    const after = this.#starts.findIndex((start) => start > offset);
    const line = (after < 0 ? this.#starts.length : after) - 1;
    return new vscode.Position(line, offset - (this.#starts[line] ?? 0));
  }
}
