import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { showError, showInformation } from '../../platform/messages.ts';
import type { FileCatalog } from '../../platform/projects/fileCatalog.ts';
import type { FileDatamodel } from '../../platform/projects/fileDatamodel.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import type { FileLocation } from '../../project/language/languageCalls.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { openWebviewChannel, renderPage, type WebviewChannel } from '../../platform/webviews.ts';
import { createDiagramModel } from '../../webviews/diagramLayout/createDiagramModel.ts';
import {
  type DiagramFileDatamodel,
  type FromDiagram,
  fromDiagramSchema,
  type ToDiagram,
} from '../../webviews/protocol/diagram.ts';
import { CachedLayout } from './cachedLayout.ts';
import type { DiagramFeatureDeps } from './deps.ts';
import { saveImage } from './saveImage.ts';

const t = vscode.l10n.t;

/**
 * A tab with the diagram of a datamodel in the files of a project. It is updated with every change of the files, saved
 * or not.
 */
export class FileDiagramPanel {
  readonly #deps: DiagramFeatureDeps;
  readonly #target: DiagramFileDatamodel;
  readonly #catalogs: FileCatalogs;
  readonly #panel: vscode.WebviewPanel;
  readonly #store = new DisposableStore();
  readonly #channel: WebviewChannel<ToDiagram>;
  readonly #layout: CachedLayout;
  #loadAbort = new AbortController();
  #datamodel: FileDatamodel | undefined;
  /** The diagram in the page; `undefined` if the page shows something else. */
  #shownDiagram:
    | { readonly datamodel: FileDatamodel; readonly securedColumns: readonly ColumnName[] }
    | undefined;

  /** @param panel a new tab, or one that VS Code has restored */
  constructor(
    deps: DiagramFeatureDeps,
    target: DiagramFileDatamodel,
    catalogs: FileCatalogs,
    panel: vscode.WebviewPanel,
    onClosed: () => void,
  ) {
    this.#deps = deps;
    this.#target = target;
    this.#catalogs = catalogs;
    this.#panel = panel;
    this.#layout = new CachedLayout(deps.extensionUri);
    const title = t('Diagram: {0} (files)', toPlainText(target.title));
    panel.title = title;
    panel.iconPath = new vscode.ThemeIcon('type-hierarchy');
    panel.onDidDispose(() => {
      this.#loadAbort.abort();
      this.#store.dispose();
      onClosed();
    });
    this.#store.add(
      catalogs.onDidChange((changed) => {
        if (changed === undefined || String(changed.folder) === target.folder) {
          void this.#load();
        }
      }),
    );
    this.#channel = this.#store.add(
      openWebviewChannel<FromDiagram, ToDiagram>(
        panel.webview,
        fromDiagramSchema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    renderPage(panel.webview, { extensionUri: deps.extensionUri, bundle: 'diagram', title });
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  show(): void {
    this.#panel.reveal();
  }

  /** Called when the user asks to create a relation. Explains that this diagram is read-only. */
  async requestRelation(): Promise<void> {
    await showInformation(
      t('This diagram comes from files and is read-only. To add the relation, create a file for it.'),
    );
  }

  close(): void {
    this.#panel.dispose();
  }

  async #receive(message: FromDiagram): Promise<void> {
    switch (message.type) {
      case 'ready':
      case 'reload':
        await (await this.#findProject())?.readUnreportedChanges();
        this.#shownDiagram = undefined;
        await this.#load();
        break;
      case 'open':
        await this.#showFile((catalog) =>
          catalog.query('findDefinition', { datamodel: this.#target.title, table: message.table }),
        );
        break;
      case 'openRelation':
        await this.#openRelation(message.relation);
        break;
      case 'relate':
        await this.requestRelation();
        break;
      case 'export':
        await saveImage(message, this.#target.title, this.#deps.log);
        break;
      case 'exportFailed':
        await showError(t('The diagram is too large to save as PNG. Save it as SVG instead.'));
        break;
      case 'reveal':
      case 'access':
      case 'noTableSelected':
        // The page doesn't send these messages for the diagram of files.
        break;
    }
  }

  /**
   * Loads the diagram and posts it, unless the page already shows it. Loads may overlap: only the result of the latest
   * one is posted.
   */
  async #load(): Promise<void> {
    this.#loadAbort.abort();
    this.#loadAbort = new AbortController();
    const { signal } = this.#loadAbort;
    const { title } = this.#target;
    try {
      const catalog = await this.#findProject();
      if (catalog === undefined) {
        this.#fail(t('The project is no longer in the workspace.'), signal);
        return;
      }
      const datamodel = await catalog.getDatamodel(title);
      if (datamodel === undefined) {
        this.#fail(t('The project has no datamodel "{0}".', title), signal);
        return;
      }
      const securedColumns = await catalog.query('getSecuredColumns', title);
      if (
        this.#shownDiagram?.datamodel === datamodel &&
        isSameList(this.#shownDiagram.securedColumns, securedColumns)
      ) {
        return;
      }
      const model = createDiagramModel(datamodel.datamodel, securedColumns, { isReadOnly: true });
      const layout = await this.#layout.compute(model, signal, () =>
        this.#post({ type: 'arranging', tableCount: model.tables.length }, signal),
      );
      this.#datamodel = datamodel;
      this.#post(
        {
          type: 'data',
          datamodel: this.#target,
          model,
          layout,
          ...(datamodel.hasAllTables
            ? {}
            : { note: t("Tables are missing because their files can't be read.") }),
        },
        signal,
      );
      if (!signal.aborted) {
        this.#shownDiagram = { datamodel, securedColumns };
      }
    } catch (error) {
      this.#fail(getUserMessage(error), signal);
    }
  }

  #fail(message: string, signal: AbortSignal): void {
    this.#post({ type: 'failed', message }, signal);
  }

  async #openRelation(relationId: string): Promise<void> {
    const relation = this.#datamodel?.datamodel.relations?.find(({ oid }) => oid === relationId);
    const columns = (relation?.columns ?? []).map(({ column }) => column);
    await this.#showFile((catalog) =>
      catalog.query('findRelation', { datamodel: this.#target.title, columns }),
    );
  }

  /** Finds the project again, since it may have been removed and added, for example by checking out another branch. */
  #findProject(): Promise<FileCatalog | undefined> {
    return this.#catalogs.findProject(vscode.Uri.parse(this.#target.folder));
  }

  async #showFile(find: (catalog: FileCatalog) => Promise<FileLocation | undefined>): Promise<void> {
    const catalog = await this.#findProject();
    const location = catalog && (await find(catalog));
    if (catalog !== undefined && location !== undefined) {
      const { uri, range } = catalog.toLocation(location);
      await vscode.window.showTextDocument(uri, { selection: new vscode.Range(range.start, range.start) });
    }
  }

  /** Posts a message, which replaces what the page shows, unless the tab was closed or a later load has begun. */
  #post(message: ToDiagram, signal: AbortSignal): void {
    if (!this.#store.isDisposed && !signal.aborted) {
      this.#shownDiagram = undefined;
      this.#channel.post(message);
    }
  }
}

const isSameList = (a: readonly ColumnName[], b: readonly ColumnName[]): boolean =>
  a.length === b.length &&
  a.every(({ table, column }, index) => table === b[index]?.table && column === b[index].column);
