import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { emptyViewpointSearchForm, toViewpointSearch } from '../../catalog/viewpointSearchForm.ts';
import { ViewpointList } from '../../catalog/viewpointList.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionTarget } from '../../contributions.ts';
import { type Viewpoint, type ViewpointSearch, defaultViewpointPageSize } from '../../contract/viewpoint.ts';
import { runCommand } from '../../platform/commands.ts';
import { resolveTargetConnection } from '../../platform/pickConnection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getUnreadableMessages } from '../../platform/unreadableMessages.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { whenQuickPickIsShown } from '../../platform/waitForEditor.ts';
import { promptForViewpointSearch } from './promptForViewpointSearch.ts';
import type { FindDeps } from './deps.ts';
import { type FindItem, createResultItem, createUnreadableItem } from './quickPickItems.ts';
import { getResultTarget } from './findResult.ts';
import { StableQuickPick } from './stableQuickPick.ts';

/**
 * Searches the viewpoints of a connection by every field that the platform can search (rest-api.md, "ViewpointSearch").
 */
export async function searchViewpoints(deps: FindDeps, target?: ConnectionTarget): Promise<void> {
  const connection = await resolveTargetConnection(deps, target, {
    title: vscode.l10n.t('Search Viewpoints'),
    placeholder: vscode.l10n.t('Select the connection to search'),
  });
  if (connection === undefined) {
    return;
  }
  const title = vscode.l10n.t('Search Viewpoints of {0}', toPlainText(connection.name));
  let form = emptyViewpointSearchForm;
  for (;;) {
    const editedForm = await promptForViewpointSearch(title, form);
    if (editedForm === undefined) {
      return;
    }
    form = editedForm;
    if ((await showResults(deps, connection, title, toViewpointSearch(form))) !== 'back') {
      return;
    }
  }
}

/** Lists the server's results, page by page, and opens the one that the user accepts. */
function showResults(
  deps: FindDeps,
  connection: Connection,
  title: string,
  search: ViewpointSearch | undefined,
): Promise<'back' | undefined> {
  const store = new DisposableStore();
  const results = new ViewpointResults(deps, connection, search);
  const quickPick = store.add(vscode.window.createQuickPick<FindItem>());
  quickPick.title = title;
  quickPick.matchOnDescription = true;
  quickPick.keepScrollPosition = true;
  const stableQuickPick = store.add(
    new StableQuickPick(
      quickPick,
      ({ key }) => key,
      (callback) => void whenQuickPickIsShown(deps.clock, callback),
    ),
  );
  quickPick.buttons = [vscode.QuickInputButtons.Back];
  store.add({ dispose: () => results.abortController.abort() });
  const loadNextPage = async (): Promise<void> => {
    quickPick.busy = true;
    await results.loadPage();
    if (!results.abortController.signal.aborted) {
      quickPick.busy = false;
      stableQuickPick.setItems(results.items, { keepIndex: true });
      quickPick.placeholder = results.summary;
    }
  };
  return new Promise((resolve) => {
    const close = (result?: 'back'): void => {
      resolve(result);
      store.dispose();
    };
    store.add(quickPick.onDidTriggerButton(() => close('back')));
    store.add(quickPick.onDidHide(() => close()));
    store.add(
      quickPick.onDidTriggerItemButton(({ item: { result } }) => {
        close();
        void (result && runCommand('datamodelStudio.explorer.reveal', getResultTarget(result)));
      }),
    );
    store.add(
      quickPick.onDidAccept(() => {
        const item = stableQuickPick.acceptedItem;
        const result = item?.result;
        if (result === undefined) {
          if (item?.loadsNextPage === true) {
            void loadNextPage();
          }
          return;
        }
        close();
        void runCommand('datamodelStudio.documents.open', getResultTarget(result));
      }),
    );
    quickPick.show();
    void loadNextPage();
  });
}

/** The viewpoints found by one search, loaded page by page. */
class ViewpointResults {
  readonly abortController = new AbortController();
  readonly #connection: Connection;
  readonly #list: ViewpointList;
  #error: unknown;

  constructor(deps: FindDeps, connection: Connection, search: ViewpointSearch | undefined) {
    this.#connection = connection;
    this.#list = new ViewpointList(async (offset) => {
      const { client } = await deps.sessions.get(connection.id);
      const query = { ...(search === undefined ? {} : { search }), offset, limit: defaultViewpointPageSize };
      return (await client.viewpoints.list(query, this.abortController.signal)).value;
    });
  }

  /** Loads the next page, if any; stores a failure so that it can be shown and retried. */
  async loadPage(): Promise<void> {
    this.#error = undefined;
    if (!this.#list.loaded.hasMore) {
      return;
    }
    try {
      await this.#list.loadMore();
    } catch (error) {
      this.#error = error;
    }
  }

  get summary(): string {
    const { viewpoints, total } = this.#list.loaded;
    const count = viewpoints.length;
    if (this.#error !== undefined) {
      return toPlainText(getUserMessage(this.#error));
    }
    if (count === 0) {
      return vscode.l10n.t('No viewpoints found');
    }
    return total === undefined
      ? vscode.l10n.t('{0} shown; type to narrow', count)
      : vscode.l10n.t('{0} of {1} shown; type to narrow', count, total);
  }

  get items(): readonly FindItem[] {
    const { viewpoints, hasMore } = this.#list.loaded;
    const unreadableItems = getUnreadableMessages(this.#list.loaded).map(createUnreadableItem);
    const resultItems = [...viewpoints.map((viewpoint) => this.#createItem(viewpoint)), ...unreadableItems];
    if (this.#error !== undefined) {
      return [
        ...resultItems,
        createPagingItem(vscode.l10n.t('Retry'), toPlainText(getUserMessage(this.#error)), 'refresh'),
      ];
    }
    return hasMore
      ? [...resultItems, createPagingItem(vscode.l10n.t('Load more'), '', 'ellipsis')]
      : resultItems;
  }

  #createItem({ id, name, description }: Viewpoint): FindItem {
    const connection = this.#connection;
    const ref = { kind: 'viewpoint', viewpointId: id } as const;
    return {
      ...createResultItem({ connection, id, name: name ?? id, within: [], ref }, false),
      description: toPlainText(description ?? ''),
      // Typing narrows the results.
      alwaysShow: false,
    };
  }
}

const createPagingItem = (label: string, description: string, icon: string): FindItem => ({
  key: `${icon} ${label}`,
  label,
  description,
  iconPath: new vscode.ThemeIcon(icon),
  alwaysShow: true,
  loadsNextPage: true,
});
