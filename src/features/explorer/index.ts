import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { Log } from '../../base/log.ts';
import { schemes, settingsPrefix, views } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import { LazyTreeProvider } from '../../platform/lazyTreeProvider.ts';
import type { ExplorerCommandId, ExplorerDeps } from './deps.ts';
import { focusOnFirstShow } from './focusOnFirstShow.ts';
import type { ExplorerNode } from './nodes/node.ts';
import type { Explorer } from './openExplorer.ts';

/** Registers the tree of connections and the contents of their instances; its code is loaded when it is first shown. */
export function register(deps: ExplorerDeps): Disposable {
  const store = new DisposableStore();
  const { log } = deps;
  const onDidLoadRoots = store.add(new vscode.EventEmitter<ExplorerNode>());
  const open = lazy(async () => {
    const { openExplorer } = await import('./openExplorer.ts');
    return store.add(await openExplorer(deps, view, (root) => onDidLoadRoots.fire(root)));
  });
  const treeDataProvider = store.add(new LazyTreeProvider(async () => (await open()).provider, log));
  const view: vscode.TreeView<ExplorerNode> = store.add(
    vscode.window.createTreeView(views.explorer, {
      treeDataProvider,
      showCollapseAll: true,
      canSelectMany: true,
      dragAndDropController: {
        dragMimeTypes: ['text/plain'],
        dropMimeTypes: [],
        handleDrag: async (nodes, data) => (await import('./addDragData.ts')).addDragData(nodes, data),
      },
    }),
  );
  store.add(deps.selection.track(view));
  store.add(deps.shownViews.track(views.explorer, view));
  store.add(focusOnFirstShow(view, deps.shownViews, onDidLoadRoots.event));
  store.add(showRunningBuilds(view, deps));
  store.add(invalidateCatalogs(deps));
  store.add(
    vscode.window.registerFileDecorationProvider({
      // Most of the requested URIs are those of files.
      provideFileDecoration: (uri) =>
        uri.scheme === schemes.node
          ? import('./decorations.ts').then(({ createDecoration }) => createDecoration(uri.authority))
          : undefined,
    }),
  );
  store.add(registerCommands(log, open));
  return store;
}

/** Registers the commands, whose implementation is loaded with the Connections view. */
function registerCommands(log: Log, open: () => Promise<Explorer>): Disposable {
  const store = new DisposableStore();
  const registerExplorerCommand = (id: ExplorerCommandId): void => {
    const handler = async (...args: unknown[]): Promise<unknown> =>
      Reflect.apply((await open()).handlers[id], undefined, args);
    store.add(registerCommand(id, log, handler));
  };
  registerExplorerCommand('datamodelStudio.explorer.addCubeSet');
  registerExplorerCommand('datamodelStudio.explorer.clearFilter');
  registerExplorerCommand('datamodelStudio.explorer.copyId');
  registerExplorerCommand('datamodelStudio.explorer.copyLink');
  registerExplorerCommand('datamodelStudio.explorer.copyName');
  registerExplorerCommand('datamodelStudio.explorer.copyPath');
  registerExplorerCommand('datamodelStudio.explorer.copyReference');
  registerExplorerCommand('datamodelStudio.explorer.filter');
  registerExplorerCommand('datamodelStudio.explorer.groupViewpoints');
  registerExplorerCommand('datamodelStudio.explorer.listViewpoints');
  registerExplorerCommand('datamodelStudio.explorer.loadMore');
  registerExplorerCommand('datamodelStudio.explorer.open');
  registerExplorerCommand('datamodelStudio.explorer.openExpression');
  registerExplorerCommand('datamodelStudio.explorer.openInBrowser');
  registerExplorerCommand('datamodelStudio.explorer.openJson');
  registerExplorerCommand('datamodelStudio.explorer.openRow');
  registerExplorerCommand('datamodelStudio.explorer.pin');
  registerExplorerCommand('datamodelStudio.explorer.refresh');
  registerExplorerCommand('datamodelStudio.explorer.removeCubeSet');
  registerExplorerCommand('datamodelStudio.explorer.reveal');
  registerExplorerCommand('datamodelStudio.explorer.selectTenant');
  registerExplorerCommand('datamodelStudio.explorer.unpin');
  return store;
}

/** Shows the number of running builds in the badge of the view, which is visible while the view is not. */
function showRunningBuilds(view: vscode.TreeView<ExplorerNode>, { buildMonitor }: ExplorerDeps): Disposable {
  const update = (): void => {
    const runningCount = buildMonitor.runningBuilds.length;
    const tooltip =
      runningCount === 1
        ? vscode.l10n.t('1 build is running')
        : vscode.l10n.t('{0} builds are running', runningCount);
    view.badge = runningCount === 0 ? undefined : { value: runningCount, tooltip };
  };
  update();
  return buildMonitor.onDidChange(update);
}

/**
 * Invalidates the catalog of an instance after a build, and all catalogs after a change of a setting that determines
 * which data is loaded.
 */
function invalidateCatalogs({ buildMonitor, sessions }: ExplorerDeps): Disposable {
  const store = new DisposableStore();
  store.add(
    // A build creates columns of custom tables and updates the last build time.
    buildMonitor.onDidEnd(({ build: { connectionId, datamodelId } }) => {
      const catalog = sessions.peek(connectionId)?.catalog;
      catalog?.invalidate({ kind: 'builds' });
      catalog?.invalidate(
        datamodelId === undefined ? { kind: 'datamodels' } : { kind: 'datamodel', datamodelId },
      );
    }),
  );
  store.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${settingsPrefix}.explorer.groupViewpoints`)) {
        // Viewpoints loaded for the ungrouped list do not contain their datamodels.
        sessions.invalidateAll({ kind: 'viewpoints' });
      }
    }),
  );
  return store;
}
