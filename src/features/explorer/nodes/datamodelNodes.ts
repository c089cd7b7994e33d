import * as vscode from 'vscode';
import type { InstanceCatalog } from '../../../catalog/instanceCatalog.ts';
import type { NameFilter } from '../../../catalog/nameFilter.ts';
import {
  type Datamodel,
  getDatasetName,
  type DatamodelType,
  getDatamodelType,
  getDatamodelTypeLabel,
  type Dataset,
} from '../../../contract/datamodel.ts';
import { EmptyNode, withUnreadable } from './listNodes.ts';
import {
  type ExplorerNodeDeps,
  type ExplorerNode,
  type ConnectionChildNode,
  getCatalog,
  nodeIds,
  toDecorationUri,
  formatLocalTime,
  createTooltip,
  type DatamodelChildNode,
} from './node.ts';
import { type Build, isRunning } from '../../../builds/build.ts';
import { sortByName } from '../../../catalog/naturalOrder.ts';
import type { Pin } from '../../../catalog/pins.ts';
import { type RuleSubject, getRuleSubject } from '../../../catalog/ruleSubject.ts';
import type { DatamodelTarget } from '../../../contributions.ts';
import { DatasetNode } from './tableNodes.ts';
import { RelationsNode } from './relationNodes.ts';
import { RulesNode } from './ruleNodes.ts';

/** The datamodels of a connection. */
export class DatamodelsNode implements ConnectionChildNode {
  readonly id: string;
  readonly parent: ConnectionChildNode;
  readonly connectionId: string;
  readonly loads = { kind: 'datamodels' } as const;
  readonly #model: ExplorerNodeDeps;

