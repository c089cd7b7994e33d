import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type SaveOrigin, SaveReasons } from '../../documents/saveReasons.ts';
import { findOpenDocument } from './documentUri.ts';

/** The reasons of saves, as the editor's events tell them; documents of all kinds may be in one refactoring. */
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
        // What was read anew is not dirty: only edits count.
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
   * Who wants the write that is coming. Where nothing saves by itself, one that was not announced is a person's: that
   * is how "Save without Formatting" comes.
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

/** Whether the editor saves the document when nobody asks. */
function isAutoSaved(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration('files', findOpenDocument(uri.path) ?? uri);
  const isOutside = vscode.workspace.getWorkspaceFolder(uri) === undefined;
  return files.get('autoSave') !== 'off' && !(isOutside && files.get('autoSaveWorkspaceFilesOnly') === true);
}
