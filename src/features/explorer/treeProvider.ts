import * as vscode from 'vscode';
import { retryOnSessionReplaced } from '../../client/abort.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { CatalogChange } from '../../catalog/instanceCatalog.ts';
import { sortByName } from '../../catalog/naturalOrder.ts';
import { isSameSubject } from '../../catalog/ruleSubject.ts';
import { getBaseConnectionId } from '../../catalog/tenantConnection.ts';
import type { CatalogChangeEvent } from '../../connections/sessions.ts';
import { ConnectionNode, PinsNode, getVisiblePins } from './nodes/rootNodes.ts';
import { NodeRegistry } from './nodeRegistry.ts';
import type { PersistedTreeState } from './treeState.ts';
import type { ExplorerNodeDeps, ExplorerNode } from './nodes/node.ts';

/**
 * Provides the nodes of the Connections view. Each creates its own tree item; a failed load is shown as an error node.
 */
export class ExplorerTreeProvider implements vscode.TreeDataProvider<ExplorerNode>, Disposable {
  readonly #deps: ExplorerNodeDeps;
  readonly #treeState: PersistedTreeState;
  readonly #log: Log;
  readonly #registry = new NodeRegistry<ExplorerNode>();
  readonly #offlineConnectionIds = new Set<string>();
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new vscode.EventEmitter<ExplorerNode | undefined>());
  readonly onDidChangeTreeData = this.#onDidChange.event;
  readonly #onDidChangeOfflineConnections = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidChangeOfflineConnections = this.#onDidChangeOfflineConnections.event;

  readonly #onDidShowSelectedNode = this.#store.add(new vscode.EventEmitter<ExplorerNode>());
  /** Fires when the node that was selected before the window was closed is shown again. */
  readonly onDidShowSelectedNode = this.#onDidShowSelectedNode.event;

  readonly #onDidLoadRoots = this.#store.add(new vscode.EventEmitter<ExplorerNode>());
  /**
   * Fires when the editor requests the root nodes and there are any, just before they are returned. The event is the
   * first of them.
   */
  readonly onDidLoadRoots = this.#onDidLoadRoots.event;

  constructor(deps: ExplorerNodeDeps, treeState: PersistedTreeState, log: Log) {
    this.#deps = deps;
    this.#treeState = treeState;
    this.#log = log;
  }

  /** The IDs of the connections whose instances could not be reached at the last attempt. */
  get offlineConnectionIds(): ReadonlySet<string> {
    return this.#offlineConnectionIds;
  }

  async getTreeItem(node: ExplorerNode): Promise<vscode.TreeItem> {
    const item = await node.getTreeItem();
    item.id = node.id;
    const wasExpanded = item.collapsibleState ? this.#treeState.takeExpanded(node.id) : undefined;
    if (wasExpanded !== undefined) {
      const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
      item.collapsibleState = wasExpanded ? Expanded : Collapsed;
    }
    return item;
  }

  async resolveTreeItem(item: vscode.TreeItem, node: ExplorerNode): Promise<vscode.TreeItem> {
    item.tooltip ??= await node.getTooltip?.();
    return item;
  }

  getParent(node: ExplorerNode): ExplorerNode | undefined {
    return node.parent;
  }

  async getChildren(node?: ExplorerNode): Promise<ExplorerNode[]> {
    const children = node === undefined ? this.getRoots() : await this.#loadChildren(node);
    this.#registry.setChildren(node?.id, children);
    const [firstChild] = children;
    if (node === undefined && firstChild !== undefined) {
      this.#onDidLoadRoots.fire(firstChild);
    }
    for (const child of children) {
      if (this.#treeState.takeSelected(child.id)) {
        this.#onDidShowSelectedNode.fire(child);
      }
    }
    return [...children];
  }

  /** Returns the node with an ID if the editor has requested it. */
  findNode(id: string): ExplorerNode | undefined {
    return this.#registry.find(id);
  }

  /** Redraws the node with an ID, or the whole tree if there is no ID; ignores nodes that are not shown. */
  refreshNode(id?: string): void {
    const node = id === undefined ? undefined : this.#registry.find(id);
    if (id === undefined || node !== undefined) {
      this.#onDidChange.fire(node);
    }
  }

  /** Redraws the nodes whose part of the catalog has changed. */
  refreshForChange({ connectionId, change }: CatalogChangeEvent): void {
    for (const node of this.#registry.nodesWithCatalogPart) {
      if (
        node.connectionId === connectionId &&
        node.catalogPart !== undefined &&
        needsRedraw(change, node.catalogPart)
      ) {
        this.#onDidChange.fire(node);
      }
    }
  }

  /** Reloads the data of the node with an ID, or all data if there is no ID or the tree doesn't show the node. */
  reload(id?: string): void {
    const node = id === undefined ? undefined : this.#registry.find(id);
    if (node === undefined) {
      for (const connection of this.#deps.connections.all) {
        // Replace the session too: the sandbox may have stopped, or the address may belong to another server. The nodes
        // are redrawn when the session ends.
        this.#deps.sessions.renew(connection.id);
      }
      return;
    }
    const catalogPartNode = findCatalogPartNode(node);
    const session =
      catalogPartNode?.connectionId === undefined
        ? undefined
        : this.#deps.sessions.peek(catalogPartNode.connectionId);
    if (catalogPartNode?.catalogPart?.kind === 'all' && catalogPartNode.connectionId !== undefined) {
      this.#deps.sessions.renew(catalogPartNode.connectionId);
    } else if (catalogPartNode?.catalogPart !== undefined && session !== undefined) {
      // The change of the catalog redraws the nodes.
      session.catalog.invalidate(catalogPartNode.catalogPart);
    } else {
      this.refreshNode(node.id);
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Creates the root nodes: the pins, if there are any, and the connections. */
  getRoots(): readonly ExplorerNode[] {
    const connections = sortByName(this.#deps.connections.all, ({ name }) => name).map(
      (connection) => new ConnectionNode(this.#deps, connection),
    );
    return getVisiblePins(this.#deps).length === 0 ? connections : [new PinsNode(this.#deps), ...connections];
  }

  async #loadChildren(node: ExplorerNode): Promise<readonly ExplorerNode[]> {
    try {
      const children = await retryOnSessionReplaced(async () => (await node.getChildren?.()) ?? []);
      this.#setOffline(node, false);
      return children;
    } catch (error) {
      this.#log.warn('explorer', 'Loading failed', { node: node.id, reason: String(error) });
      // Loaded on the first failure, to keep startup fast.
      const { ErrorNode, isOffline } = await import('./nodes/errorNode.ts');
      this.#setOffline(node, isOffline(error));
      return [new ErrorNode(node, error)];
    }
  }

  #setOffline({ connectionId, catalogPart }: ExplorerNode, isOffline: boolean): void {
    // Only a load that sends requests shows whether the server can be reached.
    if (connectionId === undefined || catalogPart === undefined || catalogPart.kind === 'all') {
      return;
    }
    const baseId = getBaseConnectionId(connectionId);
    if (this.#offlineConnectionIds.has(baseId) !== isOffline) {
      if (isOffline) {
        this.#offlineConnectionIds.add(baseId);
      } else {
        this.#offlineConnectionIds.delete(baseId);
      }
      this.#onDidChangeOfflineConnections.fire();
    }
  }
}

/** Returns the node with the part of the catalog that a node's children come from: the node itself or an ancestor. */
function findCatalogPartNode(node: ExplorerNode): ExplorerNode | undefined {
  return node.catalogPart !== undefined || node.parent === undefined
    ? node
    : findCatalogPartNode(node.parent);
}

/**
 * Returns whether a change requires that a node with a part of the catalog is redrawn. Returns false for nodes that are
 * redrawn anyway, together with a node above them.
 */
function needsRedraw(change: CatalogChange, catalogPart: CatalogChange): boolean {
  if (change.kind === 'all' || catalogPart.kind === 'all') {
    return change.kind === catalogPart.kind;
  }
  if (change.kind === 'datamodel') {
    // The list has an item for the datamodel, and a pin shows the datamodel outside the list.
    return (
      catalogPart.kind === 'datamodels' ||
      (catalogPart.kind === 'datamodel' && catalogPart.datamodelId === change.datamodelId)
    );
  }
  if (change.kind === 'rules') {
    return catalogPart.kind === 'rules' && isSameSubject(catalogPart.subject, change.subject);
  }
  return catalogPart.kind === change.kind;
}
