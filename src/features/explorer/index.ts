import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ValueStorage } from '../../base/valueStorage.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import { type NodeTarget, type ResourceTarget, views } from '../../contributions.ts';
import { registerCommand, runCommand } from '../../platform/commands.ts';
import { showInformation } from '../../platform/messages.ts';
import { registerCopyCommands } from './copyCommands.ts';
import { NodeDecorationProvider } from './decorations.ts';
import { DragController } from './dragController.ts';
import { showFilterInput } from './filterInput.ts';
import { FilterState } from './filterState.ts';
import { focusOnFirstShow } from './focusOnFirstShow.ts';
import { keepUpToDate } from './liveUpdates.ts';
import type { ExplorerNodeDeps, ExplorerNode } from './nodes/node.ts';
import type { ShownViews } from '../../platform/shownViews.ts';
import type { TreeSelection } from '../../platform/treeSelection.ts';
import { toExpressionTarget, toResourceTarget } from '../../platform/treeTarget.ts';
import { updateSetting } from '../../platform/settings.ts';
import { PersistedTreeState } from './treeState.ts';
import { ExplorerTreeProvider } from './treeProvider.ts';
import { showViewStatus } from './viewStatus.ts';

/** The dependencies of the explorer. */
export type ExplorerDeps = Omit<ExplorerNodeDeps, 'filter'> & {
  readonly current: CurrentConnection;
  /** Persists the expanded and selected nodes across window reloads. */
  readonly treeStorage: ValueStorage;
  readonly selection: TreeSelection;
  readonly shownViews: ShownViews;
};

/** Registers the tree of connections and the contents of their instances. */
export function register(deps: ExplorerDeps): Disposable {
  const store = new DisposableStore();
  const nodeDeps = { ...deps, filter: store.add(new FilterState()) };
  const treeState = new PersistedTreeState(deps.treeStorage);
  const provider = store.add(new ExplorerTreeProvider(nodeDeps, treeState, deps.log));
  const view = store.add(
    vscode.window.createTreeView(views.explorer, {
      treeDataProvider: provider,
      showCollapseAll: true,
      canSelectMany: true,
      dragAndDropController: new DragController(),
    }),
  );
  store.add(persistTreeState(view, provider, treeState, nodeDeps));
  store.add(deps.selection.track(() => view.selection));
  store.add(deps.shownViews.track(views.explorer, view));
  store.add(focusOnFirstShow(view, deps.shownViews, provider.onDidLoadRoots));
  store.add(vscode.window.registerFileDecorationProvider(new NodeDecorationProvider()));
  store.add(showViewStatus(view, provider, nodeDeps));
  store.add(keepUpToDate(view, provider, { ...nodeDeps, treeState }));
  store.add(registerNodeCommands(nodeDeps, view, provider));
  store.add(registerViewCommands(nodeDeps, view, provider));
  return store;
}

type ExplorerContext = ExplorerDeps & ExplorerNodeDeps;

/** Saves the expanded and selected nodes, and restores the selection once its node is shown again. */
function persistTreeState(
  view: vscode.TreeView<ExplorerNode>,
  provider: ExplorerTreeProvider,
  treeState: PersistedTreeState,
  { clock, log }: ExplorerContext,
): Disposable {
  const store = new DisposableStore();
  store.add(view.onDidExpandElement(({ element }) => treeState.setExpanded(element.id, true)));
  store.add(view.onDidCollapseElement(({ element }) => treeState.setExpanded(element.id, false)));
  store.add(view.onDidChangeSelection(({ selection }) => treeState.setSelected(selection[0]?.id)));
  store.add(
    provider.onDidShowSelected((node) => {
      // The editor knows the node only after `getChildren` has returned it.
      const pendingReveal = clock.schedule(0, () => {
        store.release(pendingReveal);
        view.reveal(node, { select: true, focus: false }).then(undefined, (error: unknown) => {
          log.warn('explorer', 'Restoring the selection failed', { reason: String(error) });
        });
      });
      store.add(pendingReveal);
    }),
  );
  return store;
}

