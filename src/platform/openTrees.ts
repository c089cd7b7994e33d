import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { PerVersion } from '../base/perVersion.ts';

/** What is made of the documents that are open, and kept no longer than they are as they were. */
export class OpenTrees<Made> extends PerVersion<Made> implements Disposable {
  readonly #store = new DisposableStore();

  constructor() {
    super();
    const { workspace } = vscode;
    this.#store.add(workspace.onDidChangeTextDocument(({ document }) => this.changed(document)));
    this.#store.add(workspace.onDidCloseTextDocument((document) => this.closed(document)));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
