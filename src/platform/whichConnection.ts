import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';

type Connections = Pick<ConnectionStore, 'all' | 'find' | 'onDidChange'>;

/** Words about something of a connection; where there are several connections, they say of which. */
export function sayingWhich(connections: Connections, connectionId: string, words: string): string {
  return withName(words, whichOf(connections, connectionId));
}

/**
 * The title of a page's tab: two of the same datamodel on two connections are told apart by it. One whose connection is
 * removed keeps its title.
 */
export class TabTitle implements Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #store = new DisposableStore();
  #title = '';
  #which: string | undefined;

  constructor(panel: vscode.WebviewPanel, connections: Connections, connectionId: string) {
    this.#panel = panel;
    this.#which = whichOf(connections, connectionId);
    this.#store.add(
      connections.onDidChange(() => {
        if (connections.find(connectionId) !== undefined) {
          this.#which = whichOf(connections, connectionId);
          this.#show();
        }
      }),
    );
  }

  set(title: string): void {
    this.#title = title;
    this.#show();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #show(): void {
    const words = withName(this.#title, this.#which);
    if (!this.#store.isDisposed && this.#panel.title !== words) {
      this.#panel.title = words;
    }
  }
}

const whichOf = ({ all }: Connections, connectionId: string): string | undefined =>
  all.length > 1 ? all.find(({ id }) => id === connectionId)?.name : undefined;

const withName = (words: string, name: string | undefined): string =>
  name === undefined ? words : vscode.l10n.t('{0} ({1})', words, name);
