import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { plainText } from '../../platform/serverText.ts';
import type { ExplorerModel, ExplorerNode } from './nodes/node.ts';
import type { ExplorerTreeProvider } from './treeProvider.ts';

/** What the view says besides its tree: the filter, who is offline, and how many builds run. */
export function showViewStatus(
  view: vscode.TreeView<ExplorerNode>,
  provider: ExplorerTreeProvider,
  model: ExplorerModel,
): Disposable {
  const store = new DisposableStore();
  const showMessage = (): void => {
    const lines = [filterText(model), offlineText(model, provider.offline)];
    view.message = lines.filter((line) => line !== undefined).join(' ');
  };
  const showBadge = (): void => {
    const running = model.builds.running.length;
    const tooltip =
      running === 1 ? vscode.l10n.t('1 build is running') : vscode.l10n.t('{0} builds are running', running);
    view.badge = running === 0 ? undefined : { value: running, tooltip };
  };
  store.add(provider.onDidChangeOffline(showMessage));
  store.add(model.connections.onDidChange(showMessage));
  store.add(model.builds.onDidChange(showBadge));
  store.add(
    model.filter.onDidChange(() => {
      showMessage();
      void vscode.commands.executeCommand(
        'setContext',
        'datamodelStudio.explorer.filtered',
        model.filter.current.isActive,
      );
    }),
  );
  showBadge();
  return store;
}

function filterText({ filter }: ExplorerModel): string | undefined {
  return filter.current.isActive
    ? vscode.l10n.t('Filtered by “{0}”.', plainText(filter.current.text))
    : undefined;
}

function offlineText({ connections }: ExplorerModel, offline: ReadonlySet<string>): string | undefined {
  const names = connections.all.filter(({ id }) => offline.has(id)).map(({ name }) => plainText(name));
  return names.length === 0 ? undefined : vscode.l10n.t('Not reached: {0}.', names.join(', '));
}
