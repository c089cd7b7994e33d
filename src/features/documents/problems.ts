import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { locate } from '../../documents/jsonText.ts';
import type { DocumentRefusal } from '../../documents/refusals.ts';
import { refusalMessage } from './refusalWords.ts';

/** Shows in a document why its last save was refused, until it is changed or saved. */
export class SaveProblems implements Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('datamodelStudio.documents');

  show(document: vscode.TextDocument, refusal: DocumentRefusal): void {
    const text = document.getText();
    // What is wrong with JSON as such is told by the editor's own language service.
    const places =
      refusal.problems.length > 0 ? refusal.problems : refusal.paths.map((path) => locate(text, path));
    const message = refusalMessage(refusal);
    this.#collection.set(
      document.uri,
      places.map(({ offset, length }) => {
        const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
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
