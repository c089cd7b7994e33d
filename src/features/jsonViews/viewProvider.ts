import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { stringify } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import { mayBeAffected } from '../../catalog/catalogChanges.ts';
import { createViewAddress, readViewAddress } from '../../catalog/viewAddress.ts';
import type { CatalogChangeEvent, Sessions } from '../../connections/sessions.ts';
import { type ResourceTarget, schemes } from '../../contributions.ts';
import { getShowOptions } from '../../platform/showOptions.ts';

/** Shows resources as read-only JSON. A view of a changed resource is reloaded once it is visible. */
export class JsonViewProvider implements Disposable {
  readonly #sessions: Sessions;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #fireChanged: (uri: vscode.Uri) => void;
  /** The URIs of open views that have to be reloaded once they are visible. */
  readonly #staleUris = new Set<string>();

  /** @param fireChanged makes the editor request the text of a view again */
  constructor(sessions: Sessions, log: Log, fireChanged: (uri: vscode.Uri) => void) {
    this.#sessions = sessions;
    this.#log = log;
    this.#fireChanged = fireChanged;
    this.#store.add(sessions.onDidChangeCatalog((change) => this.#handleCatalogChange(change)));
    this.#store.add(vscode.window.onDidChangeVisibleTextEditors(() => this.#refreshVisible()));
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#staleUris.delete(uri.toString())),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = readViewAddress(uri.query);
    if (address === undefined) {
      return formatError(vscode.l10n.t("This address doesn't refer to a resource."));
    }
    try {
      const { client } = await this.#sessions.get(address.connectionId);
      const { DocumentReader } = await import('../../changes/model/documentReader.ts');
      const value = await new DocumentReader(client).readDocument(address.resource);
      return value === undefined
        ? formatError(vscode.l10n.t('This item no longer exists on the server.'))
        : `${stringify(value, 2)}\n`;
    } catch (error) {
      this.#log.warn('explorer', 'Reading failed', { document: uri.path, reason: String(error) });
      const { getUserMessage } = await import('../../platform/userErrors.ts');
      return formatError(getUserMessage(error));
    }
  }

  /** Shows the view of a resource. One that is already open is reloaded: users expect its current state. */
  async open(target: ResourceTarget): Promise<void> {
    const uri = vscode.Uri.from({ scheme: schemes.view, ...createViewAddress(target) });
    if (vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString())) {
      this.#fireChanged(uri);
    }
    await vscode.window.showTextDocument(uri, getShowOptions(target));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #handleCatalogChange({ connectionId, change }: CatalogChangeEvent): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      const address = uri.scheme === schemes.view ? readViewAddress(uri.query) : undefined;
      if (address?.connectionId === connectionId && mayBeAffected(address.resource, change)) {
        this.#staleUris.add(uri.toString());
      }
    }
    this.#refreshVisible();
  }

  #refreshVisible(): void {
    for (const { document } of vscode.window.visibleTextEditors) {
      if (this.#staleUris.delete(document.uri.toString())) {
        this.#fireChanged(document.uri);
      }
    }
  }
}

/** Formats an error as the content of a view. It is JSON, so that the editor reports no syntax errors. */
const formatError = (message: string): string => `${stringify({ error: message }, 2)}\n`;
