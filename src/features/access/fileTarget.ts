import * as vscode from 'vscode';
import type { UriTarget } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import type { RulesSubject } from '../../project/language/languageMessages.ts';
import type { FileRulesReference } from '../../webviews/protocol/access.ts';

/**
 * Returns the datamodel or cube set of a file or folder of a project, or of the file in the active editor. If there is
 * none, says so.
 */
export async function resolveFileTarget(
  catalogs: FileCatalogs,
  uri: UriTarget | undefined,
): Promise<FileRulesReference | undefined> {
  const file =
    uri === undefined ? vscode.window.activeTextEditor?.document.uri : vscode.Uri.parse(String(uri));
  const target = file && (await findTarget(catalogs, file));
  if (target === undefined) {
    await showInformation(vscode.l10n.t('Select a file of a datamodel or cube set in a project.'));
  }
  return target;
}

async function findTarget(catalogs: FileCatalogs, uri: vscode.Uri): Promise<FileRulesReference | undefined> {
  const file = await catalogs.find(uri);
  if (file === undefined) {
    return undefined;
  }
  const { key, datamodel } = await file.catalog.getFile(file.path);
  const subject: RulesSubject | undefined =
    key?.kind === 'cubeSetRules'
      ? { cubeSet: key.cubeSet }
      : datamodel === undefined
        ? undefined
        : { datamodel };
  return subject && { folder: String(file.catalog.folder), subject };
}

/** Returns a text that is the same for the same datamodel or cube set only. */
export const getFileTargetKey = ({ folder, subject }: FileRulesReference): string =>
  JSON.stringify([folder, subject]);
