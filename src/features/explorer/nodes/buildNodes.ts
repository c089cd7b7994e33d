import * as vscode from 'vscode';
import { type Build, isRunning } from '../../../builds/build.ts';
import { formatDuration } from '../../../builds/durations.ts';
import type { BuildTarget } from '../../../contributions.ts';
import {
  describeBuildOptions,
  describeBuildSource,
  getBuildStatusLabel,
} from '../../../platform/buildTexts.ts';
import { getBuildIcon } from '../../../platform/labels.ts';
import {
  createOpenCommand,
  createTooltip,
  type ExplorerNodeDeps,
  type ExplorerNode,
  type ConnectionChildNode,
  getCatalog,
  nodeIds,
} from './node.ts';
import { NoteNode, addUnreadableNode, filterList } from './listNodes.ts';
import {
  type BuildTask,
  getBuildFailure,
  getBuildPhase,
  getBuildTaskDetails,
} from '../../../contract/build.ts';

/** The running builds of an instance, and the ended ones that it still lists. */
export class BuildsNode implements ConnectionChildNode {
  readonly id: string;
  readonly parent: ConnectionChildNode;
  readonly connectionId: string;
  readonly catalogPart = { kind: 'builds' } as const;
  readonly #deps: ExplorerNodeDeps;

  constructor(deps: ExplorerNodeDeps, parent: ConnectionChildNode) {
    this.id = nodeIds.builds(parent.connectionId);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#deps = deps;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Builds'), vscode.TreeItemCollapsibleState.Collapsed);
    const runningCount = this.#getWatchedBuilds().filter(({ phase }) => phase === 'running').length;
    item.description = runningCount === 0 ? '' : vscode.l10n.t('{0} running', runningCount);
    item.iconPath = new vscode.ThemeIcon('tools');
    item.contextValue = 'builds';
    return item;
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    const catalog = await getCatalog(this.#deps, this);
    const { value: tasks, ...incompleteness } = await catalog.partial.builds();
    if (hasUnwatchedBuild(tasks, this.#getWatchedBuilds())) {
      // Another program has started a build, which is monitored like one that was started here.
      this.#deps.buildMonitor.refresh(this.connectionId);
    }
    const rows = createBuildRows(tasks, this.#getWatchedBuilds());
    if (rows.length === 0 && incompleteness.unreadable.length === 0) {
      return [new NoteNode(this, vscode.l10n.t('No running or recent builds'))];
    }
    const getDatamodelTitle = (id: string | undefined): string | undefined =>
      id === undefined ? undefined : catalog.getKnownDatamodel(id)?.title;
    const nodes = rows.map(
      (row) => new BuildNode(this, row, row.title ?? getDatamodelTitle(row.datamodelId) ?? row.oid),
    );
    const { matches, notes } = filterList(this, this.#deps.filter.nameFilter, nodes, ({ name }) => name);
    return addUnreadableNode(this, incompleteness, [...matches, ...notes]);
  }

  #getWatchedBuilds(): readonly Build[] {
    return this.#deps.buildMonitor.builds.filter(({ connectionId }) => connectionId === this.connectionId);
  }
}

/** A build task, running or ended. */
class BuildNode implements ConnectionChildNode, BuildTarget {
  readonly id: string;
  readonly parent: BuildsNode;
  readonly connectionId: string;
  readonly oid: string;
  readonly name: string;
  readonly resource;
  readonly #row: BuildRow;

  constructor(parent: BuildsNode, row: BuildRow, name: string) {
    this.id = nodeIds.child(parent.id, row.oid);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.oid = row.oid;
    this.name = name;
    this.resource = { kind: 'build', buildId: row.oid } as const;
    this.#row = row;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.name);
    item.description = describePhase(this.#row);
    item.iconPath = getBuildIcon(this.#row.phase);
    item.contextValue = `build.${this.#row.phase}`;
    item.command = createOpenCommand(this);
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    const { phase, reason, failedTable, task } = this.#row;
    const details = task && getBuildTaskDetails(task);
    const started = [
      formatTimestamp(details?.startedAt),
      details?.source === undefined ? undefined : describeBuildSource(details.source),
    ].filter((text) => text !== undefined);
    return createTooltip(this.name, [
      [vscode.l10n.t('State'), phase === 'failed' ? vscode.l10n.t('failed') : describePhase(this.#row)],
      [vscode.l10n.t('Table'), failedTable],
      [vscode.l10n.t('Reason'), reason ?? (phase === 'failed' ? getMissingReasonMessage() : undefined)],
      [vscode.l10n.t('Type'), describeBuildOptions(this.#row.options)],
      [vscode.l10n.t('Started'), started.join(', ')],
      [vscode.l10n.t('Ended'), formatTimestamp(details?.completedAt)],
      [
        vscode.l10n.t('Duration'),
        details?.durationMs === undefined ? undefined : formatDuration(details.durationMs),
      ],
    ]);
  }
}

/** Formats a time in the user's locale. */
const formatTimestamp = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toLocaleString(vscode.env.language);

const getMissingReasonMessage = (): string =>
  vscode.l10n.t('Not reported by the server. See the build log of the datamodel in the web interface.');

function describePhase({ phase, status, failedTable, reason }: BuildRow): string {
  switch (phase) {
    case 'running':
      return getBuildStatusLabel(status);
    case 'done':
      return vscode.l10n.t('done');
    case 'failed':
      return [vscode.l10n.t('failed'), failedTable, reason].filter((text) => text !== undefined).join(': ');
    case 'cancelled':
      return vscode.l10n.t('canceled');
    case 'gone':
      return vscode.l10n.t('no longer listed');
  }
}

/** A build in the Connections view's list: from the monitor, or from the server's list of tasks. */
export interface BuildRow {
  readonly oid: string;
  readonly datamodelId: string | undefined;
  readonly title: string | undefined;
  readonly phase: Build['phase'];
  /** The status text from the server. */
  readonly status: string | undefined;
  readonly reason: string | undefined;
  readonly failedTable: string | undefined;
  /** The type and the options of the build; unknown ones are absent. */
  readonly options: Partial<Pick<Build, 'buildType' | 'schemaOrigin' | 'rowLimit'>>;
  /** When the build ended, in milliseconds since the epoch, if that is known. */
  readonly endedAt: number | undefined;
  /** The task as the server returned it; `undefined` if the server no longer lists it. */
  readonly task: BuildTask | undefined;
}

/**
 * Creates the rows of a connection's builds: running ones first, then the latest. The state of the build monitor takes
 * precedence: it is newer than the list and includes tasks that the server no longer lists.
 */
export function createBuildRows(
  tasks: readonly BuildTask[],
  watchedBuilds: readonly Build[],
): readonly BuildRow[] {
  const tasksByOid = new Map(tasks.map((task) => [task.oid, task]));
  const watchedOids = new Set(watchedBuilds.map(({ oid }) => oid));
  // Servers return the oldest task first, and the monitor keeps that order.
  const rows = [
    ...tasks.filter(({ oid }) => !watchedOids.has(oid)).map(toRowFromTask),
    ...watchedBuilds.map((build) => toRowFromBuild(build, tasksByOid.get(build.oid))),
  ].reverse();
  return [
    ...rows.filter(({ phase }) => phase === 'running'),
    ...rows
      .filter(({ phase }) => phase !== 'running')
      .toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0)),
  ];
}

/** Returns whether the list contains a running task that the build monitor does not watch yet. */
export const hasUnwatchedBuild = (tasks: readonly BuildTask[], watchedBuilds: readonly Build[]): boolean =>
  tasks.some(
    ({ oid, status }) =>
      getBuildPhase(status) === 'running' &&
      !watchedBuilds.some((build) => build.oid === oid && isRunning(build)),
  );

function toRowFromTask(task: BuildTask): BuildRow {
  const { reason, table } = getBuildFailure(task);
  const details = getBuildTaskDetails(task);
  return {
    oid: task.oid,
    datamodelId: task.datamodelId ?? undefined,
    title: details.title,
    options: details,
    phase: getBuildPhase(task.status),
    status: task.status ?? undefined,
    reason,
    failedTable: table,
    endedAt: details.completedAt,
    task,
  };
}

const toRowFromBuild = (build: Build, task: BuildTask | undefined): BuildRow => ({
  oid: build.oid,
  datamodelId: build.datamodelId,
  title: build.datamodelTitle,
  options: build,
  phase: build.phase,
  status: build.status ?? undefined,
  reason: build.reason,
  failedTable: build.failedTable,
  endedAt: build.ended,
  task,
});