  constructor(model: ExplorerNodeDeps, parent: ConnectionChildNode) {
    this.id = nodeIds.datamodels(parent.connectionId);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#model = model;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Datamodels'), vscode.TreeItemCollapsibleState.Expanded);
    item.iconPath = new vscode.ThemeIcon('library');
    item.contextValue = 'datamodels';
    return item;
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    const catalog = await getCatalog(this.#model, this);
    const datamodels = await catalog.readable.datamodels();
    const isPartial = datamodels.unreadable.length > 0;
    return withUnreadable(this, datamodels, this.#createNodes(catalog, datamodels.value, isPartial));
  }

  #createNodes(
    catalog: InstanceCatalog,
    all: readonly Datamodel[],
    isPartial: boolean,
  ): readonly ExplorerNode[] {
    if (all.length === 0 && isPartial) {
      return [];
    }
    if (all.length === 0) {
      return [
        new EmptyNode(this, vscode.l10n.t('No datamodels yet'), {
          title: vscode.l10n.t('New Datamodel…'),
          command: 'datamodelStudio.resources.newDatamodel',
        }),
      ];
    }
    const filter = this.#model.filter.current;
    const shown = all.filter((datamodel) => mayMatch(catalog, datamodel, filter));
    if (shown.length === 0) {
      return [new EmptyNode(this, vscode.l10n.t('No datamodel matches the filter'))];
    }
    const place = { parent: this, connectionId: this.connectionId };
    return shown.map((datamodel) => new DatamodelNode(this.#model, place, datamodel));
  }
}

/**
 * Returns whether a datamodel may match the filter. One that is not loaded yet may contain a match, so it is kept.
 */
function mayMatch(catalog: InstanceCatalog, datamodel: Datamodel, filter: NameFilter): boolean {
  if (!filter.isActive || filter.matches(datamodel.title)) {
    return true;
  }
  const datasets = catalog.knownDatamodel(datamodel.oid)?.datasets;
  return (
    !datasets ||
    datasets.some(
      ({ schema }) => !schema?.tables || schema.tables.some((table) => filter.matchesTable(table)),
    )
  );
}

/**
 * The location of a datamodel node in the tree; `id` is set if the datamodel is also shown elsewhere, for example as a
 * pin.
 */
interface DatamodelNodeLocation {
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  readonly id?: string;
}

/** A datamodel with its datasets, relations and rules. */
export class DatamodelNode implements DatamodelChildNode, DatamodelTarget {
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
  /** The subject of its data security rules. */
  readonly subject: RuleSubject;
  readonly #model: ExplorerNodeDeps;
  readonly #datamodel: Datamodel;

  constructor(model: ExplorerNodeDeps, at: DatamodelNodeLocation, datamodel: Datamodel) {
    const { oid, title, server } = datamodel;
    this.id = at.id ?? nodeIds.datamodel(at.connectionId, oid);
    this.parent = at.parent;
    this.connectionId = at.connectionId;
    this.datamodelId = oid;
    this.title = title;
    this.name = title;
    this.type = getDatamodelType(datamodel);
    this.loads = { kind: 'datamodel', datamodelId: oid } as const;
    this.resource = { kind: 'datamodel', datamodelId: oid } as const;
    this.pin = {
      connectionId: this.connectionId,
      datamodel: { oid, title, type: this.type, ...(server ? { server } : {}) },
    };
    this.subject = getRuleSubject(datamodel);
    this.#model = model;
    this.#datamodel = datamodel;
  }

  getTreeItem(): vscode.TreeItem {
    const phase = this.#getLastBuildPhase();
    const building = phase === 'running';
    const item = new vscode.TreeItem(this.title, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = formatDescription(getTypeLabel(this.#datamodel), phase);
    if (building || phase === 'failed') {
      item.resourceUri = toDecorationUri(building ? 'building' : 'build-failed', this.id);
    }
    item.iconPath = new vscode.ThemeIcon(building ? 'loading~spin' : getIcon(this.type));
    const pinned = this.#model.pins.has(this.pin) ? '.pinned' : '';
    item.contextValue = `datamodel.${this.type}${pinned}${building ? '.building' : ''}`;
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    return createTooltip(this.title, [
      [vscode.l10n.t('Type'), getTypeLabel(this.#datamodel)],
      [vscode.l10n.t('Last built'), formatLocalTime(this.#datamodel.lastBuildTime)],
      [vscode.l10n.t('Last published'), formatLocalTime(this.#datamodel.lastPublishTime)],
      [vscode.l10n.t('Last changed'), formatLocalTime(this.#datamodel.lastUpdated)],
    ]);
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    const catalog = await getCatalog(this.#model, this);
    const {
      value: datasets,
      unreadable: all,
      omittedCount,
    } = await catalog.readable.datasets(this.datamodelId);
    // Unreadable tables are reported below their dataset.
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
    return withUnreadable(this, { unreadable, omittedCount }, [
      ...sortDatasets(this.#filterDatasets(datasets)).map(
        (dataset) => new DatasetNode(this.#model, this, dataset),
      ),
      new RelationsNode(this.#model, this),
      rules,
    ]);
  }

  /**
   * Returns the datasets with a table that matches the filter, or all datasets if none has one: then the datamodel
   * itself matches.
   */
  #filterDatasets(datasets: readonly Dataset[]): readonly Dataset[] {
    const filter = this.#model.filter.current;
    const matching = datasets.filter(
      ({ schema }) => !schema?.tables || schema.tables.some((table) => filter.matchesTable(table)),
    );
    return matching.length === 0 ? datasets : matching;
  }

  /** Returns the phase of the datamodel's running build, or else of the last one that ended. */
  #getLastBuildPhase(): Build['phase'] | undefined {
    const { builds, running } = this.#model.builds;
    const isThisDatamodel = (build: Build): boolean =>
      build.connectionId === this.connectionId && build.datamodelId === this.datamodelId;
    return running.some(isThisDatamodel)
      ? 'running'
      : builds.findLast((build) => isThisDatamodel(build) && !isRunning(build))?.phase;
  }
}

/** Describes the type, preceded by the build state if a build is running or failed. */
function formatDescription(type: string, phase: Build['phase'] | undefined): string {
  if (phase === 'running') {
    return vscode.l10n.t('building, {0}', type);
  }
  return phase === 'failed' ? vscode.l10n.t('build failed, {0}', type) : type;
}

/** Sorts by name, with custom datasets last. */
function sortDatasets(datasets: readonly Dataset[]): readonly Dataset[] {
  const byName = sortByName(datasets, (dataset) => getDatasetName(dataset) ?? '');
  const isCustom = ({ type }: Dataset): boolean => type === 'custom';
  return [...byName.filter((dataset) => !isCustom(dataset)), ...byName.filter(isCustom)];
}

function getTypeLabel(datamodel: Datamodel): string {
  const word = getDatamodelTypeLabel(datamodel);
  const labels: Readonly<Record<string, string>> = {
    live: vscode.l10n.t('live'),
    extract: vscode.l10n.t('extract'),
  };
  return labels[word] ?? word;
}

const getIcon = (type: DatamodelType): string => (type === 'live' ? 'broadcast' : 'database');
