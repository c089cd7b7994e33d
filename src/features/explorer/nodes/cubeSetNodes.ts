import * as vscode from 'vscode';
import { sortByName } from '../../../catalog/naturalOrder.ts';
import { type RuleSubject, getCubeSetRuleSubject } from '../../../catalog/ruleSubject.ts';
import type { CubeSet } from '../../../connections/connection.ts';
import type { CubeSetTarget } from '../../../contributions.ts';
import {
  createTooltip,
  type ExplorerNodeDeps,
  type ExplorerNode,
  type ConnectionChildNode,
  getCatalog,
  nodeIds,
} from './node.ts';
import { NoteNode } from './listNodes.ts';
import { createRuleColumnNodes } from './ruleNodes.ts';

/**
 * The cube sets that the user added to a connection by name, since no request lists them (decisions.md, "REST client").
 */
export class CubeSetsNode implements ConnectionChildNode {
  readonly id: string;
  readonly parent: ConnectionChildNode;
  readonly connectionId: string;
  readonly #deps: ExplorerNodeDeps;

  constructor(deps: ExplorerNodeDeps, parent: ConnectionChildNode) {
    this.id = nodeIds.cubeSets(parent.connectionId);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#deps = deps;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Cube Sets'), vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('layers');
    item.contextValue = 'cubeSets';
    return item;
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    const cubeSets = this.#deps.connections.find(this.connectionId)?.cubeSets ?? [];
    if (cubeSets.length === 0) {
      return [
        new NoteNode(this, vscode.l10n.t('No cube sets yet: add them by name'), {
          title: vscode.l10n.t('Add Cube Set…'),
          command: 'datamodelStudio.explorer.addCubeSet',
        }),
      ];
    }
    return sortByName(cubeSets, ({ name }) => name).map(
      (cubeSet) => new CubeSetNode(this.#deps, this, cubeSet),
    );
  }
}

/** A cube set with its data security rules. */
class CubeSetNode implements ConnectionChildNode, CubeSetTarget {
  readonly id: string;
  readonly parent: ConnectionChildNode;
  readonly connectionId: string;
  readonly name: string;
  readonly cubeSet: CubeSet;
  readonly subject: RuleSubject;
  readonly catalogPart;
  readonly resource;
  readonly #deps: ExplorerNodeDeps;

  constructor(deps: ExplorerNodeDeps, parent: ConnectionChildNode, cubeSet: CubeSet) {
    const subject = getCubeSetRuleSubject(cubeSet.name, cubeSet.server);
    this.id = nodeIds.cubeSet(parent.connectionId, subject);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.name = cubeSet.name;
    this.cubeSet = cubeSet;
    this.subject = subject;
    this.catalogPart = { kind: 'rules', subject } as const;
    this.resource = { kind: 'rules', subject } as const;
    this.#deps = deps;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('combine');
    item.description = this.cubeSet.server;
    item.contextValue = 'cubeSet';
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    return createTooltip(this.name, [[vscode.l10n.t('Server name'), this.cubeSet.server]]);
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    return createRuleColumnNodes(
      this,
      await (await getCatalog(this.#deps, this)).partial.rules(this.subject),
      {
        filter: this.#deps.filter.nameFilter,
        // The server also returns an empty list for a name that does not exist.
        emptyText: vscode.l10n.t('No rules found. Check the spelling. Names are case-sensitive.'),
      },
    );
  }
}
