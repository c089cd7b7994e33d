import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';

type Connections = Pick<ConnectionStore, 'all' | 'find' | 'onDidChange'>;

/** Words about something of a connection; where there are several connections, they say of which. */
export function sayingWhich(connections: Connections, connectionId: string, words: string): string {
  const name = connections.all.length > 1 ? connections.find(connectionId)?.name : undefined;
  return name === undefined ? words : vscode.l10n.t('{0} ({1})', words, name);
}

/** The title of a page's tab: two of the same datamodel on two connections are told apart by it. */
export class TabTitle implements Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #words: () => string;
  readonly #store = new DisposableStore();
  #title = '';

  constructor(panel: vscode.WebviewPanel, connections: Connections, connectionId: string) {
    this.#panel = panel;
    this.#words = () => sayingWhich(connections, connectionId, this.#title);
    this.#store.add(connections.onDidChange(() => this.#show()));
  }

  set(title: string): void {
    this.#title = title;
    this.#show();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #show(): void {
    const words = this.#words();
    if (!this.#store.isDisposed && this.#panel.title !== words) {
      this.#panel.title = words;
    }
  }
}
