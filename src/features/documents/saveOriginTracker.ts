import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type SaveOrigin, SaveReasons } from '../../documents/saveReasons.ts';
import { findOpenDocument } from './documentUri.ts';

/** The reasons of saves, from the editor's events; one refactoring may include documents of all kinds. */
export class SaveOriginTracker implements Disposable {
  readonly #store = new DisposableStore();
  readonly #reasons: SaveReasons;

  constructor(clock: Clock) {
    const reasons = new SaveReasons(clock);
    this.#reasons = reasons;
    this.#store.add(
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) =>
        reasons.announced(getDocumentKey(document.uri), reason === vscode.TextDocumentSaveReason.Manual),
      ),
    );
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        // A document that was read again is not dirty: only edits count.
        if (contentChanges.length > 0 && document.isDirty) {
          reasons.changed(getDocumentKey(document.uri));
        }
      }),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => reasons.closed(getDocumentKey(uri))),
    );
  }

  /**
   * Returns the origin of the next write. With auto save off, a write that was not announced is the user's: "Save
   * without Formatting" arrives that way.
   */
  async origin(uri: vscode.Uri): Promise<SaveOrigin> {
    const origin = await this.#reasons.origin(getDocumentKey(uri));
    return origin === 'unknown' && !isAutoSaved(uri) ? 'person' : origin;
  }

  dispose(): void {
    this.#store.dispose();
  }
}

const getDocumentKey = (uri: vscode.Uri): string => uri.toString();

/** Returns whether auto save applies to the document. */
function isAutoSaved(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration('files', findOpenDocument(uri.path) ?? uri);
  const isOutside = vscode.workspace.getWorkspaceFolder(uri) === undefined;
  return files.get('autoSave') !== 'off' && !(isOutside && files.get('autoSaveWorkspaceFilesOnly') === true);
}
