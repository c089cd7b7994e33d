import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { DocumentRefusal } from '../../documents/refusals.ts';
import { type JsonTrees, treeOf } from '../../json/text/jsonTrees.ts';
import { rangeOf } from '../../json/text/rangeOf.ts';
import { refusalMessage } from './refusalWords.ts';

/** Shows in a document why its last save was refused, until it is changed or saved. */
export class SaveProblems implements Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('datamodelStudio.documents');
  readonly #trees: JsonTrees;

  constructor(trees: JsonTrees) {
    this.#trees = trees;
  }

  show(document: vscode.TextDocument, refusal: DocumentRefusal): void {
    // What is wrong with JSON as such is told by the editor's own language service.
    const places =
      refusal.problems.length > 0
        ? refusal.problems.map(({ offset, length }) => ({ start: offset, end: offset + length }))
        : refusal.paths.map((path) => rangeOf(treeOf(this.#trees, document), path));
    const message = refusalMessage(refusal);
    this.#collection.set(
      document.uri,
      places.map(({ start, end }) => {
        const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
        const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
        diagnostic.source = 'Datamodel Studio';
        diagnostic.code = refusal.code;
        return diagnostic;
      }),
    );
  }

  clear(uri: vscode.Uri): void {
    this.#collection.delete(uri);
  }

  dispose(): void {
    this.#collection.dispose();
  }
}
