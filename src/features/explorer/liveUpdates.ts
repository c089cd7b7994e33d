import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { Build } from '../../builds/build.ts';
import { type ExplorerNodeDeps, type ExplorerNode, nodeIds } from './nodes/node.ts';
import { RevalidationOnShow } from './revalidation.ts';
import type { ExplorerTreeProvider } from './treeProvider.ts';

/** Keeps the tree up to date after writes and builds of this extension, and after other changes on the server. */
export function followChanges(
  view: vscode.TreeView<ExplorerNode>,
  provider: ExplorerTreeProvider,
  model: ExplorerNodeDeps & { readonly log: Log },
): Disposable {
  const store = new DisposableStore();
  const { connections, sessions, builds, locks, pins, filter } = model;
  store.add(connections.onDidChange(() => provider.refreshNode()));
  store.add(pins.onDidChange(() => provider.refreshNode()));
  store.add(filter.onDidChange(() => provider.refreshNode()));
  store.add(locks.onDidChange((connectionId) => provider.refreshNode(connectionId)));
  store.add(sessions.onDidEnd((connectionId) => provider.refreshNode(connectionId)));
  store.add(sessions.onDidChangeCatalog((change) => provider.refreshChanged(change)));
  followBuilds(store, provider, model);
  store.add(builds.onDidEnd(({ build }) => invalidateBuilt(model, build)));
  revalidateWhenVisible(store, view, model);
  return store;
}

/** Redraws the datamodels whose builds start, progress or end, and the build lists of their connections. */
function followBuilds(
  store: DisposableStore,
  provider: ExplorerTreeProvider,
  { builds }: ExplorerNodeDeps,
): void {
  let drawn = new Map<string, string>();
  store.add(
    builds.onDidChange(() => {
      const now = new Map(
        builds.builds.map((build) => [
          `${build.connectionId} ${build.oid}`,
          `${build.phase} ${build.status}`,
        ]),
      );
      const changed = builds.builds.filter((build) => {
        const key = `${build.connectionId} ${build.oid}`;
        return drawn.get(key) !== now.get(key);
      });
      drawn = now;
      for (const { connectionId, datamodelId } of changed) {
        provider.refreshNode(nodeIds.builds(connectionId));
        if (datamodelId !== undefined) {
          provider.refreshNode(nodeIds.datamodel(connectionId, datamodelId));
          provider.refreshNode(`${nodeIds.pins}/${nodeIds.datamodel(connectionId, datamodelId)}`);
        }
      }
    }),
  );
}

/**
 * Invalidates the datamodel of an ended build, since a build creates columns of custom tables and updates the last
 * build time.
 */
function invalidateBuilt({ sessions }: ExplorerNodeDeps, { connectionId, datamodelId }: Build): void {
  const catalog = sessions.peek(connectionId)?.catalog;
  catalog?.invalidate({ kind: 'builds' });
  catalog?.invalidate(
    datamodelId === undefined ? { kind: 'datamodels' } : { kind: 'datamodel', datamodelId },
  );
}

/** Checks for changes when the view is shown again after a while. */
function revalidateWhenVisible(
  store: DisposableStore,
  view: vscode.TreeView<ExplorerNode>,
  { connections, sessions, clock, log }: ExplorerNodeDeps & { readonly log: Log },
): void {
  const collapsed = new Set<string>();
  const isOpen = (id: string): boolean => !collapsed.has(id) && !collapsed.has(nodeIds.datamodels(id));
  const revalidation = new RevalidationOnShow({
    clock,
    log,
    lists: () => connections.all.map(({ id }) => ({ connectionId: id, isOpen: isOpen(id) })),
    revalidate: async (connectionId) => sessions.peek(connectionId)?.catalog.revalidate(),
  });
  const updateVisibility = (): void => revalidation.setVisible(view.visible && vscode.window.state.focused);
  store.add(view.onDidCollapseElement(({ element }) => collapsed.add(element.id)));
  store.add(view.onDidExpandElement(({ element }) => collapsed.delete(element.id)));
  store.add(view.onDidChangeVisibility(updateVisibility));
  store.add(vscode.window.onDidChangeWindowState(updateVisibility));
}
