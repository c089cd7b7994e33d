import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { SaveReasons } from '../../documents/saveReasons.ts';

/** The reasons of saves, as the editor's events tell them; documents of all kinds may be in one refactoring. */
export class SaveEvents implements Disposable {
  readonly #store = new DisposableStore();
  readonly #reasons: SaveReasons;

  constructor(clock: Clock) {
    const reasons = new SaveReasons(clock);
    this.#reasons = reasons;
    this.#store.add(
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) =>
        reasons.announced(keyOf(document.uri), reason === vscode.TextDocumentSaveReason.Manual),
      ),
    );
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        // What was read anew is not dirty: only edits count.
        if (contentChanges.length > 0 && document.isDirty) {
          reasons.changed(keyOf(document.uri));
        }
      }),
    );
    this.#store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => reasons.closed(keyOf(uri))));
  }

  /** Whether the write that is coming is what a person asked for. */
  isByHand(uri: vscode.Uri): Promise<boolean> {
    return this.#reasons.isByHand(keyOf(uri));
  }

  dispose(): void {
    this.#store.dispose();
  }
}

const keyOf = (uri: vscode.Uri): string => uri.toString();
