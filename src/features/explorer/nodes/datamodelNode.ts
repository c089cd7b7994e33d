import * as vscode from 'vscode';
import { isRunning } from '../../../builds/build.ts';
import type { DatamodelTarget } from '../../../contributions.ts';
import { type Datamodel, type DatamodelType, datamodelType } from '../../../contract/datamodel.ts';
import { localTime, tooltip } from '../tooltip.ts';
import { DatasetNode } from './datasetNode.ts';
import { EmptyNode } from './messageNode.ts';
import type { ExplorerModel, ExplorerNode, NodeOfConnection } from './node.ts';
import { RelationsNode } from './relationNodes.ts';
import { RulesNode } from './ruleNodes.ts';

/** A datamodel with its datasets and relations. */
export class DatamodelNode implements ExplorerNode, DatamodelTarget {
  readonly id: string;
  readonly parent: NodeOfConnection;
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly title: string;
  readonly type: DatamodelType;
  readonly #model: ExplorerModel;
  readonly #datamodel: Datamodel;

  constructor(model: ExplorerModel, parent: NodeOfConnection, datamodel: Datamodel) {
    this.id = datamodelNodeId(parent.connectionId, datamodel.oid);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.datamodelId = datamodel.oid;
    this.title = datamodel.title;
    this.type = datamodelType(datamodel);
    this.#model = model;
    this.#datamodel = datamodel;
  }

  item(): vscode.TreeItem {
    const building = this.#isBuilding();
    const typeLabel = this.type === 'live' ? vscode.l10n.t('live') : vscode.l10n.t('extract');
    const item = new vscode.TreeItem(this.title, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = building ? vscode.l10n.t('{0}, building', typeLabel) : typeLabel;
    item.iconPath = new vscode.ThemeIcon(building ? 'loading~spin' : iconOf(this.type));
    item.contextValue = `datamodel.${this.type}${building ? '.building' : ''}`;
    item.tooltip = tooltip(this.title, [
      [vscode.l10n.t('Type'), typeLabel],
      [vscode.l10n.t('Last built'), localTime(this.#datamodel.lastBuildTime)],
      [vscode.l10n.t('Last published'), localTime(this.#datamodel.lastPublishTime)],
      [vscode.l10n.t('Last changed'), localTime(this.#datamodel.lastUpdated)],
    ]);
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const { catalog } = await this.#model.sessions.get(this.connectionId);
    const datasets = await catalog.datasets(this.datamodelId);
    const nodes: ExplorerNode[] = datasets.map((dataset) => new DatasetNode(this.#model, this, dataset));
    const relations = await catalog.relations(this.datamodelId);
    if (relations.length > 0) {
      nodes.push(new RelationsNode(this.#model, this));
    }
    if (nodes.length === 0) {
      nodes.push(new EmptyNode(this, vscode.l10n.t('No datasets yet')));
    }
    return [...nodes, new RulesNode(this.#model, this, this.#datamodel)];
  }

  async reload(): Promise<void> {
    const { catalog } = await this.#model.sessions.get(this.connectionId);
    catalog.invalidate({ kind: 'datamodel', datamodelId: this.datamodelId });
  }

  #isBuilding(): boolean {
    return this.#model.builds.builds.some(
      (build) =>
        isRunning(build) &&
        build.connectionId === this.connectionId &&
        build.datamodelId === this.datamodelId,
    );
  }
}

/** The id of a datamodel's node, for whoever knows the datamodel but not the node. */
export const datamodelNodeId = (connectionId: string, datamodelId: string): string =>
  `${connectionId}/datamodel/${datamodelId}`;

const iconOf = (type: DatamodelType): string => (type === 'live' ? 'broadcast' : 'database');
