import * as vscode from 'vscode';
import type { InstanceCatalog } from '../../../catalog/instanceCatalog.ts';
import type { NameFilter } from '../../../catalog/nameFilter.ts';
import {
  type Datamodel,
  getDatasetName,
  type DatamodelType,
  getDatamodelType,
  type Dataset,
} from '../../../contract/datamodel.ts';
import { NoteNode, addUnreadableNode } from './listNodes.ts';
import {
  type ExplorerNodeDeps,
  type ExplorerNode,
  type ConnectionChildNode,
  getCatalog,
  getLinkSuffix,
  nodeIds,
  toDecorationUri,
  formatLocalTime,
  createTooltip,
  type DatamodelChildNode,
} from './node.ts';
import type { Build } from '../../../builds/build.ts';
import { findLatestEnded, hasSucceededSince } from '../../../builds/latestBuild.ts';
import { sortByName } from '../../../catalog/naturalOrder.ts';
import type { Pin } from '../../../catalog/pins.ts';
import { type RuleSubject, getRuleSubject } from '../../../catalog/ruleSubject.ts';
import type { DatamodelTarget } from '../../../contributions.ts';
import { formatDatamodelType } from '../../../platform/labels.ts';
import { DatasetNode } from './tableNodes.ts';
import { RelationsNode } from './relationNodes.ts';
import { RulesNode } from './ruleNodes.ts';

/** The datamodels of a connection. */
export class DatamodelsNode implements ConnectionChildNode {
  readonly id: string;
  readonly parent: ConnectionChildNode;
  readonly connectionId: string;
  readonly catalogPart = { kind: 'datamodels' } as const;
  readonly #deps: ExplorerNodeDeps;

