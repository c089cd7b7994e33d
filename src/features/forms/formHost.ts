import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { assertNever } from '../../base/assertNever.ts';
import { PickedDatamodels } from '../../catalog/pickedDatamodels.ts';
import { getJsonTree } from '../../json/text/jsonTrees.ts';
import { getPathRange } from '../../json/text/pathRange.ts';
import { showWarning } from '../../platform/messages.ts';
import { openWebviewChannel, renderPage, type WebviewChannel } from '../../platform/webviews.ts';
import type { FromForm, ToForm } from '../../webviews/protocol/documentForm.ts';
import { FormSync } from '../../webviews/protocol/formSync.ts';
import { applyFormAnswer } from '../../webviews/protocol/applyFormAnswer.ts';
import { getDocumentConnectionId } from './documentConnection.ts';
import type { FormDefinition } from './formDefinition.ts';
import type { FormsDeps } from './deps.ts';
import { createFormDocument, isReadOnly } from './formDocument.ts';
import { FormDatamodel } from './formDatamodel.ts';
import { getKnownNames, loadKnownPeople } from '../../connections/knownNames.ts';

/** Returns the title of the datamodel that the user picked for a workspace file, if it is on the file's connection. */
function getPickedDatamodelTitle(deps: FormsDeps, { uri }: vscode.TextDocument): string {
  const pickedDatamodels = new PickedDatamodels(deps.pickedDatamodelStorage);
  const pickedDatamodel = pickedDatamodels.get(uri.toString());
  pickedDatamodels.dispose();
  return pickedDatamodel?.connectionId === getDocumentConnectionId(deps, uri)
    ? (pickedDatamodel?.title ?? '')
    : '';
}

/** The delay between an edit and the validation of the document. */
const problemDelayMs = 120;

/** Connects the webview of a form with its text document. */
export class FormHost<Edit, Question> implements Disposable {
  readonly #deps: FormsDeps;
  readonly #document: vscode.TextDocument;
  readonly #definition: FormDefinition<Edit, Question>;
  readonly #store = new DisposableStore();
  readonly #channel: WebviewChannel<ToForm>;
  readonly #sync: FormSync<Edit>;
  readonly #datamodel: FormDatamodel;
  readonly #isReadOnly: boolean;
  /** The title of the datamodel that the user picked, for a document that does not name one. */
  #pickedTitle: string;
  #pendingCheck: Disposable | undefined;

  static async open<Edit, Question>(
    deps: FormsDeps,
    document: vscode.TextDocument,
    panel: vscode.WebviewPanel,
    definition: FormDefinition<Edit, Question>,
  ): Promise<FormHost<Edit, Question>> {
    return new FormHost(deps, document, panel, definition, await isReadOnly(document));
  }

