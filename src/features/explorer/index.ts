import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { Build } from '../../builds/build.ts';
import { views } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import { datamodelNodeId } from './nodes/datamodelNode.ts';
import { datamodelsNodeId } from './nodes/datamodelsNode.ts';
import type { ExplorerModel } from './nodes/node.ts';
import { ExplorerTreeProvider } from './treeProvider.ts';

/** The tree of connections and of what their instances hold. */
export function register(deps: ExplorerModel & { readonly log: Log }): Disposable {
  const store = new DisposableStore();
  const provider = new ExplorerTreeProvider(deps, deps.log);
  store.add(
    vscode.window.createTreeView(views.explorer, { treeDataProvider: provider, showCollapseAll: true }),
  );
  store.add(deps.sessions.onDidEnd((connectionId) => provider.redraw(connectionId)));
  store.add(deps.connections.onDidChange(() => provider.redraw()));
  store.add(
    registerCommand('datamodelStudio.explorer.refresh', deps.log, (node) => provider.refresh(node?.id)),
  );
  store.add(
    registerCommand('datamodelStudio.explorer.loadMore', deps.log, async (node) => {
      await node?.more();
      provider.redraw(node?.id);
    }),
  );
  let drawn = buildingNodes(deps);
  store.add(
    deps.builds.onDidChange(() => {
      const now = buildingNodes(deps);
      for (const id of drawn.symmetricDifference(now)) {
        provider.redraw(id);
      }
      drawn = now;
    }),
  );
  store.add(
    deps.builds.onDidEnd((build) => {
      // A build makes columns of custom tables and moves the time of the last build.
      void forget(deps, build)
        .then(() => provider.redraw(datamodelsNodeId(build.connectionId)))
        .catch((error: unknown) => {
          deps.log.warn('explorer', 'Refreshing after a build failed', { reason: String(error) });
        });
    }),
  );
  return store;
}

async function forget({ sessions }: ExplorerModel, build: Build): Promise<void> {
  const { catalog } = await sessions.get(build.connectionId);
  catalog.invalidate(
    build.datamodelId === undefined ? { kind: 'all' } : { kind: 'datamodel', datamodelId: build.datamodelId },
  );
}

function buildingNodes({ builds }: Pick<ExplorerModel, 'builds'>): ReadonlySet<string> {
  return new Set(
    builds.running.flatMap(({ connectionId, datamodelId }) =>
      datamodelId === undefined ? [] : [datamodelNodeId(connectionId, datamodelId)],
    ),
  );
}
