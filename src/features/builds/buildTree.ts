import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { sortByName } from '../../catalog/naturalOrder.ts';
import { type Build, isRunning } from '../../builds/build.ts';
import { sortByEnd } from '../../builds/latestBuild.ts';
import type { BuildTarget } from '../../contributions.ts';
import { getBuildIcon } from '../../platform/labels.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { createBuildTooltip } from './buildTooltip.ts';
import { getBuildTitle, formatEventTime, describePhase, describeTypicalDuration } from './buildLabels.ts';
import type { BuildsDeps } from './deps.ts';
import type { TypicalDurations } from './typicalDurations.ts';

/** The node of a connection that has builds. */
interface ConnectionNode {
  readonly kind: 'connection';
  readonly connectionId: string;
}

/** The node of a build; commands receive it as their target. */
interface BuildNode extends BuildTarget {
  readonly kind: 'build';
}

export type BuildTreeNode = ConnectionNode | BuildNode;

/** The interval at which elapsed times are updated while the view is visible. */
const tickMs = 1_000;

/** The tree of the Builds view: connections and, below them, builds; running ones first, then by time. */
export class BuildTree implements vscode.TreeDataProvider<BuildTreeNode>, Disposable {
  readonly #deps: BuildsDeps;
  readonly #typicalDurations: TypicalDurations;
  readonly #isVisible: () => boolean;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new vscode.EventEmitter<BuildTreeNode | undefined>());
  readonly onDidChangeTreeData = this.#onDidChange.event;
  /** The nodes by ID: VS Code identifies nodes by reference, so they are reused. */
  readonly #nodes = new Map<string, BuildTreeNode>();
  #lastSnapshot = '';
  #timer: Disposable | undefined;

  constructor(deps: BuildsDeps, typicalDurations: TypicalDurations, isVisible: () => boolean) {
    this.#deps = deps;
    this.#typicalDurations = typicalDurations;
    this.#isVisible = isVisible;
    this.#store.add(deps.buildMonitor.onDidChange(() => this.#refresh()));
    this.#store.add(typicalDurations.onDidChange(() => this.#onDidChange.fire(undefined)));
    this.#store.add(typicalDurations);
    this.#store.add({ dispose: () => this.#timer?.dispose() });
    this.#scheduleTick();
  }

