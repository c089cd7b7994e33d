import { access } from 'node:fs/promises';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type HistoryTarget, schemes, views } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import { LazyTreeProvider } from '../../platform/lazyTreeProvider.ts';
import { revealRow } from '../../platform/revealRow.ts';
import type { HistoryFeatureDeps } from './deps.ts';
import type { HistoryNode } from './historyTree.ts';

const loadActions = () => import('./historyActions.ts');
const loadRecovery = () => import('./recoverEntry.ts');
const loadReminders = () => import('./reminders.ts');

/** The history, as other features use it. */
interface HistoryFeature extends Disposable {
  /** Offers to finish a stopped change, or to roll it back, unless that has been done. */
  readonly remindOfStoppedChange: (target: HistoryTarget) => Promise<void>;
}

/** Registers the history of changes made by this extension, and their undo; the code is loaded on first use. */
export function register(deps: HistoryFeatureDeps): HistoryFeature {
  const { log } = deps;
  const store = new DisposableStore();
  const tree = store.add(
    new LazyTreeProvider<HistoryNode>(async () => {
      const { HistoryTree } = await import('./historyTree.ts');
      return new HistoryTree(deps);
    }, log),
  );
  const view = store.add(
    vscode.window.createTreeView(views.history, { treeDataProvider: tree, showCollapseAll: true }),
  );
  store.add(deps.shownViews.track(views.history, view));
  // The command line may have added entries, which are shown in trusted workspaces only.
  store.add(view.onDidChangeVisibility(({ visible }) => visible && tree.refresh()));
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => tree.refresh()));
  store.add(
    registerCommand('datamodelStudio.history.show', log, async (target) => {
      // A view that is visible already doesn't show yet what the command line has added since the last refresh.
      tree.refresh();
      await vscode.commands.executeCommand(`${views.history}.focus`);
      const { findHistoryRow } = await import('./findHistoryRow.ts');
      // A view that is shown for the first time has nothing to focus until its rows are loaded.
      await revealRow(view, views.history, () => findHistoryRow(tree, target), {
        select: target !== undefined,
      });
    }),
  );
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(schemes.history, {
      provideTextDocumentContent: async (uri) =>
        (await import('./historyDocuments.ts')).getHistoryDocument(deps, uri),
    }),
  );
  store.add(
    registerCommand('datamodelStudio.history.undoLast', log, async () =>
      (await loadActions()).undoLast(deps),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.history.undo', log, async (target) =>
      (await loadActions()).undoEntry(deps, target),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.history.restore', log, async (target) =>
      (await loadActions()).restoreEntry(deps, target),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.history.compare', log, async (target) =>
      (await loadActions()).compareWithCurrent(deps, target),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.history.finish', log, async (target) =>
      (await loadRecovery()).recoverInterrupted(deps, target, 'resume'),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.history.rollBack', log, async (target) =>
      (await loadRecovery()).recoverInterrupted(deps, target, 'roll-back'),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.history.abandon', log, async (target) =>
      (await import('./abandonEntry.ts')).abandonInterruptedChange(deps, target),
    ),
  );
  store.add(registerCommand('datamodelStudio.history.refresh', log, () => tree.refresh()));
  void checkForInterruptedChanges(deps);
  return {
    dispose: () => store.dispose(),
    remindOfStoppedChange: async (target) => {
      try {
        await (await loadReminders()).remindOfStoppedChange(deps, target);
      } catch (error) {
        log.error('writes', 'Reading a stopped operation failed', { reason: String(error) });
      }
    },
  };
}

/** Notifies the user of interrupted operations; loads nothing if there is no history. */
async function checkForInterruptedChanges(deps: HistoryFeatureDeps): Promise<void> {
  try {
    await access(deps.historyFolder);
  } catch {
    // This extension has never written anything on this machine.
    return;
  }
  try {
    await (await loadReminders()).remindOfUnfinishedChanges(deps);
  } catch (error) {
    deps.log.error('writes', 'Searching for unfinished operations failed', { reason: String(error) });
  }
}
