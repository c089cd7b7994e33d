import * as vscode from 'vscode';
import type { DatamodelTarget } from '../contributions.ts';
import { getDatamodelType } from '../contract/datamodel.ts';
import { runCommand } from './commands.ts';
import { type SessionPickerDeps, pickFromInstances } from './pickFromInstances.ts';
import { toPlainText } from './serverText.ts';
import { formatDatamodelType } from './labels.ts';

type ListedDatamodel = Omit<DatamodelTarget, 'type'>;

/** Which datamodels to list, and which of them to list first. */
interface DatamodelPickOptions {
  readonly isExcluded?: (datamodel: ListedDatamodel) => boolean;
  readonly isPreferred?: (datamodel: ListedDatamodel) => boolean;
}

/**
 * Lets the user select a datamodel of any connection; `undefined` if none was selected. The list stays open while the
 * user adds a connection, signs in to one, or refreshes the datamodels.
 */
export const pickDatamodel = (
  deps: SessionPickerDeps,
  title: string,
  { isExcluded, isPreferred }: DatamodelPickOptions = {},
): Promise<DatamodelTarget | undefined> =>
  pickFromInstances<DatamodelTarget>(deps, {
    title,
    placeholder: vscode.l10n.t('Select a datamodel'),
    preferredTitle: vscode.l10n.t('Same Name'),
    loadItems: async (catalog, { id: connectionId }) =>
      (await catalog.readable.datamodels()).value
        .map((datamodel) => ({
          connectionId,
          datamodelId: datamodel.oid,
          title: datamodel.title,
          type: getDatamodelType(datamodel),
        }))
        .filter((target) => isExcluded?.(target) !== true)
        .map((target) => ({
          label: toPlainText(target.title),
          description: formatDatamodelType(target),
          isPreferred: isPreferred?.(target) === true,
          buttons: [
            {
              iconPath: new vscode.ThemeIcon('list-tree'),
              tooltip: vscode.l10n.t('Reveal in Explorer'),
            },
          ],
          target,
        })),
    handleItemButton: reveal,
  });

const reveal = ({ connectionId, datamodelId, title }: DatamodelTarget): Promise<void> =>
  runCommand('datamodelStudio.explorer.reveal', {
    connectionId,
    resource: { kind: 'datamodel', datamodelId },
    name: title,
    within: [],
  });
