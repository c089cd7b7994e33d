import * as vscode from 'vscode';
import { stringify } from '../../../base/json.ts';
import type { CustomDataObject } from '../../../contract/customData.ts';
import {
  createOpenCommand,
  createTooltip,
  type ExplorerNodeDeps,
  type ExplorerNode,
  type ConnectionChildNode,
  getCatalog,
  nodeIds,
} from './node.ts';
import { NoteNode, createChunkedNodes, addUnreadableNode, filterList } from './listNodes.ts';

const maxLabelLength = 60;

/** The custom data of an instance, shared by all of its users. */
export class CustomDataNode implements ConnectionChildNode {
  readonly id: string;
  readonly parent: ConnectionChildNode;
  readonly connectionId: string;
  readonly name: string;
  readonly catalogPart = { kind: 'customData' } as const;
  readonly resource = { kind: 'customData' } as const;
  readonly #deps: ExplorerNodeDeps;

  constructor(deps: ExplorerNodeDeps, parent: ConnectionChildNode) {
    this.id = nodeIds.customData(parent.connectionId);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.name = vscode.l10n.t('Custom Data');
    this.#deps = deps;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('json');
    item.contextValue = 'customData';
    return item;
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    const catalog = await getCatalog(this.#deps, this);
    const { value: objects, ...incompleteness } = await catalog.partial.customData();
    if (objects.length === 0 && incompleteness.unreadable.length === 0) {
      return [
        new NoteNode(this, vscode.l10n.t('No custom data yet'), {
          title: vscode.l10n.t('New Custom Data Object…'),
          command: 'datamodelStudio.resources.newCustomData',
        }),
      ];
    }
    const indexedObjects = objects.map((object, index) => ({ object, index }));
    const { matches, notes } = filterList(this, this.#deps.filter.nameFilter, indexedObjects, ({ object }) =>
      getObjectName(object),
    );
    const nodes = createChunkedNodes(
      this,
      matches,
      (parent, { object, index }) => new CustomDataObjectNode(parent, object, index),
    );
    return addUnreadableNode(this, incompleteness, [...nodes, ...notes]);
  }
}

/**
 * A custom data object. It has no name of its own (rest-api.md, "Custom data object"), so its first fields are shown
 * instead.
 */
class CustomDataObjectNode implements ExplorerNode {
  readonly id: string;
  readonly parent: ConnectionChildNode;
  readonly connectionId: string;
  readonly name: string;
  readonly resource;
  readonly #fields: Readonly<Record<string, unknown>>;

  /** @param index distinguishes objects that carry no `_id` */
  constructor(parent: ConnectionChildNode, object: CustomDataObject, index: number) {
    const { _id: rawId, ...fields } = object;
    const objectId = typeof rawId === 'string' && rawId !== '' ? rawId : undefined;
    this.id = nodeIds.child(nodeIds.customData(parent.connectionId), objectId ?? index);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.name = getObjectName(object);
    this.resource =
      objectId === undefined
        ? ({ kind: 'customData' } as const)
        : ({ kind: 'customDataObject', objectId } as const);
    this.#fields = fields;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.name);
    item.iconPath = new vscode.ThemeIcon('bracket');
    item.contextValue = 'customDataObject';
    item.command = createOpenCommand(this);
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    return createTooltip(this.name, [], stringify(this.#fields, 2));
  }
}

function getObjectName({ _id: _rawId, ...fields }: CustomDataObject): string {
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : stringify(value)}`)
    .join(', ');
  const label = text.length > maxLabelLength ? `${text.slice(0, maxLabelLength)}…` : text;
  return label === '' ? '{}' : label;
}
