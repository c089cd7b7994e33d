import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { runCommand } from '../../platform/commands.ts';
import { getUnreadableMessages } from '../../platform/unreadableMessages.ts';
import { whenQuickPickIsShown } from '../../platform/waitForEditor.ts';
import type { DatamodelPreloader } from './datamodelPreloader.ts';
import type { FindDeps } from './deps.ts';
import {
  createLimitItem,
  type FindItem,
  createFailureItem,
  createResultItem,
  createRemainderItem,
  createUnreadableItem,
} from './quickPickItems.ts';
import { searchCatalogs, getResultTarget } from './findResult.ts';
import { ServerSearch } from './serverSearch.ts';
import { StableQuickPick } from './stableQuickPick.ts';

const maxItems = 100;
/** The pause in typing before the servers are searched for viewpoints, in milliseconds. */
const debounceMs = 300;

/**
 * Finds anything by name, `Table.Column` or ID: first in the loaded catalogs, then on the servers. Closing the list
 * cancels all searches.
 */
export function findAnything(deps: FindDeps, datamodelPreloader: DatamodelPreloader): void {
  const store = new DisposableStore();
  const quickPick = store.add(vscode.window.createQuickPick<FindItem>());
  const stableQuickPick = store.add(
    new StableQuickPick(
      quickPick,
      ({ key }) => key,
      (callback) => void whenQuickPickIsShown(deps.clock, callback),
    ),
  );
  const search = store.add(new ServerSearch(deps, datamodelPreloader));
  quickPick.title = vscode.l10n.t('Find');
  quickPick.placeholder = vscode.l10n.t('Search by name, Table.Column, or ID');
  const updateItems = (options?: { readonly selectFirst: boolean }): void => {
    quickPick.busy = search.isBusy;
    stableQuickPick.setItems(createItems(quickPick.value, search, deps), options);
  };
  let pendingSearch: Disposable | undefined;
  store.add({ dispose: () => pendingSearch?.dispose() });
  store.add(search.onDidChange(() => updateItems()));
  store.add(
    quickPick.onDidChangeValue((value) => {
      // A different text has a different best match.
      updateItems({ selectFirst: true });
      pendingSearch?.dispose();
      pendingSearch = deps.clock.schedule(debounceMs, () => {
        void search.searchViewpoints(value.trim());
        updateItems();
      });
    }),
  );
  store.add(
    quickPick.onDidAccept(() => {
      const acceptedItem = stableQuickPick.acceptedItem;
      if (acceptedItem?.result !== undefined) {
        store.dispose();
        void runCommand('datamodelStudio.documents.open', getResultTarget(acceptedItem.result));
      } else if (acceptedItem?.remainder !== undefined) {
        void search.continueSearch(acceptedItem.remainder);
        updateItems();
      }
    }),
  );
  store.add(
    quickPick.onDidTriggerItemButton(({ item }) => {
      if (item.result !== undefined) {
        store.dispose();
        void runCommand('datamodelStudio.explorer.reveal', getResultTarget(item.result));
      }
    }),
  );
  store.add(quickPick.onDidHide(() => store.dispose()));
  quickPick.show();
  void search.loadDatamodels();
  updateItems();
}

/** Creates the items for a text: the results, best first, then what was not or could not be searched. */
function createItems(searchText: string, search: ServerSearch, deps: FindDeps): readonly FindItem[] {
  const showsConnection = deps.connections.all.length > 1;
  const serverResults = search.getViewpoints(searchText);
  // Leave room for everything that "Show more" has loaded.
  const limit = maxItems + serverResults.length;
  const results = searchCatalogs(deps, searchText, limit + 1, search.viewpoints, serverResults);
  const resultItems = results.slice(0, limit).map((result) => createResultItem(result, showsConnection));
  if (searchText === '') {
    return resultItems;
  }
  return [
    ...resultItems,
    ...(results.length > limit ? [createLimitItem(limit)] : []),
    ...search.failures.map(createFailureItem),
    ...getUnreadableMessages({ unreadable: search.getUnreadableViewpoints(searchText) }).map(
      createUnreadableItem,
    ),
    ...search.getRemainder(searchText).map(createRemainderItem),
  ];
}
