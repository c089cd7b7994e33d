import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { runCommand } from '../../platform/commands.ts';
import { unreadableWords } from '../../platform/unreadableWords.ts';
import type { DatamodelIndex } from './datamodelIndex.ts';
import type { FindDeps } from './deps.ts';
import { boundItem, type FindItem, failureItem, foundItem, restItem, unreadableItem } from './findItems.ts';
import { findKnown, targetOf } from './found.ts';
import { ServerSearch } from './serverSearch.ts';
import { SteadyList } from './steadyList.ts';

const mostItems = 100;
/** How long typing may pause before the servers are asked for viewpoints. */
const typingPauseMs = 300;

/**
 * Finds anything by name, `Table.Column` or identifier: at once in what is known, and meanwhile on the servers.
 * Everything under way ends with the list.
 */
export function findAnything(deps: FindDeps, index: DatamodelIndex): void {
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<FindItem>());
  const list = store.add(new SteadyList(pick, ({ key }) => key));
  const search = store.add(new ServerSearch(deps, index));
  pick.title = vscode.l10n.t('Find');
  pick.placeholder = vscode.l10n.t('Name, Table.Column or identifier of anything');
  const show = (options?: { readonly top: boolean }): void => {
    pick.busy = search.isBusy;
    list.show(itemsFor(pick.value, search, deps), options);
  };
  let pending: Disposable | undefined;
  store.add({ dispose: () => pending?.dispose() });
  store.add(search.onDidChange(() => show()));
  store.add(
    pick.onDidChangeValue((value) => {
      // Another text has another best find.
      show({ top: true });
      pending?.dispose();
      pending = deps.clock.schedule(typingPauseMs, () => {
        void search.searchViewpoints(value.trim());
        show();
      });
    }),
  );
  store.add(
    pick.onDidAccept(() => {
      const chosen = list.accepted;
      if (chosen?.found !== undefined) {
        store.dispose();
        void runCommand('datamodelStudio.documents.open', targetOf(chosen.found));
      } else if (chosen?.rest !== undefined) {
        void search.searchRest(chosen.rest);
        show();
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

/** The lines for a text: what is found, best first, and then what could not be or was not searched. */
function itemsFor(typed: string, search: ServerSearch, deps: FindDeps): readonly FindItem[] {
  const several = deps.connections.all.length > 1;
  const byServer = search.viewpointsFor(typed);
  // Whatever was asked for by "Show more" has its place.
  const most = mostItems + byServer.length;
  const found = findKnown(deps, typed, most + 1, search.viewpoints, byServer);
  const shown = found.slice(0, most).map((one) => foundItem(one, several));
  if (typed === '') {
    return shown;
  }
  return [
    ...shown,
    ...(found.length > most ? [boundItem(most)] : []),
    ...search.failures.map(failureItem),
    ...unreadableWords({ unreadable: search.unreadableFor(typed) }).map(unreadableItem),
    ...search.restFor(typed).map(restItem),
  ];
}
