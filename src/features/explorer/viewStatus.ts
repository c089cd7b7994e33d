import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { ExplorerNodeDeps, ExplorerNode } from './nodes/node.ts';
import type { ExplorerTreeProvider } from './treeProvider.ts';

/**
 * Shows the filter and the offline connections in the view's message, and the number of running builds in its badge.
 */
export function trackViewStatus(
  view: vscode.TreeView<ExplorerNode>,
  provider: ExplorerTreeProvider,
  model: ExplorerNodeDeps,
): Disposable {
  const store = new DisposableStore();
  const updateMessage = (): void => {
    const lines = [describeFilter(model), describeOffline(model, provider.offline)];
    view.message = lines.filter((line) => line !== undefined).join(' ');
  };
  const updateBadge = (): void => {
    const running = model.builds.running.length;
    const tooltip =
      running === 1 ? vscode.l10n.t('1 build is running') : vscode.l10n.t('{0} builds are running', running);
    view.badge = running === 0 ? undefined : { value: running, tooltip };
  };
  store.add(provider.onDidChangeOffline(updateMessage));
  store.add(model.connections.onDidChange(updateMessage));
  store.add(model.builds.onDidChange(updateBadge));
  store.add(
    model.filter.onDidChange(() => {
      updateMessage();
      void vscode.commands.executeCommand(
        'setContext',
        'datamodelStudio.explorer.filtered',
        model.filter.current.isActive,
      );
    }),
  );
  updateBadge();
  return store;
}

function describeFilter({ filter }: ExplorerNodeDeps): string | undefined {
  return filter.current.isActive
    ? vscode.l10n.t('Filtered by “{0}”.', toPlainText(filter.current.text))
    : undefined;
}

function describeOffline(
  { connections }: ExplorerNodeDeps,
  offline: ReadonlySet<string>,
): string | undefined {
  const names = connections.all.filter(({ id }) => offline.has(id)).map(({ name }) => toPlainText(name));
  return names.length === 0 ? undefined : vscode.l10n.t('Not reached: {0}.', names.join(', '));
}
