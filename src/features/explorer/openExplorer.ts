import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { createCommandHandlers } from './commands.ts';
import type { ExplorerContext, ExplorerDeps, ExplorerHandlers } from './deps.ts';
import { FilterState } from './filterState.ts';
import { keepTreeUpToDate } from './liveUpdates.ts';
import type { ExplorerNode } from './nodes/node.ts';
import { ExplorerTreeProvider } from './treeProvider.ts';
import { PersistedTreeState } from './treeState.ts';
import { showViewStatus } from './viewStatus.ts';

/** The tree of the Connections view and its commands. */
export interface Explorer extends Disposable {
  readonly provider: ExplorerTreeProvider;
  readonly handlers: ExplorerHandlers;
}

/**
 * Opens the tree of a view.
 * @param onDidLoadRoots called with the first root node just before the editor gets the root nodes
 */
export async function openExplorer(
  deps: ExplorerDeps,
  view: vscode.TreeView<ExplorerNode>,
  onDidLoadRoots: (root: ExplorerNode) => void,
): Promise<Explorer> {
  const store = new DisposableStore();
  const context = { ...deps, pins: await deps.loadPins(), filter: store.add(new FilterState()) };
  const treeState = new PersistedTreeState(deps.treeStorage);
  const provider = store.add(new ExplorerTreeProvider(context, treeState, deps.log));
  store.add(provider.onDidLoadRoots(onDidLoadRoots));
  store.add(persistTreeState(view, provider, treeState, context));
  store.add(showViewStatus(view, provider, context));
  store.add(keepTreeUpToDate(view, provider, { ...context, treeState }));
  return {
    provider,
    handlers: createCommandHandlers(context, view, provider),
    dispose: () => store.dispose(),
  };
}

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
    provider.onDidShowSelectedNode((node) => {
      // The editor knows the node only after `getChildren` has returned it.
      const pendingReveal = clock.schedule(0, () => {
        store.delete(pendingReveal);
        view.reveal(node, { select: true, focus: false }).then(undefined, (error: unknown) => {
          log.warn('explorer', 'Restoring the selection failed', { reason: String(error) });
        });
      });
      store.add(pendingReveal);
    }),
  );
  return store;
}
