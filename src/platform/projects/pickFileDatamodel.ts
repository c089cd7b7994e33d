import * as vscode from 'vscode';
import { showInformation } from '../messages.ts';
import { toPlainText } from '../serverText.ts';
import type { FileCatalogs } from './fileCatalogs.ts';

/** A datamodel in the files of a project. */
export interface FileDatamodelTarget {
  /** The folder of the project, as the text of a URI. */
  readonly folder: string;
  readonly datamodel: string;
}

/**
 * Lets the user select a datamodel in the files of the projects of the workspace; `undefined` if none was selected.
 * Shows a message if there is no datamodel.
 */
export async function pickFileDatamodel(
  catalogs: FileCatalogs,
  title: string,
): Promise<FileDatamodelTarget | undefined> {
  const items = await Promise.all(
    (await catalogs.findAll()).map(async (catalog) =>
      (await catalog.getProjectNames()).datamodels.map(({ title: datamodel }) => ({
        label: `$(database) ${toPlainText(datamodel)}`,
        description: toPlainText(vscode.workspace.asRelativePath(catalog.folder, true)),
        target: { folder: String(catalog.folder), datamodel },
      })),
    ),
  );
  if (items.flat().length === 0) {
    await showInformation(vscode.l10n.t('The projects in the workspace have no datamodels.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items.flat(), {
    title,
    placeHolder: vscode.l10n.t('Select a datamodel'),
    matchOnDescription: true,
  });
  return picked?.target;
}
