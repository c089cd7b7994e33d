import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { runCommand } from '../../platform/commands.ts';
import { getUnreadableMessages } from '../../platform/unreadableMessages.ts';
import type { DatamodelIndex } from './datamodelIndex.ts';
import type { FindDeps } from './deps.ts';
import {
  createLimitItem,
  type FindItem,
  createFailureItem,
  createResultItem,
  createRemainderItem,
  createUnreadableItem,
} from './findItems.ts';
import { searchKnown, getResultTarget } from './findResult.ts';
import { ServerSearch } from './serverSearch.ts';
import { StableQuickPick } from './stableQuickPick.ts';

const maxItems = 100;
/** The pause in typing before the servers are searched for viewpoints, in milliseconds. */
const debounceMs = 300;

/**
 * Finds anything by name, `Table.Column` or ID: first in the loaded catalogs, then on the servers. Closing the list
 * cancels all searches.
 */
export function findAnything(deps: FindDeps, index: DatamodelIndex): void {
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<FindItem>());
  const list = store.add(new StableQuickPick(pick, ({ key }) => key));
  const search = store.add(new ServerSearch(deps, index));
  pick.title = vscode.l10n.t('Find');
  pick.placeholder = vscode.l10n.t('Name, Table.Column or identifier of anything');
  const updateItems = (options?: { readonly top: boolean }): void => {
    pick.busy = search.isBusy;
    list.setItems(createItems(pick.value, search, deps), options);
  };
  let pending: Disposable | undefined;
  store.add({ dispose: () => pending?.dispose() });
  store.add(search.onDidChange(() => updateItems()));
  store.add(
    pick.onDidChangeValue((value) => {
      // A different text has a different best match.
      updateItems({ top: true });
      pending?.dispose();
      pending = deps.clock.schedule(debounceMs, () => {
        void search.searchViewpoints(value.trim());
        updateItems();
      });
    }),
  );
  store.add(
    pick.onDidAccept(() => {
      const chosen = list.accepted;
      if (chosen?.found !== undefined) {
        store.dispose();
        void runCommand('datamodelStudio.documents.open', getResultTarget(chosen.found));
      } else if (chosen?.remainder !== undefined) {
        void search.searchRemainder(chosen.remainder);
        updateItems();
      }
    }),
  );
  store.add(
    pick.onDidTriggerItemButton(({ item }) => {
      if (item.found !== undefined) {
        store.dispose();
        void runCommand('datamodelStudio.explorer.reveal', getResultTarget(item.found));
      }
    }),
  );
  store.add(pick.onDidHide(() => store.dispose()));
  pick.show();
  void search.loadDatamodels();
  updateItems();
}

/** Creates the items for a text: the results, best first, then what was not or could not be searched. */
function createItems(typed: string, search: ServerSearch, deps: FindDeps): readonly FindItem[] {
  const several = deps.connections.all.length > 1;
  const byServer = search.getViewpoints(typed);
  // Leave room for everything that "Show more" has loaded.
  const most = maxItems + byServer.length;
  const found = searchKnown(deps, typed, most + 1, search.viewpoints, byServer);
  const shown = found.slice(0, most).map((one) => createResultItem(one, several));
  if (typed === '') {
    return shown;
  }
  return [
    ...shown,
    ...(found.length > most ? [createLimitItem(most)] : []),
    ...search.failures.map(createFailureItem),
    ...getUnreadableMessages({ unreadable: search.getUnreadable(typed) }).map(createUnreadableItem),
    ...search.getRemainder(typed).map(createRemainderItem),
  ];
}
