import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Connection } from '../../connections/connection.ts';
import { endpoints } from '../../contract/endpoints.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import type { ProcessState } from '../../changes/journal/processIdentity.ts';
import { hadNoEffect } from '../../changes/journal/laterChanges.ts';
import { isOnlyReliedOn } from '../../changes/journal/reliedOnRules.ts';
import { canResume } from '../../changes/journal/stoppedOperation.ts';
import { getUndos } from '../../changes/journal/undoneEntries.ts';
import { isGroupedRuleWrite } from '../../changes/rules/ruleAction.ts';
import { createCommand } from '../../platform/commands.ts';
import type { HistoryFeatureDeps } from './deps.ts';
import { EntryProjects } from './entryProjects.ts';
import {
  type EntryDetails,
  describeActor,
  describeChangedParts,
  describeDeniedAccess,
  describeEntry,
  describeRow,
  getEntryLabel,
  getSnapshotName,
  getEntryTitle,
  describeNotRestored,
  describeOutcome,
  describeOutcomeBriefly,
  describeLocation,
  describeWriteOutcome,
  loadChangedParts,
} from './historyLabels.ts';
import { formatEntryTimes, formatExactTime, getNextMidnight } from './historyTimes.ts';

/** A node of the history tree, also passed to commands on an entry. */
export interface HistoryNode {
  readonly id: string;
  readonly connectionId: string;
  readonly entryId?: string;
  /** The index of a document in its entry. */
  readonly documentIndex?: number;
  /** The row that an entry is below, if there is one. */
  readonly parent?: HistoryNode;
  createTreeItem(): vscode.TreeItem | Promise<vscode.TreeItem>;
  getChildren?(): Promise<HistoryNode[]>;
}

/** The tree of changes, newest first; grouped by connection if there are several connections. */
export class HistoryTree implements vscode.TreeDataProvider<HistoryNode>, Disposable {
  readonly #deps: HistoryFeatureDeps;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new vscode.EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#onDidChange.event;
  /** The time until which the shown rows are up to date: the next midnight, since rows of the same day show no date. */
  #validUntil = Number.POSITIVE_INFINITY;
  #midnightTimer: Disposable | undefined;

  constructor(deps: HistoryFeatureDeps) {
    this.#deps = deps;
    this.#store.add(deps.connections.onDidChange(() => this.refresh()));
    // The timer stands still while the computer is suspended.
    this.#store.add(vscode.window.onDidChangeWindowState(() => this.#refreshOutdated()));
    void this.#subscribeToHistory();
  }

  async getTreeItem(node: HistoryNode): Promise<vscode.TreeItem> {
    const item = await node.createTreeItem();
    item.id = node.id;
    return item;
  }

  async getChildren(node?: HistoryNode): Promise<HistoryNode[]> {
    if (node !== undefined) {
      return (await node.getChildren?.()) ?? [];
    }
    this.#waitForMidnight();
    const { connections } = this.#deps;
    const [singleConnection, ...otherConnections] = connections.all;
    if (singleConnection !== undefined && otherConnections.length === 0) {
      return this.#getEntryNodes(singleConnection);
    }
    const connectionEntries = await Promise.all(
      connections.all.map(async (connection) => ({
        connection,
        entries: await this.#getEntryNodes(connection),
      })),
    );
    return connectionEntries
      .filter(({ entries }) => entries.length > 0)
      .map(({ connection, entries }) => createConnectionNode(connection, entries));
  }

  getParent({ parent }: HistoryNode): HistoryNode | undefined {
    return parent;
  }

  refresh(): void {
    this.#onDidChange.fire(undefined);
  }

  dispose(): void {
    this.#midnightTimer?.dispose();
    this.#store.dispose();
  }

