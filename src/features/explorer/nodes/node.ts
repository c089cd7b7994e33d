import * as vscode from 'vscode';
import type { ConnectionRole } from '../../../connections/connection.ts';
import { type TreeTarget, schemes } from '../../../contributions.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { BuildMonitor } from '../../../builds/buildMonitor.ts';
import type { InstanceCatalog, CatalogChange } from '../../../catalog/instanceCatalog.ts';
import type { Pin, Pins } from '../../../catalog/pins.ts';
import { getBaseConnectionId } from '../../../catalog/tenantConnection.ts';
import type { ResourceRef } from '../../../catalog/resourceRef.ts';
import type { ConnectionStore } from '../../../connections/connectionStore.ts';
import type { SelectedTenants } from '../../../connections/selectedTenants.ts';
import type { Sessions } from '../../../connections/sessions.ts';
import type { ViewpointServiceStatuses } from '../../../connections/viewpointServiceStatuses.ts';
import type { TokenStore } from '../../../connections/tokenStore.ts';
import { getWebLink } from '../../../connections/webLinks.ts';
import type { WriteLocks } from '../../../connections/writeLocks.ts';
import type { FilterState } from '../filterState.ts';
import type { RuleSubject } from '../../../catalog/ruleSubject.ts';
import { escapeMarkdownText } from '../../../platform/serverText.ts';
import { createCommand } from '../../../platform/commands.ts';

/** The dependencies of the tree's nodes. */
export interface ExplorerNodeDeps {
  readonly connections: ConnectionStore;
  readonly sessions: Sessions;
  readonly buildMonitor: BuildMonitor;
  readonly locks: WriteLocks;
  readonly tokens: TokenStore;
  readonly tenants: SelectedTenants;
  readonly viewpointServiceStatuses: ViewpointServiceStatuses;
  readonly pins: Pins;
  readonly filter: FilterState;
  readonly clock: Clock;
  readonly log: Log;
}

/** A node of the Connections view. */
export interface ExplorerNode {
  /** Unique and stable, so that expansion and selection survive a refresh. */
  readonly id: string;
  readonly parent: ExplorerNode | undefined;
  /** The datamodel that a pinned table belongs to; other nodes of a datamodel are below its node. */
  readonly datamodelTarget?: TreeTarget;
  /** The ID of the connection that the node belongs to. */
  readonly connectionId?: string;
  /** The part of the catalog that the children are loaded from; absent if an ancestor has it. */
  readonly catalogPart?: CatalogChange;
  /** The resource of the node, if it has one. */
  readonly resource?: ResourceRef;
  /** The name of the resource, which is not always the label. */
  readonly name?: string;
  /** The names that SQL uses for the table or column. */
  readonly reference?: { readonly table: string; readonly column?: string };
  /** The pin to add for the node; absent if it cannot be pinned. */
  readonly pin?: Pin | undefined;
  /** Creates the tree item, without its ID and tooltip. */
  getTreeItem(): vscode.TreeItem | Promise<vscode.TreeItem>;
  /** Creates the tooltip when the user hovers over the node. */
  getTooltip?(): vscode.MarkdownString | Promise<vscode.MarkdownString>;
  /** Returns the children. Rejects if they cannot be loaded; the tree then shows an error node. */
  getChildren?(): Promise<readonly ExplorerNode[]>;
}

/** A node that belongs to a connection. */
export interface ConnectionChildNode extends ExplorerNode {
  readonly connectionId: string;
}

/** A node that belongs to a datamodel. */
export interface DatamodelChildNode extends ConnectionChildNode {
  readonly datamodelId: string;
}

/** Returns the catalog of the instance that a node's connection belongs to. */
export async function getCatalog(
  deps: ExplorerNodeDeps,
  node: { connectionId: string },
): Promise<InstanceCatalog> {
  return (await deps.sessions.get(node.connectionId)).catalog;
}

/** Returns the suffix of a context value that makes menus show the web link commands; empty if the node has no link. */
export const getLinkSuffix = ({ connections }: ExplorerNodeDeps, node: ExplorerNode): '' | '.link' =>
  getNodeWebLink(connections, node) === undefined ? '' : '.link';

