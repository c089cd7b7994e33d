import * as vscode from 'vscode';
import type { ViewpointGroup } from '../../../catalog/viewpointGroups.ts';
import { livePrefix } from '../../../contract/terms.ts';
import type { Viewpoint } from '../../../contract/viewpoint.ts';
import { type ConnectionChildNode, type ExplorerNode, createTooltip, nodeIds } from './node.ts';
import { createChunkedNodes } from './listNodes.ts';

/** What is known about the datamodel of a group beyond what its viewpoints contain. */
export interface GroupContext {
  /** Whether another group has the same title, so that the title alone would be ambiguous. */
  readonly isTitleDuplicate: boolean;
  /** False if the instance lists its datamodels but not this one; `undefined` if the list is not loaded. */
  readonly isListed: boolean | undefined;
}

/** The loaded viewpoints of one datamodel, or those without a datamodel. */
export class ViewpointGroupNode implements ConnectionChildNode {
  readonly id: string;
  readonly parent: ConnectionChildNode;
  readonly connectionId: string;
  readonly name: string;
  readonly #group: ViewpointGroup;
  readonly #context: GroupContext;
  readonly #createNode: (parent: ConnectionChildNode, viewpoint: Viewpoint) => ExplorerNode;

  constructor(
    parent: ConnectionChildNode,
    group: ViewpointGroup,
    context: GroupContext,
    createNode: (parent: ConnectionChildNode, viewpoint: Viewpoint) => ExplorerNode,
  ) {
    this.id = nodeIds.viewpointGroup(parent.id, group.key);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.name = group.title ?? vscode.l10n.t('No datamodel specified');
    this.#group = group;
    this.#context = context;
    this.#createNode = createNode;
  }

  getTreeItem(): vscode.TreeItem {
    const { title, fullname } = this.#group;
    const { isTitleDuplicate, isListed } = this.#context;
    const item = new vscode.TreeItem(this.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = [
      isTitleDuplicate ? (fullname ?? vscode.l10n.t('one of several datamodels')) : undefined,
      isListed === false ? vscode.l10n.t('datamodel not listed') : undefined,
    ]
      .filter((text) => text !== undefined)
      .join(', ');
    item.iconPath = new vscode.ThemeIcon(
      title === undefined ? 'question' : fullname?.startsWith(livePrefix) ? 'broadcast' : 'database',
    );
    item.contextValue = 'viewpointGroup';
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    const { fullname, viewpoints } = this.#group;
    return createTooltip(this.name, [
      [vscode.l10n.t('Full name'), fullname],
      [vscode.l10n.t('Loaded viewpoints'), viewpoints.length.toString()],
    ]);
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    return createChunkedNodes(this, this.#group.viewpoints, this.#createNode);
  }
}
