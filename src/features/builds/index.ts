import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { BuildWatchAndHistory } from '../../builds/buildMonitor.ts';
import { hasUnfinishedBuilds } from '../../builds/unfinishedBuilds.ts';
import { type DatamodelTarget, views } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import { showInformation } from '../../platform/messages.ts';
import { LazyTreeProvider } from '../../platform/lazyTreeProvider.ts';
import { revealRow } from '../../platform/revealRow.ts';
import type { BuildTreeNode } from './buildTree.ts';
import type { BuildsDeps } from './deps.ts';
import type { BuildKind } from './startBuild.ts';

/** Registers the commands and views for builds. Their implementation is loaded on first use. */
export function register(deps: BuildsDeps): Disposable {
  const store = new DisposableStore();
  store.add(registerConnectionListeners(deps));
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) {
        void checkAfterFocus(deps);
      }
    }),
  );
  store.add(registerBuildsView(deps));
  store.add(registerTaskProvider(deps));
  store.add(registerBuildCommands(deps));
  void resumeMonitoring(deps);
  return store;
}

/** Loads the build watch and the displays of build progress. */
export async function loadBuilds(deps: BuildsDeps): Promise<BuildWatchAndHistory> {
  const { openBuilds } = await import('./openBuilds.ts');
  return openBuilds(deps);
}

/** Registers the commands on builds. */
function registerBuildCommands(deps: BuildsDeps): Disposable {
  const { buildMonitor: builds, log, sessions, connections } = deps;
  const store = new DisposableStore();
  const createStartHandler =
    (kind?: BuildKind) =>
    async (target?: DatamodelTarget): Promise<void> => {
      const { startBuild } = await import('./startBuild.ts');
      await startBuild(deps, target, kind);
    };
  store.add(registerCommand('datamodelStudio.builds.start', log, createStartHandler()));
  // The same command under other names, which the menus of datamodels use.
  store.add(registerCommand('datamodelStudio.builds.publish', log, createStartHandler()));
  store.add(registerCommand('datamodelStudio.builds.options', log, createStartHandler()));
  store.add(registerCommand('datamodelStudio.builds.replaceAll', log, createStartHandler('replaceAll')));
  store.add(registerCommand('datamodelStudio.builds.byTable', log, createStartHandler('byTable')));
  store.add(registerCommand('datamodelStudio.builds.changesOnly', log, createStartHandler('changesOnly')));
  store.add(registerCommand('datamodelStudio.builds.sample', log, createStartHandler('sample')));
  store.add(
    registerCommand('datamodelStudio.builds.cancel', log, async (target) => {
      const { cancelBuild } = await import('./cancelBuild.ts');
      await cancelBuild(deps, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.builds.cancelAll', log, async (target) => {
      const { cancelAllBuilds } = await import('./cancelBuild.ts');
      await cancelAllBuilds(deps, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.builds.again', log, async (target) => {
      const { buildAgain } = await import('./buildActions.ts');
      await buildAgain(deps, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.builds.openTable', log, async (target) => {
      const { openFailedTable } = await import('./buildActions.ts');
      await openFailedTable(deps, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.builds.openTask', log, async (target) => {
      const { openBuildJson } = await import('./buildActions.ts');
      await openBuildJson(deps, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.builds.several', log, async (target) => {
      const { buildSeveralDatamodels } = await import('./buildSeveralDatamodels.ts');
      await buildSeveralDatamodels(deps, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.builds.history', log, async () => {
      const { showHistory } = await import('./showHistory.ts');
      await showHistory(deps);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.builds.exportHistory', log, async () => {
      const { exportHistory } = await import('./showHistory.ts');
      await exportHistory(deps);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.builds.look', log, async () => {
      const connectionsInUse = connections.all.filter(({ id }) => sessions.peek(id) !== undefined);
      connectionsInUse.forEach(({ id }) => builds.refresh(id));
      if (connectionsInUse.length === 0) {
        await showInformation(
          vscode.l10n.t('No connection is in use. Expand one in the Connections view first.'),
        );
      }
    }),
  );
  return store;
}

/** Registers the tasks of type `datamodel-build`. */
const registerTaskProvider = (deps: BuildsDeps): Disposable =>
  vscode.tasks.registerTaskProvider('datamodel-build', {
    provideTasks: async () => (await import('./buildTasks.ts')).createKnownTasks(deps),
    resolveTask: async (task) => (await import('./buildTasks.ts')).resolveTask(deps, task),
  });

/**
 * Registers the Builds view and the command that shows it. While it is visible and the window has the focus,
 * connections without running builds are polled as well.
 */
function registerBuildsView(deps: BuildsDeps): Disposable {
  const { buildMonitor: builds, log } = deps;
  const store = new DisposableStore();
  const provider = store.add(
    new LazyTreeProvider(async () => {
      const { openBuildTree } = await import('./openBuildTree.ts');
      return openBuildTree(deps, () => view.visible);
    }, log),
  );
  const view: vscode.TreeView<BuildTreeNode> = store.add(
    vscode.window.createTreeView(views.builds, { treeDataProvider: provider }),
  );
  store.add(deps.shownViews.track(views.builds, view));
  store.add(
    registerCommand('datamodelStudio.builds.show', log, async () => {
      builds.acknowledge();
      await vscode.commands.executeCommand(`${views.builds}.focus`);
      const findFirstBuild = async (): Promise<BuildTreeNode | undefined> => {
        const [connection] = await provider.getChildren();
        return connection === undefined ? undefined : (await provider.getChildren(connection))[0];
      };
      await revealRow(view, views.builds, findFirstBuild, { select: true });
    }),
  );
  const updateVisibility = (): void => {
    const isVisibleAndFocused = view.visible && vscode.window.state.focused;
    builds.setViewVisible('view', isVisibleAndFocused);
    if (isVisibleAndFocused) {
      builds.acknowledge();
    }
  };
  store.add(view.onDidChangeVisibility(updateVisibility));
  store.add(vscode.window.onDidChangeWindowState(updateVisibility));
  return store;
}

/**
 * Notifies the monitor of changes to connections and sessions: a sandbox, and a connection without running builds, are
 * polled only while they have a session.
 */
function registerConnectionListeners({
  buildMonitor: builds,
  connections,
  sessions,
}: BuildsDeps): Disposable {
  const store = new DisposableStore();
  store.add(connections.onDidChange(() => builds.handleConnectionsChanged()));
  store.add(sessions.onDidEnd(() => builds.handleConnectionsChanged()));
  store.add(sessions.onDidOpen((connectionId) => builds.handleConnectionRestored(connectionId)));
  return store;
}

/**
 * Starts monitoring if the shared files contain running builds, which another window started, or this one before a
 * reload.
 */
async function resumeMonitoring(deps: BuildsDeps): Promise<void> {
  if (await hasUnfinishedBuilds(deps.buildsFolder)) {
    deps.buildMonitor.startMonitoring();
  }
}

/** Polls outdated builds when the window regains the focus, if a connection is in use or builds are unfinished. */
async function checkAfterFocus(deps: BuildsDeps): Promise<void> {
  const isInUse = deps.connections.all.some(({ id }) => deps.sessions.peek(id) !== undefined);
  if (isInUse || (await hasUnfinishedBuilds(deps.buildsFolder))) {
    deps.buildMonitor.catchUp();
  }
}
