import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { type UriTarget, webviews } from '../../contributions.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import type { FileRulesReference } from '../../webviews/protocol/access.ts';
import type { RulesPageDeps } from './deps.ts';
import { FileAccessPanel } from './fileAccessPanel.ts';
import { type RulesPage, getFileTargetKey, resolveFileTarget } from './fileTarget.ts';

/** The open pages with Effective Access of rules in files: one per datamodel or cube set. */
export class FileAccessPages implements Disposable {
  readonly #deps: RulesPageDeps;
  readonly #editRules: (target: FileRulesReference) => Promise<void>;
  readonly #panels = new Map<string, FileAccessPanel>();

  /** @param editRules opens the rules of the same files in the grid */
  constructor(deps: RulesPageDeps, editRules: (target: FileRulesReference) => Promise<void>) {
    this.#deps = deps;
    this.#editRules = editRules;
  }

  /** The open pages. */
  get pages(): Iterable<RulesPage> {
    return this.#panels.values();
  }

  /**
   * Shows the access to the datamodel or cube set of a file or folder, or of the active editor or page.
   * @param otherPages the open pages of the grid
   */
  async open(uri: UriTarget | undefined, otherPages: Iterable<RulesPage>): Promise<void> {
    const catalogs = await this.#deps.loadFileCatalogs();
    const target = await resolveFileTarget(catalogs, uri, {
      title: vscode.l10n.t('Show Effective Access from Files'),
      pages: [...this.pages, ...otherPages],
    });
    if (target !== undefined) {
      await this.openTarget(target);
    }
  }

  async openTarget(target: FileRulesReference): Promise<void> {
    const catalogs = await this.#deps.loadFileCatalogs();
    const panel =
      this.#panels.get(getFileTargetKey(target)) ?? this.#createPanel(target, catalogs, createTab());
    panel.show();
  }

  /** Restores a tab after a reload; closes it if its project no longer exists, or the same access is already open. */
  async restore(tab: vscode.WebviewPanel, target: FileRulesReference): Promise<void> {
    const catalogs = await this.#deps.loadFileCatalogs();
    const project = await catalogs.findProject(vscode.Uri.parse(target.folder));
    if (project === undefined || this.#panels.has(getFileTargetKey(target))) {
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
    const key = getFileTargetKey(target);
    const panel = new FileAccessPanel(this.#deps, target, catalogs, tab, {
      onClosed: () => this.#panels.delete(key),
      editRules: () => this.#editRules(target),
    });
    this.#panels.set(key, panel);
    return panel;
  }
}

const createTab = (): vscode.WebviewPanel =>
  vscode.window.createWebviewPanel(webviews.access, '', vscode.ViewColumn.Active);
