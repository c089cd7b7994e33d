import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { sortedByName } from '../../catalog/naturalOrder.ts';
import { type Build, isRunning } from '../../builds/build.ts';
import type { BuildTarget } from '../../contributions.ts';
import { buildIcon } from '../../platform/labels.ts';
import { plainText } from '../../platform/serverText.ts';
import { buildTooltip } from './buildItem.ts';
import { buildTitle, clockTime, phaseText, usualText } from './buildWords.ts';
import type { BuildsDeps } from './deps.ts';
import type { UsualDurations } from './usualDurations.ts';

/** A connection that has builds. */
interface ConnectionNode {
  readonly kind: 'connection';
  readonly connectionId: string;
}

/** A build, as commands are handed it. */
interface BuildNode extends BuildTarget {
  readonly kind: 'build';
}

export type BuildTreeNode = ConnectionNode | BuildNode;

/** How often the time that builds have taken so far is drawn anew while somebody looks. */
const tickMs = 1_000;

/** The builds that run and that ended lately, by connection; running ones first, then the latest. */
export class BuildTree implements vscode.TreeDataProvider<BuildTreeNode>, Disposable {
  readonly #deps: BuildsDeps;
  readonly #usual: UsualDurations;
  readonly #isShown: () => boolean;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new vscode.EventEmitter<BuildTreeNode | undefined>());
  readonly onDidChangeTreeData = this.#onDidChange.event;
  /** The nodes as they were handed to the editor, which knows them by identity. */
  readonly #nodes = new Map<string, BuildTreeNode>();
  #drawn = '';
  #tick: Disposable | undefined;

  constructor(deps: BuildsDeps, usual: UsualDurations, isShown: () => boolean) {
    this.#deps = deps;
    this.#usual = usual;
    this.#isShown = isShown;
    this.#store.add(deps.builds.onDidChange(() => this.#draw()));
    this.#store.add(usual.onDidChange(() => this.#onDidChange.fire(undefined)));
    this.#store.add(usual);
    this.#store.add({ dispose: () => this.#tick?.dispose() });
    this.#scheduleTick();
  }

  getChildren(node?: BuildTreeNode): BuildTreeNode[] {
    if (node === undefined) {
      return this.#connections().map((connectionId) =>
        this.#node(connectionId, { kind: 'connection', connectionId }),
      );
    }
    return node.kind === 'build'
      ? []
      : this.#buildsOf(node.connectionId).map(({ connectionId, oid }) =>
          this.#node(`${connectionId}/${oid}`, { kind: 'build', connectionId, oid }),
        );
  }

  getTreeItem(node: BuildTreeNode): vscode.TreeItem {
    if (node.kind === 'connection') {
      return this.#connectionItem(node);
    }
    const build = this.#deps.builds.find(node.connectionId, node.oid);
    return build === undefined ? new vscode.TreeItem(node.oid) : this.#buildItem(build);
  }

  resolveTreeItem(item: vscode.TreeItem, node: BuildTreeNode): vscode.TreeItem {
    const build = node.kind === 'build' ? this.#deps.builds.find(node.connectionId, node.oid) : undefined;
    if (build !== undefined) {
      item.tooltip = buildTooltip(this.#deps, build, this.#usual.of(build));
    }
    return item;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #connectionItem({ connectionId }: ConnectionNode): vscode.TreeItem {
    const { builds, connections } = this.#deps;
    const name = connections.find(connectionId)?.name ?? connectionId;
    const item = new vscode.TreeItem(plainText(name), vscode.TreeItemCollapsibleState.Expanded);
    item.id = connectionId;
    item.contextValue = 'connection';
    const running = this.#buildsOf(connectionId).filter(isRunning).length;
    const heard = builds.heard(connectionId);
    const isSilent = heard?.failure !== undefined;
    item.description = isSilent
      ? vscode.l10n.t('not heard of since {0}', clockTime(heard?.at ?? 0))
      : running === 0
        ? ''
        : vscode.l10n.t('{0} running', running);
    item.iconPath = new vscode.ThemeIcon(isSilent ? 'warning' : 'server-environment');
    return item;
  }

  #buildItem(build: Build): vscode.TreeItem {
    const { builds, clock } = this.#deps;
    const isFollowed = !isRunning(build) || builds.isFollowed(build);
    const title = buildTitle(build);
    const item = new vscode.TreeItem(plainText(title));
    item.id = `${build.connectionId}/${build.oid}`;
    const state = isFollowed
      ? phaseText(build, clock.now())
      : vscode.l10n.t('not watched: the sandbox is stopped');
    const usual = isRunning(build) && isFollowed ? usualText(this.#usual.of(build)) : undefined;
    const texts = [state, usual, build.ended === undefined ? undefined : clockTime(build.ended)];
    item.description = plainText(texts.filter((text) => text !== undefined).join(' · '));
    item.iconPath = isFollowed ? buildIcon(build.phase) : new vscode.ThemeIcon('debug-pause');
    item.contextValue = contextOf(build);
    item.accessibilityInformation = { label: `${title}: ${item.description}` };
    return item;
  }

  #connections(): readonly string[] {
    const { builds, connections } = this.#deps;
    const ids = [...new Set(builds.builds.map(({ connectionId }) => connectionId))];
    return sortedByName(ids, (id) => connections.find(id)?.name ?? id);
  }

  #buildsOf(connectionId: string): readonly Build[] {
    const mine = this.#deps.builds.builds.filter((build) => build.connectionId === connectionId);
    const latestFirst = (a: Build, b: Build): number => (b.ended ?? b.firstSeen) - (a.ended ?? a.firstSeen);
    return [
      ...mine.filter(isRunning).toSorted(latestFirst),
      ...mine.filter((build) => !isRunning(build)).toSorted(latestFirst),
    ];
  }

  #node(id: string, node: BuildTreeNode): BuildTreeNode {
    const known = this.#nodes.get(id) ?? node;
    this.#nodes.set(id, known);
    return known;
  }

  /** The whole tree where builds came, ended or went; else what runs. */
  #draw(): void {
    const { builds } = this.#deps;
    const now = JSON.stringify(
      builds.builds.map(({ connectionId, oid, phase, status }) => [
        connectionId,
        oid,
        phase,
        status,
        builds.heard(connectionId)?.failure !== undefined,
      ]),
    );
    if (now !== this.#drawn) {
      this.#drawn = now;
      this.#onDidChange.fire(undefined);
    }
    this.#scheduleTick();
  }

  #scheduleTick(): void {
    const { builds, clock } = this.#deps;
    this.#tick?.dispose();
    if (builds.running.length > 0) {
      this.#tick = clock.schedule(tickMs, () => {
        for (const build of this.#isShown() ? builds.running : []) {
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

/** What can be done with a build, as the menus ask for it. */
function contextOf(build: Build): string {
  const flags = [
    build.datamodelId === undefined ? '' : '.model',
    build.failedTable === undefined ? '' : '.table',
  ];
  return `build.${build.phase}${flags.join('')}`;
}
