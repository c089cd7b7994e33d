import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { DocumentRefusedError } from '../../documents/refusals.ts';
import { type JsonTrees, getJsonTree } from '../../json/text/jsonTrees.ts';
import { getPathRange } from '../../json/text/pathRange.ts';
import { describeRefusal } from './refusalMessages.ts';

/** Shows as diagnostics why the last save of a document was refused, until the document is changed or saved. */
export class SaveProblems implements Disposable {
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('datamodelStudio.documents');
  readonly #trees: JsonTrees;

  constructor(trees: JsonTrees) {
    this.#trees = trees;
  }

  show(document: vscode.TextDocument, refusal: DocumentRefusedError): void {
    // Marks where the JSON is invalid, or else the values that were refused.
    const ranges =
      refusal.problems.length > 0
        ? refusal.problems.map(({ offset, length }) => ({ start: offset, end: offset + length }))
        : refusal.paths.map((path) => getPathRange(getJsonTree(this.#trees, document), path));
    const message = describeRefusal(refusal);
    this.#diagnostics.set(
      document.uri,
      ranges.map(({ start, end }) => {
        const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
        const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
        diagnostic.source = 'Datamodel Studio';
        diagnostic.code = refusal.code;
        return diagnostic;
      }),
    );
  }

  clear(uri: vscode.Uri): void {
    this.#diagnostics.delete(uri);
  }

  dispose(): void {
    this.#diagnostics.dispose();
  }
}
