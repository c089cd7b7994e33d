import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import { ApiError } from '../client/errors.ts';
import type { Connection } from '../connections/connection.ts';
import type { Sessions } from '../connections/sessions.ts';
import type { DatamodelTarget } from '../contributions.ts';
import { getDatamodelType, getDatamodelTypeLabel } from '../contract/datamodel.ts';
import { SandboxStoppedError } from '../sandbox/host/sandboxService.ts';
import { runCommand } from './commands.ts';
import { showInformation } from './messages.ts';
import type { ConnectionPickerDeps } from './pickConnection.ts';
import { toPlainText } from './serverText.ts';
import { getUserMessage } from './userErrors.ts';

type DatamodelPickerDeps = ConnectionPickerDeps & { readonly sessions: Sessions };

interface RecoveryAction {
  readonly run: () => Promise<void>;
  /** Whether it shows an input of its own: the list is hidden meanwhile. */
  readonly hasPrompt: boolean;
}

type DatamodelItem = vscode.QuickPickItem & {
  readonly target?: DatamodelTarget;
  /** Set for a connection that failed: the action to take before its datamodels are loaded again. */
  readonly recoveryAction?: RecoveryAction;
};

/**
 * Lets the user select a datamodel of any connection; `undefined` if none was selected. The list stays open while the
 * user adds a connection, signs in to one, or refreshes the datamodels.
 */
export async function pickDatamodel(
  deps: DatamodelPickerDeps,
  title: string,
): Promise<DatamodelTarget | undefined> {
  if (deps.connections.all.length === 0) {
    await showInformation(vscode.l10n.t('There is no connection yet. Add one, or start the sandbox.'));
    return undefined;
  }
  const store = new DisposableStore();
  const quickPick = store.add(vscode.window.createQuickPick<DatamodelItem>());
  const refreshButton = { iconPath: new vscode.ThemeIcon('refresh'), tooltip: vscode.l10n.t('Refresh') };
  const addButton = { iconPath: new vscode.ThemeIcon('add'), tooltip: vscode.l10n.t('Add Connection…') };
  quickPick.title = title;
  quickPick.placeholder = vscode.l10n.t('Choose a datamodel');
  quickPick.matchOnDescription = true;
  quickPick.buttons = [refreshButton, addButton];
  const load = async (): Promise<void> => {
    quickPick.busy = true;
    const items = await createDatamodelItems(deps);
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
    const finish = (target: DatamodelTarget | undefined): void => {
      resolve(target);
      store.dispose();
    };
    store.add(
      quickPick.onDidTriggerButton((button) => {
        void runAndReload(
          button === addButton
            ? { run: () => runCommand('datamodelStudio.connections.add'), hasPrompt: true }
            : { run: () => forgetDatamodels(deps), hasPrompt: false },
        );
      }),
    );
    store.add(
      quickPick.onDidTriggerItemButton(({ item: { target } }) => {
        finish(undefined);
        if (target !== undefined) {
          void reveal(target);
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

const reveal = ({ connectionId, datamodelId, title }: DatamodelTarget): Promise<void> =>
  runCommand('datamodelStudio.explorer.reveal', {
    connectionId,
    resource: { kind: 'datamodel', datamodelId },
    name: title,
    within: [],
  });

/** Makes the next load ask the instances again. */
async function forgetDatamodels({ connections, sessions }: DatamodelPickerDeps): Promise<void> {
  for (const { id } of connections.all) {
    sessions.peek(id)?.catalog.invalidate({ kind: 'all' });
  }
}

/** Creates the items, grouped by connection with the current one first. */
async function createDatamodelItems(deps: DatamodelPickerDeps): Promise<readonly DatamodelItem[]> {
  const groups = await Promise.all(
    deps.current.allCurrentFirst.map(async (connection): Promise<readonly DatamodelItem[]> => {
      const separator = { label: connection.name, kind: vscode.QuickPickItemKind.Separator };
      try {
        const { catalog } = await deps.sessions.get(connection.id);
        const datamodels = (await catalog.readable.datamodels()).value;
        const items = datamodels.map((datamodel) => {
          const type = getDatamodelType(datamodel);
          return {
            label: toPlainText(datamodel.title),
            description: getDatamodelTypeLabel(datamodel),
            buttons: [
              {
                iconPath: new vscode.ThemeIcon('list-tree'),
                tooltip: vscode.l10n.t('Reveal in Explorer'),
              },
            ],
            target: { connectionId: connection.id, datamodelId: datamodel.oid, title: datamodel.title, type },
          };
        });
        return [separator, ...items];
      } catch (error) {
        // A connection that fails must not hide the others.
        return [separator, createErrorItem(connection, error)];
      }
    }),
  );
  return groups.flat();
}

/** Creates the item of a connection that failed; choosing it signs in, starts the sandbox, or tries again. */
function createErrorItem({ id }: Connection, error: unknown): DatamodelItem {
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