  /** Shows the rows again once the day is over: until then, rows of the day show no date. */
  #waitForMidnight(): void {
    const now = this.#deps.clock.now();
    this.#validUntil = getNextMidnight(now);
    this.#midnightTimer?.dispose();
    this.#midnightTimer = this.#deps.clock.schedule(this.#validUntil - now, () => this.#refreshOutdated());
  }

  #refreshOutdated(): void {
    if (this.#deps.clock.now() >= this.#validUntil) {
      this.refresh();
    }
  }

  async #subscribeToHistory(): Promise<void> {
    const { history } = await this.#deps.changeServices();
    this.#store.add(history.onDidChange(() => this.refresh()));
  }

  async #getEntryNodes(connection: Connection): Promise<HistoryNode[]> {
    const { history } = await this.#deps.changeServices();
    const entries = await history.readEntries(connection.id);
    const undos = getUndos(entries);
    const unfinishedIds = new Set((await history.readUnfinishedEntries(connection.id)).map(({ id }) => id));
    const times = formatEntryTimes(entries, this.#deps.clock.now());
    const projects = new EntryProjects(entries);
    return entries.map((entry, index) => ({
      id: `${connection.id}/${entry.id}`,
      connectionId: connection.id,
      entryId: entry.id,
      createTreeItem: async () =>
        createEntryItem(entry, {
          connectionName: connection.name,
          undo: undos.get(entry.id),
          isUnfinished: unfinishedIds.has(entry.id),
          isWithoutEffect: hadNoEffect(entry, entries),
          processState: entry.end === undefined ? history.getProcessState(entry) : 'ended',
          time: times[index] ?? '',
          parts: await loadChangedParts(entry, this.#deps.log),
          project: await projects.find(entry),
        }),
      getChildren: () =>
        Promise.resolve([
          ...createDocumentNodes(connection.id, entry),
          ...createRequestNodes(connection.id, entry),
        ]),
    }));
  }
}

function createConnectionNode({ id, name }: Connection, entries: readonly HistoryNode[]): HistoryNode {
  const node: HistoryNode = {
    id,
    connectionId: id,
    createTreeItem: () => {
      const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
      item.iconPath = new vscode.ThemeIcon('plug');
      item.contextValue = 'historyConnection';
      return item;
    },
    getChildren: () => Promise.resolve(entries.map((entry) => ({ ...entry, parent: node }))),
  };
  return node;
}

interface EntryState extends Pick<EntryDetails, 'time' | 'parts' | 'project'> {
  readonly connectionName: string;
  readonly undo: HistoryEntry | undefined;
  readonly isUnfinished: boolean;
  /** Whether the entry has stopped, and nothing is left to finish, roll back, or undo. */
  readonly isWithoutEffect: boolean;
  readonly processState: ProcessState;
}

