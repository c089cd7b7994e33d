import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';

/** A tree whose provider is loaded when the view is first shown (decisions.md, "Activation and quality"). */
export class LazyTreeProvider<Node> implements vscode.TreeDataProvider<Node>, Disposable {
  readonly #load: () => Promise<vscode.TreeDataProvider<Node> & Disposable>;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new vscode.EventEmitter<Node | Node[] | undefined>());
  readonly onDidChangeTreeData = this.#onDidChange.event;
  #providerPromise: Promise<vscode.TreeDataProvider<Node>> | undefined;

  constructor(load: () => Promise<vscode.TreeDataProvider<Node> & Disposable>) {
    this.#load = load;
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

  #getProvider(): Promise<vscode.TreeDataProvider<Node>> {
    this.#providerPromise ??= this.#loadProvider();
    return this.#providerPromise;
  }

  async #loadProvider(): Promise<vscode.TreeDataProvider<Node>> {
    const provider = this.#store.add(await this.#load());
    const subscription = provider.onDidChangeTreeData?.((node) => this.#onDidChange.fire(node ?? undefined));
    if (subscription !== undefined) {
      this.#store.add(subscription);
    }
    return provider;
  }
}
