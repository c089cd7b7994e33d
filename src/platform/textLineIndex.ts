import * as vscode from 'vscode';

/**
 * Converts offsets to positions in a text that is not open as a document; recognizes the same line endings as the
 * editor.
 */
export class TextLineIndex {
  readonly #lineStarts: readonly number[];

  constructor(text: string) {
    this.#lineStarts = [
      0,
      ...[...text.matchAll(/\r\n|\r|\n/g)].map((match) => match.index + match[0].length),
    ];
  }

  toRange({ start, end }: { readonly start: number; readonly end: number }): vscode.Range {
    return new vscode.Range(this.#positionAt(start), this.#positionAt(end));
  }

  #positionAt(offset: number): vscode.Position {
    const nextLine = this.#lineStarts.findIndex((start) => start > offset);
    const line = (nextLine < 0 ? this.#lineStarts.length : nextLine) - 1;
    return new vscode.Position(line, offset - (this.#lineStarts[line] ?? 0));
  }
}
