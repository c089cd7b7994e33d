import * as vscode from 'vscode';
import { type UnreadableItems, countUnreadable } from '../../../contract/partialResult.ts';
import { createCommand } from '../../../platform/commands.ts';
import { getUnreadableItemMessage, getUnreadableMessages } from '../../../platform/unreadableMessages.ts';
import type { ExplorerNode } from './node.ts';

/** Reports the items of a list that could not be read; a click tries again. */
export class UnreadableNode implements ExplorerNode {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly #unreadableItems: UnreadableItems;

  constructor(parent: ExplorerNode, unreadableItems: UnreadableItems) {
    this.id = `${parent.id}/unreadable`;
    this.parent = parent;
    this.#unreadableItems = unreadableItems;
  }

  getTreeItem(): vscode.TreeItem {
    const [firstItem] = this.#unreadableItems.unreadable;
    const count = countUnreadable(this.#unreadableItems);
    const label =
      count === 1 ? vscode.l10n.t("Can't read 1 item") : vscode.l10n.t("Can't read {0} items", count);
    const retryLabel = vscode.l10n.t('Retry');
    const remedy = vscode.l10n.t(
      "The response doesn't match the documented format. Datamodel Studio won't change these items. Check the version of the platform or fix the items on the server, and then try again.",
    );
    const lines = getUnreadableMessages(this.#unreadableItems);
    const item = new vscode.TreeItem(label);
    item.description = firstItem === undefined ? '' : getUnreadableItemMessage(firstItem);
    item.accessibilityInformation = { label: [label, ...lines, remedy, retryLabel].join('. ') };
    item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    item.contextValue = 'unreadable';
    item.tooltip = [label, ...lines, '', remedy].join('\n');
    item.command = createCommand('datamodelStudio.explorer.refresh', retryLabel, this.parent);
    return item;
  }
}