/** Returns the address of a node's resource in the web interface; `undefined` if there is none. */
export const getNodeWebLink = (
  connections: ConnectionStore,
  { connectionId, resource, name = '' }: ExplorerNode,
): string | undefined =>
  getWebLink(connectionId === undefined ? undefined : connections.find(connectionId), resource, name);

/** The IDs of nodes, for code that has the resource of a node but not the node. */
export const nodeIds = {
  pins: 'pins',
  datamodels: (connectionId: string) => `${connectionId}/datamodels`,
  datamodel: (connectionId: string, datamodelId: string) => `${connectionId}/datamodel/${datamodelId}`,
  dataset: (datamodelNodeId: string, datasetId: string) => `${datamodelNodeId}/dataset/${datasetId}`,
  table: (datasetNodeId: string, tableId: string) => `${datasetNodeId}/table/${tableId}`,
  column: (tableNodeId: string, columnId: string | number) => `${tableNodeId}/column/${columnId}`,
  relations: (datamodelNodeId: string) => `${datamodelNodeId}/relations`,
  rules: (parentNodeId: string) => `${parentNodeId}/rules`,
  child: (parentNodeId: string, id: string | number) => `${parentNodeId}/${id}`,
  cubeSets: (connectionId: string) => `${connectionId}/cubeSets`,
  cubeSet: (connectionId: string, subject: RuleSubject) =>
    `${connectionId}/cubeSet/${JSON.stringify(subject)}`,
  /** The same for all tenants of a connection: the Connections view shows the viewpoints of one at a time. */
  viewpoints: (connectionId: string) => `${getBaseConnectionId(connectionId)}/viewpoints`,
  viewpointGroup: (viewpointsNodeId: string, key: string) => `${viewpointsNodeId}/of/${key}`,
  chunk: (listNodeId: string, start: number) => `${listNodeId}/from/${start}`,
  customData: (connectionId: string) => `${connectionId}/customData`,
  builds: (connectionId: string) => `${connectionId}/builds`,
} as const;

/**
 * Creates a tooltip from a title, labeled values and a text. Server data is escaped, so that it is not rendered as
 * Markdown.
 */
export function createTooltip(
  title: string,
  details: readonly (readonly [label: string, value: string | undefined])[],
  text?: string | null,
): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString('**')
    .appendMarkdown(escapeMarkdownText(title))
    .appendMarkdown('**');
  if (text) {
    markdown.appendMarkdown('\n\n').appendMarkdown(escapeMarkdownText(text));
  }
  for (const [label, value] of details) {
    if (value !== undefined && value !== '') {
      markdown.appendMarkdown('\n\n').appendMarkdown(escapeMarkdownText(`${label}: ${value}`));
    }
  }
  return markdown;
}

/** Formats a time from the server in the user's locale; returns the text unchanged if it is not a time. */
export function formatLocalTime(time: string | null | undefined): string | undefined {
  if (time === null || time === undefined) {
    return undefined;
  }
  const parsed = new Date(time);
  return Number.isNaN(parsed.getTime()) ? time : parsed.toLocaleString(vscode.env.language);
}

/** Creates the command that opens a node's resource on click. */
export const createOpenCommand = (node: ExplorerNode): vscode.Command =>
  createCommand('datamodelStudio.explorer.openRow', vscode.l10n.t('Open'), node);

/** The decoration of a node, shown in addition to its label and icon. */
export type DecorationKind =
  | 'hidden'
  | 'building'
  | 'build-failed'
  | `role-${Exclude<ConnectionRole, 'development'>}`
  | 'role-unlocked';

/** Returns the URI that makes the editor request a node's decoration; it cannot be opened. */
export const toDecorationUri = (kind: DecorationKind, nodeId: string): vscode.Uri =>
  vscode.Uri.from({ scheme: schemes.node, authority: kind, path: `/${encodeURIComponent(nodeId)}` });
