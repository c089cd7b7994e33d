import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { getDocumentPath } from '../../documents/documentAddress.ts';
import { type SaveTrigger, SaveTriggers } from '../../documents/saveTriggers.ts';
import { findOpenDocument } from './openDocuments.ts';

/**
 * Determines from VS Code's events whether a person or auto save triggered a save. Tracks documents of all schemes.
 */
export class SaveTriggerTracker implements Disposable {
  readonly #store = new DisposableStore();
  readonly #triggers: SaveTriggers;

  constructor(clock: Clock) {
    const triggers = new SaveTriggers(clock);
    this.#triggers = triggers;
    this.#store.add(
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) =>
        triggers.handleWillSave(
          getDocumentKey(document.uri),
          reason === vscode.TextDocumentSaveReason.Manual,
        ),
      ),
    );
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        // A reloaded document also changes but is not dirty: only edits count.
        if (contentChanges.length > 0 && document.isDirty) {
          triggers.handleChange(getDocumentKey(document.uri));
        }
      }),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => triggers.handleClose(getDocumentKey(uri))),
    );
  }

  /**
   * Returns the trigger of the next write. If auto save is off, a write without a preceding event counts as requested
   * by the user, for example with "Save without Formatting".
   */
  async getTrigger(uri: vscode.Uri): Promise<SaveTrigger> {
    const trigger = await this.#triggers.takeTrigger(getDocumentKey(uri));
    return trigger === 'unknown' && !isAutoSaved(uri) ? 'person' : trigger;
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
