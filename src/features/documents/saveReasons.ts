import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';

/** An announcement of a save counts for the write that follows it at once. */
const announcedMs = 5000;

/** Changes of several documents within this time are one refactoring… */
const burstMs = 200;

/** …and a save that follows it within this time is the editor's: no person is so quick. */
const refactoringMs = 500;

/**
 * Tells saves by hand from others. The editor announces why it saves, except that what it saves after a refactoring
 * (`files.refactoring.autoSave`) looks like a save by hand: that follows a change of several documents at once.
 */
export class SaveReasons implements Disposable {
  readonly #clock: Clock;
  readonly #store = new DisposableStore();
  readonly #announced = new Map<string, { readonly byHand: boolean; readonly at: number }>();
  /** When each document was last changed, while the changes of one moment are looked at. */
  readonly #changed = new Map<string, number>();
  readonly #refactored = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#store.add(vscode.workspace.onWillSaveTextDocument((event) => this.#announce(event)));
    this.#store.add(vscode.workspace.onDidChangeTextDocument((event) => this.#change(event)));
  }

  /** Whether the write that is coming is what a person asked for. */
  isByHand(path: string): boolean {
    const announced = this.#announced.get(path);
    this.#announced.delete(path);
    // "Save without formatting" is not announced, and nobody but a person does it.
    return announced === undefined || this.#clock.now() - announced.at > announcedMs || announced.byHand;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #announce({ document: { uri }, reason }: vscode.TextDocumentWillSaveEvent): void {
    if (uri.scheme === schemes.document) {
      const at = this.#clock.now();
      const refactored = this.#refactored.get(uri.path);
      const isFollowUp = refactored !== undefined && at - refactored <= refactoringMs;
      this.#announced.set(uri.path, {
        byHand: reason === vscode.TextDocumentSaveReason.Manual && !isFollowUp,
        at,
      });
    }
  }

  #change({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    // What was read anew is not dirty: only edits count.
    if (contentChanges.length === 0 || !document.isDirty) {
      return;
    }
    const now = this.#clock.now();
    for (const [key, at] of this.#changed) {
      if (now - at > burstMs) {
        this.#changed.delete(key);
      }
    }
    this.#changed.set(document.uri.toString(), now);
    if (this.#changed.size > 1) {
      for (const key of this.#changed.keys()) {
        this.#refactored.set(vscode.Uri.parse(key).path, now);
      }
    }
  }
}