  constructor(deps: ExplorerNodeDeps, parent: ConnectionChildNode) {
    this.id = nodeIds.datamodels(parent.connectionId);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#deps = deps;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Datamodels'), vscode.TreeItemCollapsibleState.Expanded);
    item.iconPath = new vscode.ThemeIcon('library');
    item.contextValue = 'datamodels';
    return item;
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    const catalog = await getCatalog(this.#deps, this);
    const datamodels = await catalog.partial.datamodels();
    const hasUnreadableItems = datamodels.unreadable.length > 0;
    return addUnreadableNode(
      this,
      datamodels,
      this.#createNodes(catalog, datamodels.value, hasUnreadableItems),
    );
  }

  #createNodes(
    catalog: InstanceCatalog,
    datamodels: readonly Datamodel[],
    hasUnreadableItems: boolean,
  ): readonly ExplorerNode[] {
    if (datamodels.length === 0 && hasUnreadableItems) {
      return [];
    }
    if (datamodels.length === 0) {
      return [
        new NoteNode(this, vscode.l10n.t('No datamodels yet'), {
          title: vscode.l10n.t('New Datamodel…'),
          command: 'datamodelStudio.resources.newDatamodel',
        }),
      ];
    }
    const filter = this.#deps.filter.nameFilter;
    const matchingDatamodels = datamodels.filter((datamodel) => mayMatchFilter(catalog, datamodel, filter));
    if (matchingDatamodels.length === 0) {
      return [new NoteNode(this, vscode.l10n.t('No datamodels match the filter'))];
    }
    const location = { parent: this, connectionId: this.connectionId };
    return matchingDatamodels.map((datamodel) => new DatamodelNode(this.#deps, location, datamodel));
  }
}

/**
 * Returns whether a datamodel may match the filter. One that is not loaded yet may contain a match, so it is kept.
 */
function mayMatchFilter(catalog: InstanceCatalog, datamodel: Datamodel, filter: NameFilter): boolean {
  if (!filter.isActive || filter.matches(datamodel.title)) {
    return true;
  }
  const datasets = catalog.getKnownDatamodel(datamodel.oid)?.datasets;
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
  readonly catalogPart;
  readonly resource;
  readonly pin: Pin;
  /** The subject of its data security rules. */
  readonly subject: RuleSubject;
  readonly #deps: ExplorerNodeDeps;
  readonly #datamodel: Datamodel;

  constructor(deps: ExplorerNodeDeps, location: DatamodelNodeLocation, datamodel: Datamodel) {
    const { oid, title, server } = datamodel;
    this.id = location.id ?? nodeIds.datamodel(location.connectionId, oid);
    this.parent = location.parent;
    this.connectionId = location.connectionId;
    this.datamodelId = oid;
    this.title = title;
    this.name = title;
    this.type = getDatamodelType(datamodel);
    this.catalogPart = { kind: 'datamodel', datamodelId: oid } as const;
    this.resource = { kind: 'datamodel', datamodelId: oid } as const;
    this.pin = {
      connectionId: this.connectionId,
      datamodel: { oid, title, type: this.type, ...(server ? { server } : {}) },
    };
    this.subject = getRuleSubject(datamodel);
    this.#deps = deps;
    this.#datamodel = datamodel;
  }

  getTreeItem(): vscode.TreeItem {
    const phase = this.#getLastBuildPhase();
    const isBuilding = phase === 'running';
    const item = new vscode.TreeItem(this.title, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = formatDescription(formatDatamodelType(this.#datamodel), phase);
    if (isBuilding || phase === 'failed') {
      item.resourceUri = toDecorationUri(isBuilding ? 'building' : 'build-failed', this.id);
    }
    item.iconPath = new vscode.ThemeIcon(isBuilding ? 'loading~spin' : getIcon(this.type));
    const pinnedSuffix = this.#deps.pins.has(this.pin) ? '.pinned' : '';
    const webLinkSuffix = getLinkSuffix(this.#deps, this);
    item.contextValue = `datamodel.${this.type}${pinnedSuffix}${webLinkSuffix}${isBuilding ? '.building' : ''}`;
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    return createTooltip(this.title, [
      [vscode.l10n.t('Type'), formatDatamodelType(this.#datamodel)],
      [vscode.l10n.t('Last built'), formatLocalTime(this.#datamodel.lastBuildTime)],
      [vscode.l10n.t('Last published'), formatLocalTime(this.#datamodel.lastPublishTime)],
      [vscode.l10n.t('Last changed'), formatLocalTime(this.#datamodel.lastUpdated)],
    ]);
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    const catalog = await getCatalog(this.#deps, this);
    const {
      value: datasets,
      unreadable: allUnreadable,
      omittedCount,
    } = await catalog.partial.datasets(this.datamodelId);
    // Unreadable tables are reported below their dataset.
    const unreadable = allUnreadable.filter(({ path }) => !path.includes('tables'));
    const rules = new RulesNode(this.#deps, this, this.subject);
    if (datasets.length === 0 && unreadable.length === 0) {
      return [
        new NoteNode(this, vscode.l10n.t('No datasets yet'), {
          title: vscode.l10n.t('New Dataset…'),
          command: 'datamodelStudio.resources.newDataset',
        }),
        rules,
      ];
    }
    return addUnreadableNode(this, { unreadable, omittedCount }, [
      ...sortDatasets(this.#filterDatasets(datasets)).map(
        (dataset) => new DatasetNode(this.#deps, this, dataset),
      ),
      new RelationsNode(this.#deps, this),
      rules,
    ]);
  }

  /**
   * Returns the datasets with a table that matches the filter, or all datasets if none has one: then the datamodel
   * itself matches. A dataset that is not loaded yet may contain a match, so it is kept.
   */
  #filterDatasets(datasets: readonly Dataset[]): readonly Dataset[] {
    const filter = this.#deps.filter.nameFilter;
    if (!filter.isActive) {
      return datasets;
    }
    const matchingDatasets = datasets.filter(
      ({ schema }) => !schema?.tables || schema.tables.some((table) => filter.matchesTable(table)),
    );
    return matchingDatasets.length === 0 ? datasets : matchingDatasets;
  }

  /**
   * Returns the phase of the datamodel's running build, or else of the last one that ended. A failure doesn't count if
   * the datamodel shows a later success that the monitor hasn't seen.
   */
  #getLastBuildPhase(): Build['phase'] | undefined {
    const { builds, runningBuilds } = this.#deps.buildMonitor;
    const isThisDatamodel = (build: Build): boolean =>
      build.connectionId === this.connectionId && build.datamodelId === this.datamodelId;
    if (runningBuilds.some(isThisDatamodel)) {
      return 'running';
    }
    const latest = findLatestEnded(builds.filter(isThisDatamodel));
    return latest?.phase === 'failed' && hasSucceededSince(latest, this.#datamodel) ? 'done' : latest?.phase;
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
  const sortedDatasets = sortByName(datasets, (dataset) => getDatasetName(dataset) ?? '');
  const isCustom = ({ type }: Dataset): boolean => type === 'custom';
  return [...sortedDatasets.filter((dataset) => !isCustom(dataset)), ...sortedDatasets.filter(isCustom)];
}

const getIcon = (type: DatamodelType): string => (type === 'live' ? 'broadcast' : 'database');