  private constructor(
    deps: FormsDeps,
    document: vscode.TextDocument,
    panel: vscode.WebviewPanel,
    definition: FormDefinition<Edit, Question>,
    isDocumentReadOnly: boolean,
  ) {
    this.#deps = deps;
    this.#document = document;
    this.#isReadOnly = isDocumentReadOnly;
    this.#pickedTitle = getPickedDatamodelTitle(deps, document);
    this.#definition = definition;
    this.#datamodel = this.#store.add(
      new FormDatamodel(deps, () => getDocumentConnectionId(deps, document.uri)),
    );
    this.#channel = this.#store.add(
      openWebviewChannel<FromForm<Edit, Question>, ToForm>(
        panel.webview,
        definition.schema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    this.#sync = new FormSync(
      createFormDocument(deps.jsonTrees, document, isDocumentReadOnly),
      definition,
      (message) => this.#channel.post(message),
    );
    this.#store.add(this.#datamodel.onDidChange(() => this.#postModel()));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document: changedDocument }) => {
        if (changedDocument === document) {
          this.#sync.handleTextChange();
          this.#handleDocumentChange();
        }
      }),
    );
    renderPage(panel.webview, {
      extensionUri: deps.extensionUri,
      bundle: definition.bundle,
      title: document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1),
    });
  }

  dispose(): void {
    this.#pendingCheck?.dispose();
    this.#store.dispose();
  }

  async #receive(message: FromForm<Edit, Question>): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#sync.start();
        this.#postModel();
        this.#handleDocumentChange();
        return;
      case 'edit':
        return this.#sync.applyEdit(message);
      case 'showText':
        return this.#showText(message.path ?? []);
      case 'reloadModel':
        return this.#datamodel.reload();
      case 'ask':
        return this.#handleQuestion(message);
      default:
        assertNever(message);
    }
  }

  /** Updates the datamodel immediately, and the problems after a short delay. */
  #handleDocumentChange(): void {
    this.#datamodel.setTitle(this.#definition.getDatamodelTitle(this.#sync.value) || this.#pickedTitle);
    this.#pendingCheck?.dispose();
    this.#pendingCheck = this.#deps.clock.schedule(problemDelayMs, () => this.#postProblems());
  }

  #postProblems(): void {
    const json = getJsonTree(this.#deps.jsonTrees, this.#document);
    const problems = this.#definition.validate(json, this.#sync.value, this.#datamodel.catalog);
    this.#channel.post({ type: 'problems', problems });
  }

  #postModel(): void {
    this.#channel.post({ type: 'model', model: this.#datamodel.model });
    this.#postProblems();
    void this.#postNames();
  }

  /** Posts the names of users and groups by ID: those already known at once, then all that the instance reports. */
  async #postNames(): Promise<void> {
    const connectionId = getDocumentConnectionId(this.#deps, this.#document.uri);
    const postKnownNames = (): void => {
      const { groups, users } = getKnownNames(this.#deps, connectionId);
      const names = Object.fromEntries([...groups, ...users].map(({ id, name }) => [id, name]));
      this.#channel.post({ type: 'names', names });
    };
    postKnownNames();
    if (connectionId !== undefined && this.#deps.sessions.peek(connectionId) !== undefined) {
      await loadKnownPeople(this.#deps, connectionId);
      if (!this.#store.isDisposed) {
        postKnownNames();
      }
    }
  }

  async #showText(path: readonly (string | number)[]): Promise<void> {
    const { start, end } = getPathRange(getJsonTree(this.#deps.jsonTrees, this.#document), path);
    const startPosition = this.#document.positionAt(start);
    // Selecting several lines would highlight too much, so only their start is revealed.
    const endPosition = this.#document.positionAt(end);
    const selection = new vscode.Range(
      startPosition,
      startPosition.line === endPosition.line ? endPosition : startPosition,
    );
    await vscode.window.showTextDocument(this.#document, { viewColumn: vscode.ViewColumn.Beside, selection });
  }

  async #handleQuestion({
    question,
    epoch,
  }: {
    readonly question: Question;
    readonly epoch: number;
  }): Promise<void> {
    const valueWhenAsked = await this.#sync.getValueAt(epoch);
    if (valueWhenAsked === undefined) {
      return this.#warnOutdated();
    }
    const definition = this.#definition;
    const edit = await definition.prompt(question, {
      deps: this.#deps,
      connectionId: getDocumentConnectionId(this.#deps, this.#document.uri),
      value: valueWhenAsked,
      model: this.#datamodel.model,
      useDatamodel: (title) => {
        this.#pickedTitle = title || this.#pickedTitle;
        this.#handleDocumentChange();
      },
    });
    if (edit === undefined) {
      return;
    }
    const document = createFormDocument(this.#deps.jsonTrees, this.#document, this.#isReadOnly);
    switch (await applyFormAnswer(document, definition, edit, valueWhenAsked)) {
      case 'written':
        return;
      case 'outdated':
        return this.#warnOutdated();
      case 'refused':
        await showWarning(
          vscode.l10n.t('Nothing was written: the document is no valid JSON now, or takes no changes.'),
        );
    }
  }

  async #warnOutdated(): Promise<void> {
    await showWarning(
      vscode.l10n.t(
        'Nothing was written: what you chose this for was changed or removed in the document meanwhile. Look at what is there now, and choose again.',
      ),
    );
  }
}
