import type { TreeItem } from 'vscode';
import type { BuildMonitor } from '../../../builds/buildMonitor.ts';
import type { ConnectionStore } from '../../../connections/connectionStore.ts';
import type { Sessions } from '../../../connections/sessions.ts';

/** What the nodes of the tree are drawn from. */
export interface ExplorerModel {
  readonly connections: ConnectionStore;
  readonly sessions: Sessions;
  readonly builds: BuildMonitor;
}

/** A node of the explorer answers for itself. */
export interface ExplorerNode {
  /** Stable and unique (connection, kind, oid), so that expansion and selection survive a refresh. */
  readonly id: string;
  readonly parent: ExplorerNode | undefined;
  item(): TreeItem;
  /** The nodes below; rejects when they cannot be loaded, which the tree shows as an error node. */
  children?(): Promise<readonly ExplorerNode[]>;
  /** Forgets what was loaded for this node, so that its children are asked for anew. */
  reload?(): Promise<void>;
}

/** A node that belongs to a connection. */
export interface NodeOfConnection extends ExplorerNode {
  readonly connectionId: string;
}

/** A node that belongs to a datamodel. */
export interface NodeOfDatamodel extends NodeOfConnection {
  readonly datamodelId: string;
}
