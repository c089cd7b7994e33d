import * as vscode from 'vscode';
import { commandLink } from '../../../platform/commands.ts';
import type { ExplorerNode } from './node.ts';

/** What makes the first of what is missing, as the menus call it. */
export interface EmptyWayOn {
  readonly title: string;
  readonly command:
    | 'datamodelStudio.explorer.addCubeSet'
    | 'datamodelStudio.resources.newDatamodel'
    | 'datamodelStudio.resources.newDataset'
    | 'datamodelStudio.resources.newTable'
    | 'datamodelStudio.resources.newCustomTable'
    | 'datamodelStudio.resources.newRelation'
    | 'datamodelStudio.resources.newViewpoint'
    | 'datamodelStudio.resources.newCustomData';
}

/**
 * Says that there is nothing below a node, so that emptiness is never mistaken for a failure, and leads on where
 * something can be made.
 */
export class EmptyNode implements ExplorerNode {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly #text: string;
  readonly #wayOn: EmptyWayOn | undefined;

  constructor(parent: ExplorerNode, text: string, wayOn?: EmptyWayOn) {
    this.id = `${parent.id}/empty`;
    this.parent = parent;
    this.#text = text;
    this.#wayOn = wayOn;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.#text);
    item.contextValue = 'empty';
    if (this.#wayOn !== undefined) {
      const { title, command } = this.#wayOn;
      item.description = title;
      item.command = commandLink(command, title, this.parent);
    }
    return item;
  }
}
