import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { ExplorerNodeDeps, ExplorerNode } from './nodes/node.ts';
import type { ExplorerTreeProvider } from './treeProvider.ts';

/** Shows the filter and the offline connections in the view's message. */
export function showViewStatus(
  view: vscode.TreeView<ExplorerNode>,
  provider: ExplorerTreeProvider,
  deps: ExplorerNodeDeps,
): Disposable {
  const store = new DisposableStore();
  const updateMessage = (): void => {
    const lines = [describeFilter(deps), describeOffline(deps, provider.offlineConnectionIds)];
    view.message = lines.filter((line) => line !== undefined).join(' ');
  };
  store.add(provider.onDidChangeOfflineConnections(updateMessage));
  store.add(deps.connections.onDidChange(updateMessage));
  store.add(
    deps.filter.onDidChange(() => {
      updateMessage();
      void vscode.commands.executeCommand(
        'setContext',
        'datamodelStudio.explorer.filtered',
        deps.filter.nameFilter.isActive,
      );
    }),
  );
  return store;
}

function describeFilter({ filter }: ExplorerNodeDeps): string | undefined {
  return filter.nameFilter.isActive
    ? vscode.l10n.t('Filtered by "{0}".', toPlainText(filter.nameFilter.text))
    : undefined;
}

function describeOffline(
  { connections }: ExplorerNodeDeps,
  offlineConnectionIds: ReadonlySet<string>,
): string | undefined {
  const names = connections.all
    .filter(({ id }) => offlineConnectionIds.has(id))
    .map(({ name }) => toPlainText(name));
  return names.length === 0 ? undefined : vscode.l10n.t("Can't reach {0}.", names.join(', '));
}
