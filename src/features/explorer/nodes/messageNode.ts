import * as vscode from 'vscode';
import { commandLink } from '../../../platform/commands.ts';
import { shortMessage, userMessage } from '../../../platform/userErrors.ts';
import type { ExplorerNode } from './node.ts';

/** Says that there is nothing below a node, so that emptiness is never mistaken for a failure. */
export class EmptyNode implements ExplorerNode {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly #text: string;

  constructor(parent: ExplorerNode, text: string) {
    this.id = `${parent.id}/empty`;
    this.parent = parent;
    this.#text = text;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.#text);
    item.contextValue = 'empty';
    return item;
  }
}

/** A failed load, with its reason; a click tries again. */
export class ErrorNode implements ExplorerNode {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly #error: unknown;

  constructor(parent: ExplorerNode, error: unknown) {
    this.id = `${parent.id}/error`;
    this.parent = parent;
    this.#error = error;
  }

  item(): vscode.TreeItem {
    const message = userMessage(this.#error);
    const item = new vscode.TreeItem(shortMessage(this.#error));
    item.description = vscode.l10n.t('Retry');
    item.accessibilityInformation = { label: `${message} ${vscode.l10n.t('Retry')}` };
    item.tooltip = `${message}\n\n${vscode.l10n.t('Click to try again.')}`;
    item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    item.contextValue = 'error';
    item.command = commandLink('datamodelStudio.explorer.refresh', vscode.l10n.t('Retry'), this.parent);
    return item;
  }
}