function createEntryItem(entry: HistoryEntry, entryState: EntryState): vscode.TreeItem {
  const title = getEntryTitle(entry);
  const item = new vscode.TreeItem(
    getEntryLabel(entry, entryState),
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  const { processState, undo } = entryState;
  const progress =
    processState === 'ended'
      ? undefined
      : processState === 'unknown'
        ? vscode.l10n.t('interrupted or in progress')
        : vscode.l10n.t('in progress');
  const { isWithoutEffect } = entryState;
  const outcome = progress ?? describeOutcomeBriefly(entry, { undo, isWithoutEffect });
  item.description = describeRow(entry, { ...entryState, outcome });
  item.accessibilityInformation = { label: `${title}, ${describeEntry(entry, { ...entryState, outcome })}` };
  item.iconPath = getIcon(entry, entryState);
  const isUndone = undo !== undefined;
  // Another program may have the ID of the process: the actions ask whether it has ended.
  const isUnfinished =
    entryState.isUnfinished ||
    processState === 'id-in-use' ||
    (canResume(entry) && !isUndone && !isWithoutEffect);
  item.contextValue = isUnfinished
    ? 'historyEntry.unfinished'
    : isUndone || entry.end === undefined || isWithoutEffect
      ? 'historyEntry.over'
      : 'historyEntry.done';
  item.tooltip = [
    title,
    describeLocation(entry, entryState.connectionName),
    formatExactTime(entry.startedAt),
    describeActor(entry) ?? '',
    progress ?? describeOutcome(entry, { undo, isWithoutEffect }) ?? '',
    describeChangedParts(entryState),
    describeNotRestored(undo),
    describeNotRestored(entry),
    ...(isUnfinished ? describeDeniedAccess(entry) : []),
  ]
    .filter((line) => line !== '')
    .join('\n');
  return item;
}

/** Returns the icon of an entry, which shows the outcome even where the rest of the row is cut off. */
function getIcon(
  { end, isAbandoned, operation }: HistoryEntry,
  { undo, isUnfinished, processState }: EntryState,
): vscode.ThemeIcon {
  if (processState === 'id-in-use') {
    return new vscode.ThemeIcon('sync');
  }
  if (isUnfinished) {
    return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  }
  if (undo === undefined && isAbandoned === true) {
    return new vscode.ThemeIcon('circle-slash');
  }
  if (undo === undefined && end === 'stopped') {
    return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  }
  if (undo !== undefined || end === 'rolled-back') {
    return new vscode.ThemeIcon('discard');
  }
  if (operation.cause === 'undo' || operation.cause === 'restore') {
    return new vscode.ThemeIcon('history');
  }
  return new vscode.ThemeIcon(
    operation.cause === 'delete' ? 'trash' : operation.cause === 'create' ? 'add' : 'edit',
  );
}

/**
 * Creates the nodes of the documents before the change; each opens a comparison with the current version. Documents
 * that the change only relied on are left out.
 */
const createDocumentNodes = (connectionId: string, entry: HistoryEntry): readonly HistoryNode[] =>
  [...entry.before.entries()]
    .filter(([, { ref }]) => !isOnlyReliedOn(ref, entry))
    .map(([index, document]) => createDocumentNode(connectionId, entry, document, index));

function createDocumentNode(
  connectionId: string,
  entry: HistoryEntry,
  snapshot: HistoryEntry['before'][number],
  index: number,
): HistoryNode {
  return {
    id: `${connectionId}/${entry.id}/before/${index}`,
    connectionId,
    entryId: entry.id,
    documentIndex: index,
    createTreeItem: () => {
      const item = new vscode.TreeItem(getSnapshotName(snapshot));
      item.description = vscode.l10n.t('before the change');
      item.iconPath = new vscode.ThemeIcon('diff');
      item.contextValue = 'historyDocument';
      const target = { connectionId, entryId: entry.id, documentIndex: index };
      item.command = createCommand('datamodelStudio.history.compare', vscode.l10n.t('Compare'), target);
      return item;
    },
  };
}

/** A request as a node shows it. */
interface ShownRequest {
  readonly method: string;
  readonly path: string;
  readonly outcome: string;
  readonly problem?: string | undefined;
}

/** Creates the nodes of the requests, with method, path, status and duration. */
const createRequestNodes = (connectionId: string, entry: HistoryEntry): readonly HistoryNode[] =>
  getShownRequests(entry).map(({ method, path, outcome, problem = '' }, index) => ({
    id: `${connectionId}/${entry.id}/write/${index}`,
    connectionId,
    createTreeItem: () => {
      // The path may be longer than the row, so the outcome comes first.
      const item = new vscode.TreeItem(method);
      item.description = `${outcome} · ${path}`;
      item.iconPath = new vscode.ThemeIcon('arrow-up');
      item.contextValue = 'historyWrite';
      item.tooltip = [`${method} ${path}`, outcome, problem].filter((line) => line !== '').join('\n');
      return item;
    },
  }));

/**
 * Returns the requests of an entry. For a rule change, returns only the requests that were sent, since its requests are
 * computed while it runs.
 */
function getShownRequests({ operation, writeStates, requests }: HistoryEntry): readonly ShownRequest[] {
  return operation.writes.flatMap((write, index): readonly ShownRequest[] => {
    if (requests !== undefined && isGroupedRuleWrite(write)) {
      return requests
        .filter(({ writeIndex, result }) => writeIndex === index && result?.state !== 'not-sent')
        .map(({ method, path, result }) => ({
          method,
          path,
          outcome: describeWriteOutcome(result ?? { state: 'sending' }),
          problem: result?.problem,
        }));
    }
    const state = writeStates[index] ?? { state: 'waiting' };
    const { method, path } = endpoints[write.endpoint];
    return [
      {
        method,
        path: 'path' in state ? state.path : path,
        outcome: describeWriteOutcome(state),
        problem: 'problem' in state ? state.problem : undefined,
      },
    ];
  });
}
