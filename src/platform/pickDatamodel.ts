import * as vscode from 'vscode';
import type { Sessions } from '../connections/sessions.ts';
import type { DatamodelTarget } from '../contributions.ts';
import { getDatamodelType, getDatamodelTypeLabel } from '../contract/datamodel.ts';
import { showInformation } from './messages.ts';
import type { ConnectionPickerDeps } from './pickConnection.ts';
import { toPlainText } from './serverText.ts';
import { getUserMessage } from './userErrors.ts';

type DatamodelItem = vscode.QuickPickItem & { readonly target?: DatamodelTarget };

/** Lets the user select a datamodel of any connection; `undefined` if none was selected. */
export async function pickDatamodel(
  deps: ConnectionPickerDeps & { readonly sessions: Sessions },
  title: string,
): Promise<DatamodelTarget | undefined> {
  if (deps.connections.all.length === 0) {
    await showInformation(vscode.l10n.t('There is no connection yet. Add one, or start the sandbox.'));
    return undefined;
  }
  const pickedItem = await vscode.window.showQuickPick(createDatamodelItems(deps), {
    title,
    placeHolder: vscode.l10n.t('Choose a datamodel'),
    matchOnDescription: true,
  });
  return pickedItem?.target;
}

/** Creates the items, grouped by connection with the current one first. */
async function createDatamodelItems(
  deps: ConnectionPickerDeps & { readonly sessions: Sessions },
): Promise<readonly DatamodelItem[]> {
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
            target: { connectionId: connection.id, datamodelId: datamodel.oid, title: datamodel.title, type },
          };
        });
        return [separator, ...items];
      } catch (error) {
        // A connection that fails must not hide the others; selecting its error item returns no datamodel.
        return [separator, { label: `$(error) ${toPlainText(getUserMessage(error))}` }];
      }
    }),
  );
  return groups.flat();
}
