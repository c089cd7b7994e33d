import * as vscode from 'vscode';
import { commandLink } from '../../../platform/commands.ts';
import type { ExplorerNode } from './node.ts';

/** A node whose children come page by page. */
export interface PagedNode extends ExplorerNode {
  /** Loads the next page; the children are asked for again afterwards. */
  more(): Promise<unknown>;
}

/** Stands at the end of a list of which more can be loaded. */
export class LoadMoreNode implements ExplorerNode {
  readonly id: string;
  readonly parent: PagedNode;
  readonly #shown: number;
  readonly #total: number | undefined;

  constructor(parent: PagedNode, shown: number, total: number | undefined) {
    this.id = `${parent.id}/more`;
    this.parent = parent;
    this.#shown = shown;
    this.#total = total;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Load more'));
    item.description =
      this.#total === undefined
        ? vscode.l10n.t('{0} shown', this.#shown)
        : vscode.l10n.t('{0} of {1} shown', this.#shown, this.#total);
    item.iconPath = new vscode.ThemeIcon('ellipsis');
    item.contextValue = 'more';
    item.command = commandLink('datamodelStudio.explorer.loadMore', vscode.l10n.t('Load more'), this.parent);
    return item;
  }
}
