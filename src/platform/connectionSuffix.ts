import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { getDistinguishingName } from '../connections/distinguishingName.ts';

type Connections = Pick<ConnectionStore, 'all' | 'find' | 'onDidChange'>;

/** Appends the connection's name to a text if the text could also be about another connection or tenant. */
export function withConnectionName(connections: Connections, connectionId: string, text: string): string {
  return appendName(text, getDistinguishingName(connections, connectionId));
}

/**
 * The title of a webview panel, with the connection's name if there are several connections or it is for a tenant. The
 * title stays if the connection is removed.
 */
export class PanelTitle implements Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #store = new DisposableStore();
  #title = '';
  #connectionName: string | undefined;

  constructor(panel: vscode.WebviewPanel, connections: Connections, connectionId: string) {
    this.#panel = panel;
    this.#connectionName = getDistinguishingName(connections, connectionId);
    this.#store.add(
      connections.onDidChange(() => {
        if (connections.find(connectionId) !== undefined) {
          this.#connectionName = getDistinguishingName(connections, connectionId);
          this.#update();
        }
      }),
    );
  }

  set(title: string): void {
    this.#title = title;
    this.#update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const title = appendName(this.#title, this.#connectionName);
    if (!this.#store.isDisposed && this.#panel.title !== title) {
      this.#panel.title = title;
    }
  }
}

const appendName = (text: string, name: string | undefined): string =>
  name === undefined ? text : vscode.l10n.t('{0} ({1})', text, name);
