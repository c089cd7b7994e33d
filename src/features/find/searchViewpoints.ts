import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { emptyViewpointForm, viewpointSearch } from '../../catalog/viewpointForm.ts';
import { ViewpointList } from '../../catalog/viewpointList.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionTarget } from '../../contributions.ts';
import { type Viewpoint, type ViewpointSearch, defaultViewpointPage } from '../../contract/viewpoint.ts';
import { runCommand } from '../../platform/commands.ts';
import { targetConnection } from '../../platform/pickConnection.ts';
import { plainText } from '../../platform/serverText.ts';
import { unreadableWords } from '../../platform/unreadableWords.ts';
import { userMessage } from '../../platform/userErrors.ts';
import { askViewpointSearch } from './askViewpointSearch.ts';
import type { FindDeps } from './deps.ts';
import { type FindItem, foundItem, unreadableItem } from './findItems.ts';
import { targetOf } from './found.ts';
import { SteadyList } from './steadyList.ts';

/** Searches the viewpoints of a connection by every field that the platform can search (spec, "ViewpointSearch"). */
export async function searchViewpoints(deps: FindDeps, target?: ConnectionTarget): Promise<void> {
  const connection = await targetConnection(deps, target, {
    title: vscode.l10n.t('Search Viewpoints'),
    placeholder: vscode.l10n.t('Connection to search'),
  });
  if (connection === undefined) {
    return;
  }
  const title = vscode.l10n.t('Search Viewpoints of {0}', plainText(connection.name));
  let form = emptyViewpointForm;
  for (;;) {
    const asked = await askViewpointSearch(title, form);
    if (asked === undefined) {
      return;
    }
    form = asked;
    if ((await showResults(deps, connection, title, viewpointSearch(form))) !== 'back') {
      return;
    }
  }
}

/** Lists what the server finds, page by page; choosing one opens it. */
function showResults(
  deps: FindDeps,
  connection: Connection,
  title: string,
  search: ViewpointSearch | undefined,
): Promise<'back' | undefined> {
  const store = new DisposableStore();
  const results = new Results(deps, connection, search);
  const pick = store.add(vscode.window.createQuickPick<FindItem>());
  pick.title = title;
  pick.matchOnDescription = true;
  pick.keepScrollPosition = true;
  const list = store.add(new SteadyList(pick, ({ key }) => key));
  pick.buttons = [vscode.QuickInputButtons.Back];
  store.add({ dispose: () => results.abort.abort() });
  const load = async (): Promise<void> => {
    pick.busy = true;
    await results.loadPage();
    if (!results.abort.signal.aborted) {
      pick.busy = false;
      list.show(results.items, { inPlace: true });
      pick.placeholder = results.summary;
    }
  };
  return new Promise((resolve) => {
    const finish = (answer?: 'back'): void => {
      resolve(answer);
      store.dispose();
    };
    store.add(pick.onDidTriggerButton(() => finish('back')));
    store.add(pick.onDidHide(() => finish()));
    store.add(
      pick.onDidTriggerItemButton(({ item: { found } }) => {
        finish();
        void (found && runCommand('datamodelStudio.explorer.reveal', targetOf(found)));
      }),
    );
    store.add(
      pick.onDidAccept(() => {
        const found = list.accepted?.found;
        if (found === undefined) {
          void load();
          return;
        }
        finish();
        void runCommand('datamodelStudio.documents.open', targetOf(found));
      }),
    );
    pick.show();
    void load();
  });
}

/** The viewpoints that were found so far. */
class Results {
  readonly abort = new AbortController();
  readonly #connection: Connection;
  readonly #list: ViewpointList;
  #error: unknown;

  constructor(deps: FindDeps, connection: Connection, search: ViewpointSearch | undefined) {
    this.#connection = connection;
    this.#list = new ViewpointList(async (offset) => {
      const { client } = await deps.sessions.get(connection.id);
      const query = { ...(search === undefined ? {} : { search }), offset, limit: defaultViewpointPage };
      return (await client.viewpoints.list(query, this.abort.signal)).value;
    });
  }

  /** The next page where there is one; a failure is kept, to be told and tried again. */
  async loadPage(): Promise<void> {
    this.#error = undefined;
    if (!this.#list.loaded.hasMore) {
      return;
    }
    try {
      await this.#list.more();
    } catch (error) {
      this.#error = error;
    }
  }

  get summary(): string {
    const { viewpoints, total } = this.#list.loaded;
    const count = viewpoints.length;
    if (this.#error !== undefined) {
      return plainText(userMessage(this.#error));
    }
    if (count === 0) {
      return vscode.l10n.t('No viewpoint was found');
    }
    return total === undefined
      ? vscode.l10n.t('{0} shown; type to narrow', count)
      : vscode.l10n.t('{0} of {1} shown; type to narrow', count, total);
  }

  get items(): readonly FindItem[] {
    const { viewpoints, hasMore } = this.#list.loaded;
    const told = unreadableWords(this.#list.loaded).map(unreadableItem);
    const found = [...viewpoints.map((viewpoint) => this.#item(viewpoint)), ...told];
    if (this.#error !== undefined) {
      return [...found, furtherItem(vscode.l10n.t('Retry'), plainText(userMessage(this.#error)), 'refresh')];
    }
    return hasMore ? [...found, furtherItem(vscode.l10n.t('Load more'), '', 'ellipsis')] : found;
  }

  #item({ id, name, description }: Viewpoint): FindItem {
    const connection = this.#connection;
    const ref = { kind: 'viewpoint', viewpointId: id } as const;
    return {
      ...foundItem({ connection, id, name: name ?? id, within: [], ref }, false),
      description: plainText(description ?? ''),
      // What is typed here narrows the results.
      alwaysShow: false,
    };
  }
}

const furtherItem = (label: string, description: string, icon: string): FindItem => ({
  key: `${icon} ${label}`,
  label,
  description,
  iconPath: new vscode.ThemeIcon(icon),
  alwaysShow: true,
});
