import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { VersionedTextCache } from '../base/versionedTextCache.ts';

/** What is made of the documents that are open, and kept no longer than they are as they were. */
export class OpenDocumentCache<Made> extends VersionedTextCache<Made> implements Disposable {
  readonly #store = new DisposableStore();

  constructor() {
    super();
    const { workspace } = vscode;
    this.#store.add(workspace.onDidChangeTextDocument(({ document }) => this.documentChanged(document)));
    this.#store.add(workspace.onDidCloseTextDocument((document) => this.documentClosed(document)));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
