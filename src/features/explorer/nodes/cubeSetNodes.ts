import * as vscode from 'vscode';
import { sortedByName } from '../../../catalog/naturalOrder.ts';
import { type RuleSubject, ruleSubjectOfSet } from '../../../catalog/ruleSubject.ts';
import type { CubeSet } from '../../../connections/connection.ts';
import type { CubeSetTarget } from '../../../contributions.ts';
import {
  tooltip,
  type ExplorerModel,
  type ExplorerNode,
  type NodeOfConnection,
  catalogOf,
  nodeIds,
} from './node.ts';
import { EmptyNode } from './listNodes.ts';
import { ruleColumns } from './ruleNodes.ts';

/** The cube sets of a connection: those that were added by name, since nothing lists them (design.md, section 4). */
export class CubeSetsNode implements NodeOfConnection {
  readonly id: string;
  readonly parent: NodeOfConnection;
  readonly connectionId: string;
  readonly #model: ExplorerModel;

  constructor(model: ExplorerModel, parent: NodeOfConnection) {
    this.id = nodeIds.cubeSets(parent.connectionId);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#model = model;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Cube Sets'), vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('layers');
    item.contextValue = 'cubeSets';
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const sets = this.#model.connections.find(this.connectionId)?.cubeSets ?? [];
    if (sets.length === 0) {
      return [
        new EmptyNode(this, vscode.l10n.t('None yet: add them by name'), {
          title: vscode.l10n.t('Add Cube Set…'),
          command: 'datamodelStudio.explorer.addCubeSet',
        }),
      ];
    }
    return sortedByName(sets, ({ name }) => name).map((set) => new CubeSetNode(this.#model, this, set));
  }
}

/** A cube set with its data security rules. */
class CubeSetNode implements NodeOfConnection, CubeSetTarget {
  readonly id: string;
  readonly parent: NodeOfConnection;
  readonly connectionId: string;
  readonly name: string;
  readonly cubeSet: CubeSet;
  readonly subject: RuleSubject;
  readonly loads;
  readonly resource;
  readonly #model: ExplorerModel;

  constructor(model: ExplorerModel, parent: NodeOfConnection, cubeSet: CubeSet) {
    const subject = ruleSubjectOfSet(cubeSet.name, cubeSet.server);
    this.id = nodeIds.cubeSet(parent.connectionId, subject);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.name = cubeSet.name;
    this.cubeSet = cubeSet;
    this.subject = subject;
    this.loads = { kind: 'rules', subject } as const;
    this.resource = { kind: 'rules', subject } as const;
    this.#model = model;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('combine');
    item.description = this.cubeSet.server;
    item.contextValue = 'cubeSet';
    return item;
  }

  tooltip(): vscode.MarkdownString {
    return tooltip(this.name, [[vscode.l10n.t('Term for the server'), this.cubeSet.server]]);
  }

  async children(): Promise<readonly ExplorerNode[]> {
    return ruleColumns(this, await (await catalogOf(this.#model, this)).readable.rules(this.subject));
  }
}
