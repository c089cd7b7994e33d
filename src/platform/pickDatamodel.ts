import * as vscode from 'vscode';
import type { DatamodelTarget } from '../contributions.ts';
import { getDatamodelType } from '../contract/datamodel.ts';
import { runCommand } from './commands.ts';
import { type InstancePickerDeps, pickFromInstances } from './pickFromInstances.ts';
import { toPlainText } from './serverText.ts';
import { formatDatamodelType } from './labels.ts';
import type { TreeSelection } from './treeSelection.ts';
import { findNearest } from './treeTarget.ts';

type ListedDatamodel = Omit<DatamodelTarget, 'type'>;

/** Which datamodels to list, and which of them to list first. */
interface DatamodelPickOptions {
  readonly isExcluded?: (datamodel: ListedDatamodel) => boolean;
  readonly isPreferred?: (datamodel: ListedDatamodel) => boolean;
  /** The selection of the Connections view, whose datamodel is listed first. */
  readonly selection?: TreeSelection;
}

/**
 * Lets the user select a datamodel of any connection; `undefined` if none was selected. The list stays open while the
 * user adds a connection, signs in to one, or refreshes the datamodels.
 */
export const pickDatamodel = (
  deps: InstancePickerDeps,
  title: string,
  { isExcluded, selection, isPreferred = createSelectionCheck(selection) }: DatamodelPickOptions = {},
): Promise<DatamodelTarget | undefined> =>
  pickFromInstances<DatamodelTarget>(deps, {
    title,
    placeholder: vscode.l10n.t('Select a datamodel'),
    preferredTitle:
      selection === undefined ? vscode.l10n.t('Same Name') : vscode.l10n.t('Selected in Connections View'),
    loadItems: async (catalog, { id: connectionId }) =>
      (await catalog.partial.datamodels()).value
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
          isPreferred: isPreferred(target),
          buttons: [
            {
              iconPath: new vscode.ThemeIcon('list-tree'),
              tooltip: vscode.l10n.t('Reveal in Connections View'),
            },
          ],
          target,
        })),
    handleItemButton: reveal,
  });

/** Creates a check of whether a datamodel is selected in the Connections view, or contains the selected node. */
function createSelectionCheck(selection: TreeSelection | undefined): (datamodel: ListedDatamodel) => boolean {
  const selected = findNearest(selection?.selectedNodes[0], 'datamodel');
  return ({ connectionId, datamodelId }) =>
    selected?.connectionId === connectionId && selected.resource.datamodelId === datamodelId;
}

const reveal = ({ connectionId, datamodelId, title }: DatamodelTarget): Promise<void> =>
  runCommand('datamodelStudio.explorer.reveal', {
    connectionId,
    resource: { kind: 'datamodel', datamodelId },
    name: title,
    within: [],
  });
