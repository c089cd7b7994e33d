import * as vscode from 'vscode';
import type { UriTarget } from '../../contributions.ts';
import { getActiveDocumentUri } from '../../platform/activeForm.ts';
import { showInformation } from '../../platform/messages.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import { pickFileDatamodel } from '../../platform/projects/pickFileDatamodel.ts';
import type { RulesSubject } from '../../project/language/languageCalls.ts';
import type { FileRulesReference } from '../../webviews/protocol/access.ts';

/** A page that may show rules of files. */
export interface RulesPage {
  readonly isActive: boolean;
  /** `undefined` if the rules are those of a server. */
  readonly fileTarget: FileRulesReference | undefined;
}

/**
 * Returns the datamodel or cube set of a file or folder of a project. Without one, returns that of the active editor or
 * page, or else asks for a datamodel.
 */
export async function resolveFileTarget(
  catalogs: FileCatalogs,
  uri: UriTarget | undefined,
  { title, pages }: { readonly title: string; readonly pages: Iterable<RulesPage> },
): Promise<FileRulesReference | undefined> {
  if (uri !== undefined) {
    const target = await findTarget(catalogs, vscode.Uri.parse(String(uri)));
    if (target === undefined) {
      await showInformation(vscode.l10n.t('Select a file of a datamodel or cube set in a project.'));
    }
    return target;
  }
  const activeFile = getActiveDocumentUri();
  const active =
    activeFile === undefined
      ? [...pages].find(({ isActive }) => isActive)?.fileTarget
      : await findTarget(catalogs, activeFile);
  if (active !== undefined) {
    return active;
  }
  const picked = await pickFileDatamodel(catalogs, title);
  return picked && { folder: picked.folder, subject: { datamodel: picked.datamodel } };
}

async function findTarget(catalogs: FileCatalogs, uri: vscode.Uri): Promise<FileRulesReference | undefined> {
  const file = await catalogs.findItemFile(uri);
  if (file === undefined) {
    return undefined;
  }
  const { key, datamodel } = await file.catalog.getFileContext(file.path);
  const subject: RulesSubject | undefined =
    key?.kind === 'cubeSetRules'
      ? { cubeSet: key.cubeSet }
      : datamodel === undefined
        ? undefined
        : { datamodel };
  return subject && { folder: String(file.catalog.folder), subject };
}

/** Returns a text that identifies the datamodel or cube set in its project. */
export const getFileTargetKey = ({ folder, subject }: FileRulesReference): string =>
  JSON.stringify([folder, subject]);
