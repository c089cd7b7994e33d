import * as vscode from 'vscode';
import { datasetName } from '../../../catalog/datasetName.ts';
import { sortedByName } from '../../../catalog/naturalOrder.ts';
import type { Pin } from '../../../catalog/pins.ts';
import { type RuleSubject, ruleSubjectOf } from '../../../catalog/ruleSubject.ts';
import type { DatamodelTarget } from '../../../contributions.ts';
import { type Datamodel, type DatamodelType, datamodelType } from '../../../contract/datamodel.ts';
import type { Dataset } from '../../../contract/dataset.ts';
import { localTime, tooltip } from '../tooltip.ts';
import { DatasetNode } from './datasetNode.ts';
import { EmptyNode } from './emptyNode.ts';
import { type ExplorerModel, type ExplorerNode, type NodeOfDatamodel, catalogOf } from './node.ts';
import { nodeIds } from './nodeIds.ts';
import { RelationsNode } from './relationNodes.ts';
import { RulesNode } from './ruleNodes.ts';

/** Where in the tree a datamodel is shown; `id` where that is a second time, as for a pin. */
interface PlaceOfDatamodel {
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  readonly id?: string;
}

/** A datamodel with its datasets, relations and rules. */
export class DatamodelNode implements NodeOfDatamodel, DatamodelTarget {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly title: string;
  readonly type: DatamodelType;
  readonly name: string;
  readonly loads;
  readonly resource;
  readonly pin: Pin;
  /** What its data security rules are bound to. */
  readonly subject: RuleSubject;
  readonly #model: ExplorerModel;
  readonly #datamodel: Datamodel;

  constructor(model: ExplorerModel, at: PlaceOfDatamodel, datamodel: Datamodel) {
    const { oid, title, server } = datamodel;
    this.id = at.id ?? nodeIds.datamodel(at.connectionId, oid);
    this.parent = at.parent;
    this.connectionId = at.connectionId;
    this.datamodelId = oid;
    this.title = title;
    this.name = title;
    this.type = datamodelType(datamodel);
    this.loads = { kind: 'datamodel', datamodelId: oid } as const;
    this.resource = { kind: 'datamodel', datamodelId: oid } as const;
    this.pin = {
      connectionId: this.connectionId,
      datamodel: { oid, title, type: this.type, ...(server ? { server } : {}) },
    };
    this.subject = ruleSubjectOf(datamodel);
    this.#model = model;
    this.#datamodel = datamodel;
  }

  item(): vscode.TreeItem {
    const building = this.#isBuilding();
    const item = new vscode.TreeItem(this.title, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = building ? vscode.l10n.t('{0}, building', typeLabel(this.type)) : typeLabel(this.type);
    item.iconPath = new vscode.ThemeIcon(building ? 'loading~spin' : iconOf(this.type));
    const pinned = this.#model.pins.has(this.pin) ? '.pinned' : '';
    item.contextValue = `datamodel.${this.type}${pinned}${building ? '.building' : ''}`;
    return item;
  }

  tooltip(): vscode.MarkdownString {
    return tooltip(this.title, [
      [vscode.l10n.t('Type'), typeLabel(this.type)],
      [vscode.l10n.t('Last built'), localTime(this.#datamodel.lastBuildTime)],
      [vscode.l10n.t('Last published'), localTime(this.#datamodel.lastPublishTime)],
      [vscode.l10n.t('Last changed'), localTime(this.#datamodel.lastUpdated)],
    ]);
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const catalog = await catalogOf(this.#model, this);
    const datasets = await catalog.datasets(this.datamodelId);
    const rules = new RulesNode(this.#model, this, this.subject);
    if (datasets.length === 0) {
      return [new EmptyNode(this, vscode.l10n.t('No datasets yet')), rules];
    }
    return [
      ...inOrder(this.#shown(datasets)).map((dataset) => new DatasetNode(this.#model, this, dataset)),
      new RelationsNode(this.#model, this),
      rules,
    ];
  }

  /** The datasets with a table that matches the filter; all where the match is further up. */
  #shown(datasets: readonly Dataset[]): readonly Dataset[] {
    const filter = this.#model.filter.current;
    const matching = datasets.filter(
      ({ schema }) => !schema?.tables || schema.tables.some((table) => filter.matchesTable(table)),
    );
    return matching.length === 0 ? datasets : matching;
  }

  #isBuilding(): boolean {
    return this.#model.builds.running.some(
      (build) => build.connectionId === this.connectionId && build.datamodelId === this.datamodelId,
    );
  }
}

/** By name, the sources first and what is made of them after them. */
function inOrder(datasets: readonly Dataset[]): readonly Dataset[] {
  const byName = sortedByName(datasets, (dataset) => datasetName(dataset) ?? '');
  const isCustom = ({ type }: Dataset): boolean => type === 'custom';
  return [...byName.filter((dataset) => !isCustom(dataset)), ...byName.filter(isCustom)];
}

const typeLabel = (type: DatamodelType): string =>
  type === 'live' ? vscode.l10n.t('live') : vscode.l10n.t('extract');

const iconOf = (type: DatamodelType): string => (type === 'live' ? 'broadcast' : 'database');
