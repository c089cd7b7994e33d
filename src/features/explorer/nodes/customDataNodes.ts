import * as vscode from 'vscode';
import { stringify } from '../../../base/json.ts';
import type { CustomDataObject } from '../../../contract/customData.ts';
import { tooltip } from '../tooltip.ts';
import { EmptyNode } from './messageNode.ts';
import type { ExplorerModel, ExplorerNode, NodeOfConnection } from './node.ts';

const longestLabel = 60;

/** The custom data of an instance, which all of its users share. */
export class CustomDataNode implements ExplorerNode {
  readonly id: string;
  readonly parent: NodeOfConnection;
  readonly #model: ExplorerModel;

  constructor(model: ExplorerModel, parent: NodeOfConnection) {
    this.id = `${parent.id}/customData`;
    this.parent = parent;
    this.#model = model;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Custom Data'), vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('json');
    item.contextValue = 'customData';
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const { catalog } = await this.#model.sessions.get(this.parent.connectionId);
    const objects = await catalog.customData();
    if (objects.length === 0) {
      return [new EmptyNode(this, vscode.l10n.t('No custom data yet'))];
    }
    return objects.map((object, index) => new CustomDataObjectNode(this, object, index));
  }

  async reload(): Promise<void> {
    const { catalog } = await this.#model.sessions.get(this.parent.connectionId);
    catalog.invalidate({ kind: 'customData' });
  }
}

/** One object. It has no name of its own (spec, "Custom data object"), so its first fields stand for it. */
class CustomDataObjectNode implements ExplorerNode {
  readonly id: string;
  readonly parent: CustomDataNode;
  readonly #object: CustomDataObject;

  /** @param index tells objects apart that carry no `_id` */
  constructor(parent: CustomDataNode, object: CustomDataObject, index: number) {
    const own = object['_id'];
    this.id = `${parent.id}/${typeof own === 'string' ? own : index}`;
    this.parent = parent;
    this.#object = object;
  }

  item(): vscode.TreeItem {
    const { _id: own, ...fields } = this.#object;
    const text = Object.entries(fields)
      .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : stringify(value)}`)
      .join(', ');
    const label = text.length > longestLabel ? `${text.slice(0, longestLabel)}…` : text;
    const item = new vscode.TreeItem(label === '' ? '{}' : label);
    item.iconPath = new vscode.ThemeIcon('bracket');
    item.contextValue = 'customDataObject';
    item.tooltip = tooltip(typeof own === 'string' ? own : label, [], stringify(fields, 2));
    return item;
  }
}
