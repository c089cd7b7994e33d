import * as vscode from 'vscode';
import type { ConnectionRole } from '../../../connections/connection.ts';
import type { schemes } from '../../../contributions.ts';
import type { Clock } from '../../../base/clock.ts';
import type { BuildMonitor } from '../../../builds/buildMonitor.ts';
import type { InstanceCatalog, CatalogChange } from '../../../catalog/instanceCatalog.ts';
import type { Pin, Pins } from '../../../catalog/pins.ts';
import type { ResourceRef } from '../../../catalog/resourceRef.ts';
import type { ConnectionStore } from '../../../connections/connectionStore.ts';
import type { Sessions } from '../../../connections/sessions.ts';
import type { WriteLocks } from '../../../connections/writeLocks.ts';
import type { FilterState } from '../filterState.ts';
import type { RuleSubject } from '../../../catalog/ruleSubject.ts';
import { escapeMarkdownText } from '../../../platform/serverText.ts';
import { createCommand } from '../../../platform/commands.ts';

/** What the nodes of the tree are drawn from. */
export interface ExplorerNodeDeps {
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
  getTreeItem(): vscode.TreeItem;
  /** Made when it is looked at. */
  getTooltip?(): vscode.MarkdownString;
  /** The nodes below; rejects when they cannot be loaded, which the tree shows as a node of its own. */
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

/** What is known of the instance of a node's connection. */
export async function getCatalog(
  model: ExplorerNodeDeps,
  node: { connectionId: string },
): Promise<InstanceCatalog> {
  return (await model.sessions.get(node.connectionId)).catalog;
}

/** The ids of nodes, for whoever knows what a node stands for but not the node. */
export const nodeIds = {
  pins: 'pins',
  datamodels: (connection: string) => `${connection}/datamodels`,
  datamodel: (connection: string, datamodel: string) => `${connection}/datamodel/${datamodel}`,
  dataset: (datamodelNode: string, dataset: string) => `${datamodelNode}/dataset/${dataset}`,
  table: (datasetNode: string, table: string) => `${datasetNode}/table/${table}`,
  column: (tableNode: string, column: string | number) => `${tableNode}/column/${column}`,
  relations: (datamodelNode: string) => `${datamodelNode}/relations`,
  rules: (parent: string) => `${parent}/rules`,
  child: (parent: string, id: string | number) => `${parent}/${id}`,
  cubeSets: (connection: string) => `${connection}/cubeSets`,
  cubeSet: (connection: string, subject: RuleSubject) => `${connection}/cubeSet/${JSON.stringify(subject)}`,
  viewpoints: (connection: string) => `${connection}/viewpoints`,
  piece: (listNode: string, start: number) => `${listNode}/from/${start}`,
  customData: (connection: string) => `${connection}/customData`,
  builds: (connection: string) => `${connection}/builds`,
} as const;

/**
 * A tooltip of a title, a text and facts. What comes from the server is appended as text, so none of it is taken as
 * markup.
 */
export function createTooltip(
  title: string,
  facts: readonly (readonly [label: string, value: string | undefined])[],
  text?: string | null,
): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString('**')
    .appendMarkdown(escapeMarkdownText(title))
    .appendMarkdown('**');
  if (text) {
    markdown.appendMarkdown('\n\n').appendMarkdown(escapeMarkdownText(text));
  }
  for (const [label, value] of facts) {
    if (value !== undefined && value !== '') {
      markdown.appendMarkdown('\n\n').appendMarkdown(escapeMarkdownText(`${label}: ${value}`));
    }
  }
  return markdown;
}

/** A time of the server in the reader's own words; the text as it came when it is no time. */
export function formatLocalTime(time: string | null | undefined): string | undefined {
  if (time === null || time === undefined) {
    return undefined;
  }
  const parsed = new Date(time);
  return Number.isNaN(parsed.getTime()) ? time : parsed.toLocaleString(vscode.env.language);
}

/** What a click on a node, or Enter, does: shows its resource. */
export const createOpenCommand = (node: ExplorerNode): vscode.Command =>
  createCommand('datamodelStudio.explorer.open', vscode.l10n.t('Open'), node);

/** How a node is marked besides its label and icon. */
export type Mark =
  | 'hidden'
  | 'building'
  | 'build-failed'
  | `role-${Exclude<ConnectionRole, 'development'>}`
  | 'role-unlocked';

/** The scheme of the addresses that carry marks. */
export const markScheme: (typeof schemes)['node'] = 'datamodel-node';

/** The address that carries the mark of a node to the decorations; it is nothing that can be opened. */
export const toDecorationUri = (mark: Mark, nodeId: string): vscode.Uri =>
  vscode.Uri.from({ scheme: markScheme, authority: mark, path: `/${encodeURIComponent(nodeId)}` });
