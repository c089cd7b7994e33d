import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { runCommand } from '../../platform/commands.ts';
import type { FindDeps } from './deps.ts';
import { type FindItem, failureItem, foundItem } from './findItems.ts';
import { findKnown, targetOf } from './found.ts';
import { ServerSearch } from './serverSearch.ts';

const mostItems = 100;
/** How long typing may pause before the servers are asked for viewpoints. */
const typingPauseMs = 300;

/**
 * Finds anything by name, `Table.Column` or identifier: at once in what is known, and meanwhile on the servers.
 * Everything under way ends with the list.
 */
export function findAnything(deps: FindDeps): void {
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<FindItem>());
  const search = store.add(new ServerSearch(deps));
  pick.title = vscode.l10n.t('Find');
  pick.placeholder = vscode.l10n.t('Name, Table.Column or identifier of anything');
  const show = (): void => showFinds(pick, search, deps);
  let pending: Disposable | undefined;
  store.add({ dispose: () => pending?.dispose() });
  store.add(search.onDidChange(show));
  store.add(
    pick.onDidChangeValue((value) => {
      // Another text has another best find.
      pick.activeItems = pick.items.slice(0, 1);
      show();
      pending?.dispose();
      pending = deps.clock.schedule(typingPauseMs, () => {
        void search.searchViewpoints(value.trim());
        show();
      });
    }),
  );
  store.add(
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen?.found !== undefined) {
        store.dispose();
        void runCommand('datamodelStudio.documents.open', targetOf(chosen.found));
      }
    }),
  );
  store.add(
    pick.onDidTriggerItemButton(({ item }) => {
      if (item.found !== undefined) {
        store.dispose();
        void runCommand('datamodelStudio.explorer.reveal', targetOf(item.found));
      }
    }),
  );
  store.add(pick.onDidHide(() => store.dispose()));
  pick.show();
  void search.loadDatamodels();
  show();
}

function showFinds(pick: vscode.QuickPick<FindItem>, search: ServerSearch, deps: FindDeps): void {
  const several = deps.connections.all.length > 1;
  const found = findKnown(deps, pick.value, mostItems, search.viewpoints, search.viewpointsFor(pick.value));
  const active = pick.activeItems[0];
  // Whoever went down the list stays where they are while more is found; at the top, the best is the active one.
  const chosen = active === pick.items[0] ? undefined : active?.found?.id;
  const items = [
    ...found.map((one) => foundItem(one, several)),
    ...(pick.value === '' ? [] : search.failures.map(failureItem)),
  ];
  pick.busy = search.isBusy;
  pick.items = items;
  const same = items.filter((item) => chosen !== undefined && item.found?.id === chosen);
  if (same.length > 0) {
    pick.activeItems = same;
  }
}
