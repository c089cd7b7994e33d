import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { type UriTarget, webviews } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import type { RulesSubject } from '../../project/language/languageMessages.ts';
import type { FileRulesReference } from '../../webviews/protocol/access.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { FileAccessPanel } from './fileAccessPanel.ts';

/** The open pages with Effective Access of files: one per datamodel or cube set. */
export class FileAccess implements Disposable {
  readonly #deps: AccessFeatureDeps;
  readonly #panels = new Map<string, FileAccessPanel>();

  constructor(deps: AccessFeatureDeps) {
    this.#deps = deps;
  }

  /** Shows the access to the datamodel or cube set of a file or folder, or of the file in the active editor. */
  async open(uri: UriTarget | undefined): Promise<void> {
    const file =
      uri === undefined ? vscode.window.activeTextEditor?.document.uri : vscode.Uri.parse(String(uri));
    const catalogs = await this.#deps.loadFileCatalogs();
    const target = file && (await findTarget(catalogs, file));
    if (target === undefined) {
      await showInformation(vscode.l10n.t('Select a file of a datamodel or cube set in a project.'));
      return;
    }
    const panel = this.#panels.get(getKey(target)) ?? this.#createPanel(target, catalogs, createTab());
    panel.show();
  }

  /** Restores a tab after a reload; closes it if its project has gone, or if the access is already open. */
  async restore(tab: vscode.WebviewPanel, target: FileRulesReference): Promise<void> {
    const catalogs = await this.#deps.loadFileCatalogs();
    const project = await catalogs.findProject(vscode.Uri.parse(target.folder));
    if (project === undefined || this.#panels.has(getKey(target))) {
      tab.dispose();
    } else {
      this.#createPanel(target, catalogs, tab);
    }
  }

  dispose(): void {
    this.#panels.forEach((panel) => panel.close());
  }

  #createPanel(
    target: FileRulesReference,
    catalogs: FileCatalogs,
    tab: vscode.WebviewPanel,
  ): FileAccessPanel {
    const key = getKey(target);
    const panel = new FileAccessPanel(this.#deps, target, catalogs, tab, () => this.#panels.delete(key));
    this.#panels.set(key, panel);
    return panel;
  }
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

const getKey = ({ folder, subject }: FileRulesReference): string => JSON.stringify([folder, subject]);

const createTab = (): vscode.WebviewPanel =>
  vscode.window.createWebviewPanel(webviews.access, '', vscode.ViewColumn.Active);
