import * as vscode from 'vscode';
import { type Build, isRunning } from '../../../builds/build.ts';
import {
  datasetName,
  type Datamodel,
  type DatamodelType,
  datamodelType,
  datamodelTypeWord,
  type Dataset,
} from '../../../contract/datamodel.ts';
import { sortedByName } from '../../../catalog/naturalOrder.ts';
import type { Pin } from '../../../catalog/pins.ts';
import { type RuleSubject, ruleSubjectOf } from '../../../catalog/ruleSubject.ts';
import type { DatamodelTarget } from '../../../contributions.ts';
import { markUri } from '../decorations.ts';
import { localTime, tooltip } from '../tooltip.ts';
import { DatasetNode } from './datasetNode.ts';
import { EmptyNode } from './emptyNode.ts';
import { type ExplorerModel, type ExplorerNode, type NodeOfDatamodel, catalogOf } from './node.ts';
import { nodeIds } from './nodeIds.ts';
import { RelationsNode } from './relationNodes.ts';
import { RulesNode } from './ruleNodes.ts';
import { withUnreadable } from './withUnreadable.ts';

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
    const phase = this.#lastBuild();
    const building = phase === 'running';
    const item = new vscode.TreeItem(this.title, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = describe(typeLabel(this.#datamodel), phase);
    if (building || phase === 'failed') {
      item.resourceUri = markUri(building ? 'building' : 'build-failed', this.id);
    }
    item.iconPath = new vscode.ThemeIcon(building ? 'loading~spin' : iconOf(this.type));
    const pinned = this.#model.pins.has(this.pin) ? '.pinned' : '';
    item.contextValue = `datamodel.${this.type}${pinned}${building ? '.building' : ''}`;
    return item;
  }

  tooltip(): vscode.MarkdownString {
    return tooltip(this.title, [
      [vscode.l10n.t('Type'), typeLabel(this.#datamodel)],
      [vscode.l10n.t('Last built'), localTime(this.#datamodel.lastBuildTime)],
      [vscode.l10n.t('Last published'), localTime(this.#datamodel.lastPublishTime)],
      [vscode.l10n.t('Last changed'), localTime(this.#datamodel.lastUpdated)],
    ]);
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const catalog = await catalogOf(this.#model, this);
    const { value: datasets, unreadable: all, untold } = await catalog.readable.datasets(this.datamodelId);
    // Tables are told below their dataset.
    const unreadable = all.filter(({ path }) => !path.includes('tables'));
    const rules = new RulesNode(this.#model, this, this.subject);
    if (datasets.length === 0 && unreadable.length === 0) {
      return [
        new EmptyNode(this, vscode.l10n.t('No datasets yet'), {
          title: vscode.l10n.t('New Dataset…'),
          command: 'datamodelStudio.resources.newDataset',
        }),
        rules,
      ];
    }
    return withUnreadable(this, { unreadable, untold }, [
      ...inOrder(this.#shown(datasets)).map((dataset) => new DatasetNode(this.#model, this, dataset)),
      new RelationsNode(this.#model, this),
      rules,
    ]);
  }

  /** The datasets with a table that matches the filter; all where the match is further up. */
  #shown(datasets: readonly Dataset[]): readonly Dataset[] {
    const filter = this.#model.filter.current;
    const matching = datasets.filter(
      ({ schema }) => !schema?.tables || schema.tables.some((table) => filter.matchesTable(table)),
    );
    return matching.length === 0 ? datasets : matching;
  }

  /** How the latest build that is known of it stands: one that runs, or else the last one that ended. */
  #lastBuild(): Build['phase'] | undefined {
    const { builds, running } = this.#model.builds;
    const isOfThis = (build: Build): boolean =>
      build.connectionId === this.connectionId && build.datamodelId === this.datamodelId;
    return running.some(isOfThis)
      ? 'running'
      : builds.findLast((build) => isOfThis(build) && !isRunning(build))?.phase;
  }
}

/** The build state in words, where there is something to be told. */
function describe(type: string, phase: Build['phase'] | undefined): string {
  if (phase === 'running') {
    return vscode.l10n.t('building, {0}', type);
  }
  return phase === 'failed' ? vscode.l10n.t('build failed, {0}', type) : type;
}

/** By name, the sources first and what is made of them after them. */
function inOrder(datasets: readonly Dataset[]): readonly Dataset[] {
  const byName = sortedByName(datasets, (dataset) => datasetName(dataset) ?? '');
  const isCustom = ({ type }: Dataset): boolean => type === 'custom';
  return [...byName.filter((dataset) => !isCustom(dataset)), ...byName.filter(isCustom)];
}

function typeLabel(datamodel: Datamodel): string {
  const word = datamodelTypeWord(datamodel);
  const labels: Readonly<Record<string, string>> = {
    live: vscode.l10n.t('live'),
    extract: vscode.l10n.t('extract'),
  };
  return labels[word] ?? word;
}

const iconOf = (type: DatamodelType): string => (type === 'live' ? 'broadcast' : 'database');
