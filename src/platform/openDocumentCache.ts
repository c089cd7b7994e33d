import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { VersionedTextCache } from '../base/versionedTextCache.ts';

/** Caches values computed from open documents until these change or are closed. */
export class OpenDocumentCache<Value> extends VersionedTextCache<Value> implements Disposable {
  readonly #store = new DisposableStore();

  constructor() {
    super();
    const { workspace } = vscode;
    this.#store.add(workspace.onDidChangeTextDocument(({ document }) => this.evictStale(document)));
    this.#store.add(workspace.onDidCloseTextDocument((document) => this.evict(document)));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