/** Registers the commands on the selected nodes. */
function registerNodeCommands(
  { log, pins, sessions, connections, current, tenants }: ExplorerContext,
  view: vscode.TreeView<ExplorerNode>,
  provider: ExplorerTreeProvider,
): Disposable {
  const store = new DisposableStore();
  // A context menu passes its node and, if that node is selected, all selected nodes. A keybinding passes nothing.
  const resolveNodes = (node?: NodeTarget, selectedNodes?: readonly NodeTarget[]): readonly ExplorerNode[] =>
    (selectedNodes ?? (node === undefined ? view.selection : [node])).flatMap(
      ({ id }) => provider.findNode(id) ?? [],
    );
  const getPins = (nodes: readonly ExplorerNode[]) => nodes.flatMap(({ pin }) => pin ?? []);
  store.add(registerCopyCommands({ log, connections, sessions, resolveNodes }));
  store.add(
    registerCommand('datamodelStudio.explorer.pin', log, (node, selectedNodes) =>
      getPins(resolveNodes(node, selectedNodes)).forEach((pin) => pins.add(pin)),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.explorer.unpin', log, (node, selectedNodes) =>
      getPins(resolveNodes(node, selectedNodes)).forEach((pin) => pins.remove(pin)),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.explorer.openJson', log, async (node, selectedNodes) => {
      const targets = resolveNodes(node, selectedNodes).flatMap(
        (targetNode) => toResourceTarget(targetNode) ?? [],
      );
      await openAll(targets.map((target) => ({ ...target, openAs: 'text' })));
    }),
  );
  store.add(
    registerCommand('datamodelStudio.explorer.open', log, async (node, selectedNodes) => {
      await openAll(
        resolveNodes(node, selectedNodes).flatMap((targetNode) => toResourceTarget(targetNode) ?? []),
      );
    }),
  );
  store.add(
    registerCommand('datamodelStudio.explorer.openExpression', log, async (node, selectedNodes) => {
      await openAll(
        resolveNodes(node, selectedNodes).flatMap((targetNode) => toExpressionTarget(targetNode) ?? []),
      );
    }),
  );
  store.add(
    registerCommand('datamodelStudio.explorer.selectTenant', log, async (target) => {
      const { selectTenant } = await import('./selectTenant.ts');
      await selectTenant({ connections, current, sessions, tenants }, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.explorer.addCubeSet', log, async (target) => {
      const { addCubeSet } = await import('./cubeSets.ts');
      await addCubeSet({ connections, current, sessions, log }, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.explorer.removeCubeSet', log, async (target) => {
      const { removeCubeSet } = await import('./cubeSets.ts');
      await removeCubeSet(connections, target);
    }),
  );
  return store;
}

/** Opens resources. If there are several, none is opened in the preview tab, where they would replace each other. */
async function openAll(targets: readonly ResourceTarget[]): Promise<void> {
  for (const target of targets) {
    await runCommand(
      'datamodelStudio.documents.open',
      targets.length > 1 ? { ...target, keepsTab: true } : target,
    );
  }
}

/** Registers the commands on the view as a whole. */
function registerViewCommands(
  deps: ExplorerContext,
  view: vscode.TreeView<ExplorerNode>,
  provider: ExplorerTreeProvider,
): Disposable {
  const { log, filter, clock } = deps;
  const store = new DisposableStore();
  store.add(registerCommand('datamodelStudio.explorer.refresh', log, (node) => provider.reload(node?.id)));
  store.add(
    registerCommand('datamodelStudio.explorer.loadMore', log, async (node) => {
      await node?.loadMore();
      provider.refreshNode(node?.id);
    }),
  );
  store.add(registerCommand('datamodelStudio.explorer.filter', log, () => showFilterInput(filter, clock)));
  store.add(registerCommand('datamodelStudio.explorer.clearFilter', log, () => filter.set('')));
  const setGrouped = (isGrouped: boolean) => () => updateSetting('explorer.groupViewpoints', isGrouped);
  store.add(registerCommand('datamodelStudio.explorer.groupViewpoints', log, setGrouped(true)));
  store.add(registerCommand('datamodelStudio.explorer.listViewpoints', log, setGrouped(false)));
  store.add(
    registerCommand('datamodelStudio.explorer.reveal', log, async (target) => {
      if (target !== undefined) {
        filter.set('');
        await reveal(view, provider, target);
      }
    }),
  );
  return store;
}

async function reveal(
  view: vscode.TreeView<ExplorerNode>,
  provider: ExplorerTreeProvider,
  target: ResourceTarget,
): Promise<void> {
  const { findNode } = await import('./findNode.ts');
  const node = await findNode(provider.getRoots(), target);
  if (node === undefined) {
    // Other commands reveal what they have created: they do not wait until the message is closed.
    void showInformation(vscode.l10n.t("Can't find {0} in the explorer.", target.name));
    return;
  }
  await view.reveal(node, { select: true, focus: true });
}