  getChildren(node?: BuildTreeNode): BuildTreeNode[] {
    if (node === undefined) {
      return this.#getConnectionIds().map((connectionId) =>
        this.#getNode(connectionId, { kind: 'connection', connectionId }),
      );
    }
    return node.kind === 'build'
      ? []
      : this.#getBuilds(node.connectionId).map(({ connectionId, oid }) =>
          this.#getNode(`${connectionId}/${oid}`, { kind: 'build', connectionId, oid }),
        );
  }

  getParent({ kind, connectionId }: BuildTreeNode): BuildTreeNode | undefined {
    return kind === 'build' ? this.#getNode(connectionId, { kind: 'connection', connectionId }) : undefined;
  }

  getTreeItem(node: BuildTreeNode): vscode.TreeItem {
    if (node.kind === 'connection') {
      return this.#createConnectionItem(node);
    }
    const build = this.#deps.buildMonitor.find(node.connectionId, node.oid);
    return build === undefined ? new vscode.TreeItem(node.oid) : this.#createBuildItem(build);
  }

  resolveTreeItem(item: vscode.TreeItem, node: BuildTreeNode): vscode.TreeItem {
    const build =
      node.kind === 'build' ? this.#deps.buildMonitor.find(node.connectionId, node.oid) : undefined;
    if (build !== undefined) {
      item.tooltip = createBuildTooltip(this.#deps, build, this.#typicalDurations.get(build));
    }
    return item;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #createConnectionItem({ connectionId }: ConnectionNode): vscode.TreeItem {
    const { buildMonitor, connections } = this.#deps;
    const name = connections.find(connectionId)?.name ?? connectionId;
    const item = new vscode.TreeItem(toPlainText(name), vscode.TreeItemCollapsibleState.Expanded);
    item.id = connectionId;
    item.contextValue = 'connection';
    const running = this.#getBuilds(connectionId).filter(isRunning).length;
    const lastUpdate = buildMonitor.getLastUpdate(connectionId);
    const isUnresponsive = lastUpdate?.failure !== undefined;
    item.description = isUnresponsive
      ? vscode.l10n.t('no response since {0}', formatEventTime(lastUpdate?.time ?? 0))
      : running === 0
        ? ''
        : vscode.l10n.t('{0} running', running);
    item.iconPath = new vscode.ThemeIcon(isUnresponsive ? 'warning' : 'server-environment');
    return item;
  }

  #createBuildItem(build: Build): vscode.TreeItem {
    const { buildMonitor, clock } = this.#deps;
    const isMonitored = !isRunning(build) || buildMonitor.isMonitored(build);
    const title = getBuildTitle(build);
    const item = new vscode.TreeItem(toPlainText(title));
    item.id = `${build.connectionId}/${build.oid}`;
    const state = isMonitored
      ? describePhase(build, clock.now())
      : vscode.l10n.t('not monitored: the sandbox is stopped');
    const typicalDuration =
      isRunning(build) && isMonitored
        ? describeTypicalDuration(this.#typicalDurations.get(build))
        : undefined;
    const texts = [
      state,
      typicalDuration,
      build.ended === undefined ? undefined : formatEventTime(build.ended),
    ];
    item.description = toPlainText(texts.filter((text) => text !== undefined).join(' · '));
    item.iconPath = isMonitored ? getBuildIcon(build.phase) : new vscode.ThemeIcon('debug-pause');
    item.contextValue = getContextValue(build);
    item.accessibilityInformation = { label: `${title}: ${item.description}` };
    return item;
  }

  #getConnectionIds(): readonly string[] {
    const { buildMonitor, connections } = this.#deps;
    const ids = [...new Set(buildMonitor.builds.map(({ connectionId }) => connectionId))];
    const sortedIds = sortByName(ids, (id) => connections.find(id)?.name ?? id);
    const isBuilding = (id: string): boolean =>
      buildMonitor.runningBuilds.some(({ connectionId }) => connectionId === id);
    return [...sortedIds.filter(isBuilding), ...sortedIds.filter((id) => !isBuilding(id))];
  }

  #getBuilds(connectionId: string): readonly Build[] {
    const connectionBuilds = this.#deps.buildMonitor.builds.filter(
      (build) => build.connectionId === connectionId,
    );
    return [
      ...connectionBuilds.filter(isRunning).toSorted((a, b) => b.firstSeen - a.firstSeen),
      ...sortByEnd(connectionBuilds.filter((build) => !isRunning(build))).toReversed(),
    ];
  }

  #getNode(id: string, node: BuildTreeNode): BuildTreeNode {
    const existing = this.#nodes.get(id) ?? node;
    this.#nodes.set(id, existing);
    return existing;
  }

  /** Refreshes the whole tree if builds were added, removed or changed; otherwise only elapsed times are updated. */
  #refresh(): void {
    const { buildMonitor } = this.#deps;
    const snapshot = JSON.stringify(
      buildMonitor.builds.map(({ connectionId, oid, phase, status }) => [
        connectionId,
        oid,
        phase,
        status,
        buildMonitor.getLastUpdate(connectionId)?.failure !== undefined,
      ]),
    );
    if (snapshot !== this.#lastSnapshot) {
      this.#lastSnapshot = snapshot;
      this.#onDidChange.fire(undefined);
    }
    this.#scheduleTick();
  }

  #scheduleTick(): void {
    const { buildMonitor, clock } = this.#deps;
    this.#timer?.dispose();
    if (buildMonitor.runningBuilds.length > 0) {
      this.#timer = clock.schedule(tickMs, () => {
        for (const build of this.#isVisible() ? buildMonitor.runningBuilds : []) {
          const node = this.#nodes.get(`${build.connectionId}/${build.oid}`);
          if (node !== undefined) {
            this.#onDidChange.fire(node);
          }
        }
        this.#scheduleTick();
      });
    }
  }
}

/** Returns the context value of a build, which the `when` clauses of menus match. */
function getContextValue(build: Build): string {
  const flags = [
    build.datamodelId === undefined ? '' : '.model',
    build.failedTable === undefined ? '' : '.table',
  ];
  return `build.${build.phase}${flags.join('')}`;
}
