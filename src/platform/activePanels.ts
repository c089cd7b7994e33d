import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';

/** The open pages with their connections: VS Code reports the active editor, but not the panel that is active. */
export class ActivePanels implements Disposable {
  readonly #connectionIds = new Map<vscode.WebviewPanel, string>();
  readonly #onDidChange = new Emitter<void>();
  /** Fires when another page becomes active, or none. */
  readonly onDidChange = this.#onDidChange.event;

  /** The connection of the active page; `undefined` if no page is active. */
  get activeConnectionId(): string | undefined {
    return [...this.#connectionIds].find(([panel]) => panel.active)?.[1];
  }

  /** Tracks a page until the result is disposed, which the caller does when the page is closed. */
  track(panel: vscode.WebviewPanel, connectionId: string): Disposable {
    const store = new DisposableStore();
    this.#connectionIds.set(panel, connectionId);
    store.add(panel.onDidChangeViewState(() => this.#onDidChange.fire()));
    store.add({
      dispose: () => {
        this.#connectionIds.delete(panel);
        this.#onDidChange.fire();
      },
    });
    this.#onDidChange.fire();
    return store;
  }

  dispose(): void {
    this.#connectionIds.clear();
    this.#onDidChange.dispose();
  }
}
