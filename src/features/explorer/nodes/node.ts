import type { MarkdownString, TreeItem } from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import type { BuildMonitor } from '../../../builds/buildMonitor.ts';
import type { Catalog, CatalogChange } from '../../../catalog/catalog.ts';
import type { Pin, Pins } from '../../../catalog/pins.ts';
import type { ResourceRef } from '../../../catalog/resourceRef.ts';
import type { ConnectionStore } from '../../../connections/connectionStore.ts';
import type { Sessions } from '../../../connections/sessions.ts';
import type { WriteLocks } from '../../../connections/writeLocks.ts';
import type { FilterState } from '../filterState.ts';

/** What the nodes of the tree are drawn from. */
export interface ExplorerModel {
  readonly connections: ConnectionStore;
  readonly sessions: Sessions;
  readonly builds: BuildMonitor;
  readonly locks: WriteLocks;
  readonly pins: Pins;
  readonly filter: FilterState;
  readonly clock: Clock;
}

/** A node of the explorer answers for itself. */
export interface ExplorerNode {
  /** Stable and unique (connection, kind, oid), so that expansion and selection survive a refresh. */
  readonly id: string;
  readonly parent: ExplorerNode | undefined;
  /** The connection that it belongs to. */
  readonly connectionId?: string;
  /** The part of the catalogue that its children come from; what is below it comes from there too. */
  readonly loads?: CatalogChange;
  /** The resource that it stands for, if it stands for one. */
  readonly resource?: ResourceRef;
  /** What the resource is called, which is not always its label. */
  readonly name?: string;
  /** How SQL refers to it. */
  readonly reference?: { readonly table: string; readonly column?: string };
  /** What pins it; absent where it cannot be pinned. */
  readonly pin?: Pin | undefined;
  /** Everything but the id and the tooltip. */
  item(): TreeItem;
  /** Made when it is looked at. */
  tooltip?(): MarkdownString;
  /** The nodes below; rejects when they cannot be loaded, which the tree shows as a node of its own. */
  children?(): Promise<readonly ExplorerNode[]>;
}

/** A node that belongs to a connection. */
export interface NodeOfConnection extends ExplorerNode {
  readonly connectionId: string;
}

/** A node that belongs to a datamodel. */
export interface NodeOfDatamodel extends NodeOfConnection {
  readonly datamodelId: string;
}

/** What is known of the instance of a node's connection. */
export async function catalogOf(model: ExplorerModel, node: { connectionId: string }): Promise<Catalog> {
  return (await model.sessions.get(node.connectionId)).catalog;
}
