import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { getBaseConnectionId } from '../../catalog/tenantConnection.ts';
import { type ExplorerNodeDeps, type ExplorerNode, nodeIds } from './nodes/node.ts';
import { Revalidator } from './revalidation.ts';
import type { ExplorerTreeProvider } from './treeProvider.ts';
import type { PersistedTreeState } from './treeState.ts';

type LiveUpdateDeps = ExplorerNodeDeps & { readonly treeState: PersistedTreeState };

/** Keeps the tree up to date after writes and builds of this extension, and after other changes on the server. */
export function keepTreeUpToDate(
  view: vscode.TreeView<ExplorerNode>,
  provider: ExplorerTreeProvider,
  deps: LiveUpdateDeps,
): Disposable {
  const store = new DisposableStore();
  const { connections, sessions, locks, tenants, viewpointServiceStatuses, pins, filter } = deps;
  store.add(connections.onDidChange(() => provider.refreshNode()));
  store.add(pins.onDidChange(() => provider.refreshNode()));
  store.add(filter.onDidChange(() => provider.refreshNode()));
  store.add(locks.onDidChange((connectionId) => provider.refreshNode(connectionId)));
  store.add(sessions.onDidEnd((connectionId) => provider.refreshNode(getBaseConnectionId(connectionId))));
  store.add(tenants.onDidChange((connectionId) => provider.refreshNode(connectionId)));
  store.add(
    viewpointServiceStatuses.onDidChange((connectionId) =>
      provider.refreshNode(nodeIds.viewpoints(connectionId)),
    ),
  );
  store.add(sessions.onDidChangeCatalog((change) => provider.refreshForChange(change)));
  refreshOnBuildChanges(store, provider, deps);
  revalidateWhenVisible(store, view, deps);
  return store;
}

/** Redraws the datamodels whose builds start, progress or end, and the build lists of their connections. */
function refreshOnBuildChanges(
  store: DisposableStore,
  provider: ExplorerTreeProvider,
  { buildMonitor }: ExplorerNodeDeps,
): void {
  let shownStates = new Map<string, string>();
  store.add(
    buildMonitor.onDidChange(() => {
      const currentStates = new Map(
        buildMonitor.builds.map((build) => [
          `${build.connectionId} ${build.oid}`,
          `${build.phase} ${build.status}`,
        ]),
      );
      const changedBuilds = buildMonitor.builds.filter((build) => {
        const key = `${build.connectionId} ${build.oid}`;
        return shownStates.get(key) !== currentStates.get(key);
      });
      shownStates = currentStates;
      for (const { connectionId, datamodelId } of changedBuilds) {
        provider.refreshNode(nodeIds.builds(connectionId));
        if (datamodelId !== undefined) {
          provider.refreshNode(nodeIds.datamodel(connectionId, datamodelId));
          provider.refreshNode(`${nodeIds.pins}/${nodeIds.datamodel(connectionId, datamodelId)}`);
        }
      }
    }),
  );
}

/** Checks for changes when the view is shown again after a while. */
function revalidateWhenVisible(
  store: DisposableStore,
  view: vscode.TreeView<ExplorerNode>,
  { connections, sessions, clock, log, treeState }: LiveUpdateDeps,
): void {
  const isExpanded = (id: string): boolean =>
    !treeState.isCollapsed(id) && !treeState.isCollapsed(nodeIds.datamodels(id));
  const revalidator = new Revalidator({
    clock,
    log,
    getLists: () => connections.all.map(({ id }) => ({ connectionId: id, isExpanded: isExpanded(id) })),
    revalidate: async (connectionId) => sessions.peek(connectionId)?.catalog.revalidate(),
  });
  const updateVisibility = (): void => revalidator.setVisible(view.visible && vscode.window.state.focused);
  store.add(view.onDidChangeVisibility(updateVisibility));
  store.add(vscode.window.onDidChangeWindowState(updateVisibility));
}
