import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { mayBeAffected } from '../../catalog/catalogChanges.ts';
import { type RuleSubject, getRuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import type { CatalogChangeEvent } from '../../connections/sessions.ts';
import type { DiagramModel } from '../../webviews/diagramLayout/diagramModel.ts';
import { runCommand } from '../../platform/commands.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { PanelTitle } from '../../platform/connectionSuffix.ts';
import { openWebviewChannel, renderPage, type WebviewChannel } from '../../platform/webviews.ts';
import {
  type DiagramDatamodel,
  type FromDiagram,
  fromDiagramSchema,
  type RelationEnd,
  type ToDiagram,
} from '../../webviews/protocol/diagram.ts';
import { CachedLayout } from './cachedLayout.ts';
import type { DiagramFeatureDeps } from './deps.ts';
import { loadDiagramData } from './diagramData.ts';
import { saveImage } from './saveImage.ts';
import { showError, showInformation } from '../../platform/messages.ts';

const t = vscode.l10n.t;

/** A tab with a diagram; disposed with the tab. */
export class DiagramPanel {
  readonly #deps: DiagramFeatureDeps;
  readonly #target: DiagramDatamodel;
  readonly #createRelation: (ends: readonly RelationEnd[]) => Promise<void>;
  readonly #panel: vscode.WebviewPanel;
  readonly #panelTitle: PanelTitle;
  readonly #store = new DisposableStore();
  readonly #channel: WebviewChannel<ToDiagram>;
  readonly #layout: CachedLayout;
  #model: DiagramModel = { tables: [], relations: [], undrawnRelationCount: 0 };
  #subject: RuleSubject | undefined;
  #loadAbort = new AbortController();
  /** The table to reveal once the diagram is loaded. */
  #pendingTable: string | undefined;
  #hasData = false;
  #isLoading = false;

  /**
   * @param panel a new tab, or one that VS Code has restored
   * @param callbacks.onCreateRelation creates a relation between two columns
   */
  constructor(
    deps: DiagramFeatureDeps,
    target: DiagramDatamodel,
    panel: vscode.WebviewPanel,
    callbacks: {
      readonly onClosed: () => void;
      readonly onCreateRelation: (ends: readonly RelationEnd[]) => Promise<void>;
    },
  ) {
    this.#deps = deps;
    this.#target = target;
    this.#createRelation = callbacks.onCreateRelation;
    this.#panel = panel;
    this.#layout = new CachedLayout(deps.extensionUri);
    const title = t('Diagram: {0}', target.title);
    this.#panelTitle = this.#store.add(new PanelTitle(panel, deps.connections, target.connectionId));
    this.#panelTitle.set(title);
    this.#store.add(deps.activePanels.track(panel, target.connectionId));
    this.#panel.iconPath = new vscode.ThemeIcon('type-hierarchy');
    this.#panel.onDidDispose(() => {
      this.#loadAbort.abort();
      this.#store.dispose();
      callbacks.onClosed();
    });
    this.#channel = this.#store.add(
      openWebviewChannel<FromDiagram, ToDiagram>(
        this.#panel.webview,
        fromDiagramSchema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    renderPage(this.#panel.webview, { extensionUri: deps.extensionUri, bundle: 'diagram', title });
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  /** Brings the diagram to the front and reveals a table. */
  show(tableId?: string): void {
    this.#panel.reveal();
    this.#pendingTable = tableId;
    this.#showPendingTable();
  }

  /** Asks the page to create a relation from the selected table. */
  requestRelation(): void {
    this.#post({ type: 'relate' });
  }

  close(): void {
    this.#panel.dispose();
  }

  /** Reloads the diagram if the catalog change affects it. */
  handleCatalogChange({ connectionId, change }: CatalogChangeEvent): void {
    const { datamodelId } = this.#target;
    const affectsDiagram =
      mayBeAffected({ kind: 'datamodel', datamodelId }, change) ||
      (change.kind === 'rules' &&
        (this.#subject === undefined || isSameSubject(change.subject, this.#subject)));
    if (connectionId === this.#target.connectionId && affectsDiagram && (this.#hasData || this.#isLoading)) {
      void this.#load();
    }
  }

  /** Discards the data of an ended session, which must no longer be shown, and reloads the diagram if it is visible. */
  handleSessionEnd(connectionId: string): void {
    if (connectionId !== this.#target.connectionId) {
      return;
    }
    this.#loadAbort.abort();
    this.#isLoading = false;
    this.#hasData = false;
    if (this.#deps.connections.find(connectionId) === undefined) {
      this.#fail(t('The connection was removed.'));
    } else if (this.#panel.visible) {
      this.#post({ type: 'reading' });
      void this.#load();
    }
  }

  async #receive(message: FromDiagram): Promise<void> {
    switch (message.type) {
      case 'ready':
      case 'reload':
        await this.#load();
        break;
      case 'open':
        await this.#runTableCommand(message.table, 'datamodelStudio.documents.open');
        break;
      case 'reveal':
        await this.#runTableCommand(message.table, 'datamodelStudio.explorer.reveal');
        break;
      case 'openRelation':
        await this.#openRelation(message.relation);
        break;
      case 'access':
        if (this.#subject !== undefined) {
          const { connectionId } = this.#target;
          await runCommand('datamodelStudio.access.open', { connectionId, subject: this.#subject });
        }
        break;
      case 'relate':
        await this.#createRelation(message.ends);
        break;
      case 'noTableSelected':
        await showInformation(t('Select a table in the diagram first.'));
        break;
      case 'export':
        await saveImage(message, this.#target.title, this.#deps.log);
        break;
      case 'exportFailed':
        await showError(t('The diagram is too large to save as PNG. Save it as SVG instead.'));
        break;
    }
  }

  /** Loads the diagram and posts it. Loads may overlap: only the result of the latest one is posted. */
  async #load(): Promise<void> {
    this.#loadAbort.abort();
    this.#loadAbort = new AbortController();
    const { signal } = this.#loadAbort;
    const { connectionId, datamodelId } = this.#target;
    this.#isLoading = true;
    try {
      const session = await this.#deps.sessions.get(connectionId);
      const { datamodel, model, note } = await loadDiagramData(session, datamodelId, this.#deps.log);
      if (signal.aborted) {
        return;
      }
      const layout = await this.#layout.compute(model, signal, () =>
        this.#post({ type: 'arranging', tableCount: model.tables.length }),
      );
      if (signal.aborted) {
        return;
      }
      this.#model = model;
      this.#subject = getRuleSubject(datamodel);
      this.#hasData = true;
      const target = { ...this.#target, title: datamodel.title };
      this.#panelTitle.set(t('Diagram: {0}', datamodel.title));
      const subject = this.#subject;
      this.#post({
        type: 'data',
        datamodel: target,
        model,
        layout,
        subject,
        ...(note === undefined ? {} : { note }),
      });
      this.#showPendingTable();
    } catch (error) {
      if (!signal.aborted) {
        this.#fail(getUserMessage(error));
      }
    } finally {
      if (!signal.aborted) {
        this.#isLoading = false;
      }
    }
  }

  #fail(message: string): void {
    this.#hasData = false;
    this.#post({ type: 'failed', message });
  }

  #showPendingTable(): void {
    if (this.#hasData && this.#pendingTable !== undefined) {
      this.#post({ type: 'show', table: this.#pendingTable });
      this.#pendingTable = undefined;
    }
  }

  async #runTableCommand(
    tableId: string,
    command: 'datamodelStudio.documents.open' | 'datamodelStudio.explorer.reveal',
  ): Promise<void> {
    const table = this.#model.tables.find(({ id }) => id === tableId);
    if (table !== undefined) {
      const { connectionId, datamodelId, title } = this.#target;
      await runCommand(command, {
        connectionId,
        resource: { kind: 'table', datamodelId, datasetId: table.datasetId, tableId },
        name: table.name,
        within: [title, table.dataset],
      });
    }
  }

  async #openRelation(relationId: string): Promise<void> {
    const relation = this.#model.relations.find(({ id }) => id === relationId);
    if (relation !== undefined) {
      const names = relation.ends.map(
        (end) => this.#model.tables.find(({ id }) => id === end.table)?.name ?? '',
      );
      const { connectionId, datamodelId, title } = this.#target;
      await runCommand('datamodelStudio.documents.open', {
        connectionId,
        resource: { kind: 'relation', datamodelId, relationId },
        name: names.join(' – '),
        within: [title],
      });
    }
  }

  /** Posts a message unless the tab has been closed. */
  #post(message: ToDiagram): void {
    if (!this.#store.isDisposed) {
      this.#channel.post(message);
    }
  }
}
