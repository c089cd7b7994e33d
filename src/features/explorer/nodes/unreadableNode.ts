import * as vscode from 'vscode';
import { type Unread, countUnreadable } from '../../../contract/readable.ts';
import { commandLink } from '../../../platform/commands.ts';
import { itemWords, unreadableWords } from '../../../platform/unreadableWords.ts';
import type { ExplorerNode } from './node.ts';

/** Says what of a list could not be read, beside what could; a click tries again. */
export class UnreadableNode implements ExplorerNode {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly #unread: Unread;

  constructor(parent: ExplorerNode, unread: Unread) {
    this.id = `${parent.id}/unreadable`;
    this.parent = parent;
    this.#unread = unread;
  }

  item(): vscode.TreeItem {
    const [first] = this.#unread.unreadable;
    const count = countUnreadable(this.#unread);
    const label =
      count === 1 ? vscode.l10n.t('One could not be read') : vscode.l10n.t('{0} could not be read', count);
    const retry = vscode.l10n.t('Retry');
    const remedy = vscode.l10n.t(
      'The server answers them in another shape than the platform describes. Nothing of them is changed. Check the version of the platform, or mend them there, and try again.',
    );
    const lines = unreadableWords(this.#unread);
    const item = new vscode.TreeItem(label);
    item.description = first === undefined ? '' : itemWords(first);
    item.accessibilityInformation = { label: [label, ...lines, remedy, retry].join('. ') };
    item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    item.contextValue = 'unreadable';
    item.tooltip = [label, ...lines, '', remedy].join('\n');
    item.command = commandLink('datamodelStudio.explorer.refresh', retry, this.parent);
    return item;
  }
}
