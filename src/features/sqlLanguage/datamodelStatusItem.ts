import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { isSandbox } from '../../connections/injectedSandbox.ts';
import { contextKeys, isSqlLanguage } from '../../contributions.ts';
import { createCommand } from '../../platform/commands.ts';
import { toPlainText, escapeMarkdownText } from '../../platform/serverText.ts';
import { getShortMessage } from '../../platform/userErrors.ts';
import type { DatamodelIdentity, DatamodelLoader } from './datamodelLoader.ts';
import { getResourceIdentity } from './resourceIdentity.ts';
import type { SqlRegions } from './regions.ts';

/** Places the item to the left of the editor's language mode. */
const statusBarPriority = 101;

interface StatusDeps {
  readonly regions: SqlRegions;
  readonly datamodelLoader: DatamodelLoader;
  readonly connections: ConnectionStore;
}

/** Shows the datamodel of the active SQL document in the status bar; a click picks another one. */
export class DatamodelStatusItem implements Disposable {
  readonly #deps: StatusDeps;
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;
  #updateId = 0;

  constructor(deps: StatusDeps) {
    this.#deps = deps;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem(
        'datamodelStudio.sqlDatamodel',
        vscode.StatusBarAlignment.Right,
        statusBarPriority,
      ),
    );
    this.#item.name = vscode.l10n.t('Datamodel for SQL File');
    this.#store.add(vscode.window.onDidChangeActiveTextEditor(() => this.refresh()));
    this.#store.add(deps.connections.onDidChange(() => this.refresh()));
    this.refresh();
  }

  /** Updates the item for the active document. */
  refresh(): void {
    this.#updateId += 1;
    void this.#refresh(this.#updateId);
  }

  async #refresh(updateId: number): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const setSandboxContext = (isOnSandbox: boolean): void =>
      void vscode.commands.executeCommand('setContext', contextKeys.sqlOnSandbox, isOnSandbox);
    if (document === undefined || !isSqlLanguage(document.languageId)) {
      setSandboxContext(false);
      this.#item.hide();
      return;
    }
    const projectExpression = await this.#deps.regions.findProjectExpression(document);
    // Another document may have become active in the meantime.
    if (updateId !== this.#updateId || this.#store.isDisposed) {
      return;
    }
    if (projectExpression !== undefined) {
      setSandboxContext(false);
      this.#showProject(projectExpression.datamodel.title);
      return;
    }
    const id = this.#deps.regions.getDatamodelIdentity(document.uri);
    const connection = id === undefined ? undefined : this.#deps.connections.find(id.connectionId);
    setSandboxContext(connection !== undefined && isSandbox(connection));
    const isServerDocument = getResourceIdentity(document.uri) !== undefined;
    this.#item.command = isServerDocument
      ? undefined
      : createCommand('datamodelStudio.sql.pickDatamodel', vscode.l10n.t('Select Datamodel for SQL File…'));
    this.#show(id, connection?.name, isServerDocument);
    if (id !== undefined) {
      await this.#showLoaded(id, connection?.name, isServerDocument, updateId);
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #showLoaded(
    id: DatamodelIdentity,
    connectionName: string | undefined,
    isServerDocument: boolean,
    updateId: number,
  ): Promise<void> {
    const loadedDatamodel = await this.#deps.datamodelLoader.load(id);
    // Another document may have become active in the meantime.
    if (updateId === this.#updateId && !this.#store.isDisposed) {
      this.#show(id, connectionName, isServerDocument, loadedDatamodel?.datamodel.title);
    }
  }

  #showProject(title: string): void {
    this.#item.command = undefined;
    this.#item.text = `$(database) ${toPlainText(title)}`;
    const tooltip = vscode.l10n.t('This SQL uses the datamodel {0} in the project.', title);
    this.#item.tooltip = new vscode.MarkdownString();
    this.#item.tooltip.appendMarkdown(escapeMarkdownText(tooltip));
    this.#item.accessibilityInformation = { label: tooltip };
    this.#item.show();
  }

  #show(
    id: (DatamodelIdentity & { readonly title?: string }) | undefined,
    connectionName: string | undefined,
    isServerDocument: boolean,
    title: string | undefined = id?.title,
  ): void {
    const failure = id === undefined ? undefined : this.#deps.datamodelLoader.getFailure(id);
    const text = title ?? (id === undefined ? vscode.l10n.t('Select Datamodel') : vscode.l10n.t('Datamodel'));
    const icon = failure === undefined ? 'database' : 'warning';
    this.#item.text = `$(${icon}) ${toPlainText(text)}`;
    const lines = [
      id === undefined
        ? vscode.l10n.t('No datamodel is selected for this file, so tables and columns are unknown.')
        : vscode.l10n.t('This SQL uses the datamodel {0} on {1}.', text, connectionName ?? id.connectionId),
      failure === undefined
        ? undefined
        : vscode.l10n.t(
            "Can't load the datamodel, so its tables are unknown: {0}.",
            getShortMessage(failure),
          ),
      isServerDocument ? undefined : vscode.l10n.t('Click to select another datamodel.'),
    ].filter((line) => line !== undefined);
    this.#item.tooltip = new vscode.MarkdownString();
    this.#item.tooltip.appendMarkdown(escapeMarkdownText(lines.join('\n\n')));
    this.#item.accessibilityInformation = {
      label: lines.join(' '),
      ...(isServerDocument ? {} : { role: 'button' }),
    };
    this.#item.show();
  }
}
