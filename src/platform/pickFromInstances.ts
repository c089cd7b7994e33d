import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import type { InstanceCatalog } from '../catalog/instanceCatalog.ts';
import { ApiError } from '../client/errors.ts';
import type { Connection } from '../connections/connection.ts';
import type { Sessions } from '../connections/sessions.ts';
import { SandboxStoppedError } from '../sandbox/host/sandboxService.ts';
import { runCommand } from './commands.ts';
import { showInformation } from './messages.ts';
import type { ConnectionPickerDeps } from './pickConnection.ts';
import { toPlainText } from './serverText.ts';
import { getUserMessage } from './userErrors.ts';

/** The dependencies of a picker that lists items of all connections. */
export type InstancePickerDeps = ConnectionPickerDeps & { readonly sessions: Sessions };

interface RecoveryAction {
  readonly run: () => Promise<void>;
  /** Whether the action shows an input of its own, which hides the picker until the action has ended. */
  readonly hasPrompt: boolean;
}

/** An item of the picker, with the object that it represents. */
export interface InstanceItem<Target> extends vscode.QuickPickItem {
  readonly target: Target;
  /** Whether the item is listed before the others, with the name of its connection. */
  readonly isPreferred?: boolean;
}

type ListedItem<Target> = vscode.QuickPickItem & {
  readonly target?: Target;
  readonly isPreferred?: boolean;
  /** Set for a connection that failed: the action to take before its items are loaded again. */
  readonly recoveryAction?: RecoveryAction;
};

/** The texts and items of a picker that lists items of all connections. */
export interface InstancePickOptions<Target> {
  readonly title: string;
  readonly placeholder: string;
  /** The title of the group of preferred items. */
  readonly preferredTitle?: string;
  /** @throws ApiError */
  loadItems(catalog: InstanceCatalog, connection: Connection): Promise<readonly InstanceItem<Target>[]>;
  /** Called for the button of an item; the list is closed. */
  handleItemButton?(target: Target): Promise<void>;
}

/**
 * Lets the user select something of any connection; `undefined` if nothing was selected. The list stays open while the
 * user adds a connection, signs in to one, or has the items loaded again.
 */
export async function pickFromInstances<Target>(
  deps: InstancePickerDeps,
  options: InstancePickOptions<Target>,
): Promise<Target | undefined> {
  if (deps.connections.all.length === 0) {
    await showInformation(vscode.l10n.t('No connections found. Add a connection or start the sandbox.'));
    return undefined;
  }
  const store = new DisposableStore();
  const quickPick = store.add(vscode.window.createQuickPick<ListedItem<Target>>());
  const refreshButton = { iconPath: new vscode.ThemeIcon('refresh'), tooltip: vscode.l10n.t('Refresh') };
  const addButton = { iconPath: new vscode.ThemeIcon('add'), tooltip: vscode.l10n.t('Add Connection…') };
  quickPick.title = options.title;
  quickPick.placeholder = options.placeholder;
  quickPick.matchOnDescription = true;
  quickPick.buttons = [refreshButton, addButton];
  const load = async (): Promise<void> => {
    quickPick.busy = true;
    const items = await createItems(deps, options);
    if (!store.isDisposed) {
      quickPick.items = items;
      quickPick.busy = false;
    }
  };
  let isPrompting = false;
  const runAndReload = async ({ run, hasPrompt }: RecoveryAction): Promise<void> => {
    quickPick.busy = true;
    isPrompting = hasPrompt;
    await run();
    isPrompting = false;
    if (!store.isDisposed) {
      quickPick.show();
      await load();
    }
  };
  return new Promise((resolve) => {
    const finish = (target: Target | undefined): void => {
      resolve(target);
      store.dispose();
    };
    store.add(
      quickPick.onDidTriggerButton((button) => {
        void runAndReload(
          button === addButton
            ? { run: () => runCommand('datamodelStudio.connections.add'), hasPrompt: true }
            : { run: () => forgetItems(deps), hasPrompt: false },
        );
      }),
    );
    store.add(
      quickPick.onDidTriggerItemButton(({ item: { target } }) => {
        finish(undefined);
        if (target !== undefined) {
          void options.handleItemButton?.(target);
        }
      }),
    );
    store.add(
      quickPick.onDidAccept(() => {
        const [item] = quickPick.selectedItems;
        if (item?.recoveryAction !== undefined) {
          void runAndReload(item.recoveryAction);
        } else if (item !== undefined) {
          finish(item.target);
        }
      }),
    );
    store.add(
      quickPick.onDidHide(() => {
        if (!isPrompting) {
          finish(undefined);
        }
      }),
    );
    quickPick.show();
    void load();
  });
}

/** Discards the cached items, so that the next load requests them from the instances again. */
async function forgetItems({ connections, sessions }: InstancePickerDeps): Promise<void> {
  for (const { id } of connections.all) {
    sessions.peek(id)?.catalog.invalidate({ kind: 'all' });
  }
}

/** Creates the items: first the preferred ones, then the others, grouped by connection with the current one first. */
async function createItems<Target>(
  deps: InstancePickerDeps,
  list: InstancePickOptions<Target>,
): Promise<readonly ListedItem<Target>[]> {
  const groups = await Promise.all(
    deps.currentConnection.allCurrentFirst.map(async (connection) => {
      try {
        const { catalog } = await deps.sessions.get(connection.id);
        return { connection, items: await list.loadItems(catalog, connection) };
      } catch (error) {
        // A connection that fails must not hide the others.
        return { connection, items: [createErrorItem<Target>(connection, error)] };
      }
    }),
  );
  const preferredItems = groups.flatMap(({ connection, items }) =>
    items
      .filter(({ isPreferred }) => isPreferred === true)
      .map((item) => ({ ...item, description: joinDescription(connection, item.description) })),
  );
  const otherItems = groups.flatMap(({ connection, items }) => [
    { label: connection.name, kind: vscode.QuickPickItemKind.Separator },
    ...items.filter(({ isPreferred }) => isPreferred !== true),
  ]);
  return preferredItems.length === 0
    ? otherItems
    : [
        { label: list.preferredTitle ?? '', kind: vscode.QuickPickItemKind.Separator },
        ...preferredItems,
        ...otherItems,
      ];
}

const joinDescription = ({ name }: Connection, description: string | undefined): string =>
  [toPlainText(name), ...(description === undefined ? [] : [description])].join(' · ');

/** Creates the item of a connection that failed; choosing it signs in, starts the sandbox, or tries again. */
function createErrorItem<Target>({ id }: Connection, error: unknown): ListedItem<Target> {
  const label = `$(error) ${toPlainText(getUserMessage(error))}`;
  if (error instanceof SandboxStoppedError) {
    return {
      label,
      detail: vscode.l10n.t('Start Sandbox'),
      recoveryAction: { run: () => runCommand('datamodelStudio.sandbox.start'), hasPrompt: false },
    };
  }
  return error instanceof ApiError && error.remedy === 'sign-in'
    ? {
        label,
        detail: vscode.l10n.t('Sign In…'),
        recoveryAction: {
          run: () => runCommand('datamodelStudio.connections.signIn', { connectionId: id }),
          hasPrompt: true,
        },
      }
    : {
        label,
        detail: vscode.l10n.t('Retry'),
        recoveryAction: { run: async () => undefined, hasPrompt: false },
      };
}
