import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { views } from '../../contributions.ts';
import type { ViewVisibility } from '../../platform/viewVisibility.ts';
import { waitForEditor } from '../../platform/waitForEditor.ts';
import type { ExplorerNode } from './nodes/node.ts';

/**
 * Gives the tree the focus when the user first shows it. VS Code focuses a tree before it has rows, and the focus is
 * then lost. If the tree may have been restored with the window, an open editor keeps the focus. Another view of the
 * extension that is shown together with the tree keeps the focus, too.
 * @param onDidLoadRoots fires just before the editor gets the root nodes
 */
export function focusOnFirstShow(
  view: vscode.TreeView<ExplorerNode>,
  shownViews: ViewVisibility,
  onDidLoadRoots: vscode.Event<ExplorerNode>,
): Disposable {
  const store = new DisposableStore();
  const start = async (): Promise<void> => {
    // Afterward, the visibility that the editor has reported for the view is up to date.
    await waitForEditor();
    if (
      store.isDisposed ||
      (view.visible && vscode.window.tabGroups.activeTabGroup.activeTab !== undefined)
    ) {
      return;
    }
    const subscription = store.add(
      onDidLoadRoots((root) => {
        store.delete(subscription);
        void focus(root);
      }),
    );
  };
  const focus = async (root: ExplorerNode): Promise<void> => {
    await waitForEditor();
    if (view.visible && !shownViews.isOtherViewShown(views.explorer)) {
      try {
        // Waits for the rows, unlike the command that focuses a view.
        await view.reveal(root, { focus: true, select: false });
      } catch {
        // The node was replaced in the meantime: the tree already has rows, so focusing the view works.
        await vscode.commands.executeCommand(`${views.explorer}.focus`);
      }
    }
  };
  void start();
  return store;
}
