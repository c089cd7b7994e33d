import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { getDocumentPath } from '../../documents/documentAddress.ts';
import { type SaveOrigin, SaveOrigins } from '../../documents/saveOrigins.ts';
import { findOpenDocument } from './openDocuments.ts';

/**
 * Determines from VS Code's events whether the user or the editor requested a save. Tracks documents of all schemes.
 */
export class SaveOriginTracker implements Disposable {
  readonly #store = new DisposableStore();
  readonly #origins: SaveOrigins;

  constructor(clock: Clock) {
    const origins = new SaveOrigins(clock);
    this.#origins = origins;
    this.#store.add(
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) =>
        origins.handleWillSave(getDocumentKey(document.uri), reason === vscode.TextDocumentSaveReason.Manual),
      ),
    );
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        // A reloaded document also changes but is not dirty: only edits count.
        if (contentChanges.length > 0 && document.isDirty) {
          origins.handleChange(getDocumentKey(document.uri));
        }
      }),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => origins.handleClose(getDocumentKey(uri))),
    );
  }

  /**
   * Returns the origin of the next write. If auto save is off, a write without a preceding event counts as requested by
   * the user, for example with "Save without Formatting".
   */
  async getOrigin(uri: vscode.Uri): Promise<SaveOrigin> {
    const origin = await this.#origins.takeOrigin(getDocumentKey(uri));
    return origin === 'unknown' && !isAutoSaved(uri) ? 'person' : origin;
  }

  dispose(): void {
    this.#store.dispose();
  }
}

const getDocumentKey = (uri: vscode.Uri): string => uri.toString();

/** Returns whether auto save applies to the document. */
function isAutoSaved(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration('files', findOpenDocument(getDocumentPath(uri)) ?? uri);
  const isOutside = vscode.workspace.getWorkspaceFolder(uri) === undefined;
  return files.get('autoSave') !== 'off' && !(isOutside && files.get('autoSaveWorkspaceFilesOnly') === true);
}
