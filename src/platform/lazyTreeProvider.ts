import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { lazy } from '../base/lazy.ts';
import type { Log } from '../base/log.ts';

/** A tree whose provider is loaded when the view is first shown (decisions.md, "Activation and quality"). */
export class LazyTreeProvider<Node> implements vscode.TreeDataProvider<Node>, Disposable {
  readonly #getProvider: () => Promise<vscode.TreeDataProvider<Node>>;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new vscode.EventEmitter<Node | Node[] | undefined>());
  readonly onDidChangeTreeData = this.#onDidChange.event;

  /** @param load creates the provider; if it fails, the editor shows the error, and the next request tries again */
  constructor(load: () => Promise<vscode.TreeDataProvider<Node> & Disposable>, log: Log) {
    this.#getProvider = lazy(async () => {
      try {
        return this.#forwardChanges(await load());
      } catch (error) {
        log.error('explorer', 'A view did not load', { reason: String(error) });
        throw error;
      }
    });
  }

  async getTreeItem(node: Node): Promise<vscode.TreeItem> {
    return (await this.#getProvider()).getTreeItem(node);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    return (await (await this.#getProvider()).getChildren(node)) ?? [];
  }

  async getParent(node: Node): Promise<Node | undefined> {
    return (await (await this.#getProvider()).getParent?.(node)) ?? undefined;
  }

  async resolveTreeItem(
    item: vscode.TreeItem,
    node: Node,
    token: vscode.CancellationToken,
  ): Promise<vscode.TreeItem> {
    return (await (await this.#getProvider()).resolveTreeItem?.(item, node, token)) ?? item;
  }

  /** Makes the view request all of its nodes again. */
  refresh(): void {
    this.#onDidChange.fire(undefined);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #forwardChanges(provider: vscode.TreeDataProvider<Node> & Disposable): vscode.TreeDataProvider<Node> {
    this.#store.add(provider);
    const subscription = provider.onDidChangeTreeData?.((node) => this.#onDidChange.fire(node ?? undefined));
    if (subscription !== undefined) {
      this.#store.add(subscription);
    }
    return provider;
  }
}
