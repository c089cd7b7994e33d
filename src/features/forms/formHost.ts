import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { assertNever } from '../../base/assertNever.ts';
import { PickedDatamodels } from '../../catalog/pickedDatamodels.ts';
import { treeOf } from '../../json/text/jsonTrees.ts';
import { rangeOf } from '../../json/text/rangeOf.ts';
import { showWarning } from '../../platform/messages.ts';
import { openChannel, showPage, type WebviewChannel } from '../../platform/webviews.ts';
import type { FromForm, ToForm } from '../../webviews/protocol/documentForm.ts';
import { FormSync } from '../../webviews/protocol/formSync.ts';
import { writeAnswer } from '../../webviews/protocol/writeAnswer.ts';
import { connectionOf } from './connectionOf.ts';
import type { FormDefinition } from './definition.ts';
import type { FormsDeps } from './deps.ts';
import { formDocument, isReadOnly } from './formDocument.ts';
import { FormDatamodel } from './formModel.ts';
import { knownNames, learnPeople } from '../../connections/knownNames.ts';

/** The title of the datamodel that was picked for a file of the workspace, on the connection that it goes by. */
function pickedFor(deps: FormsDeps, { uri }: vscode.TextDocument): string {
  const picks = new PickedDatamodels(deps.pickMemory);
  const pick = picks.of(uri.toString());
  picks.dispose();
  return pick?.connectionId === connectionOf(deps, uri) ? (pick?.title ?? '') : '';
}

/** Problems are told so long after the last keystroke. */
const problemDelayMs = 120;

/** One form on the screen: its page on one side, the text document on the other. */
export class FormHost<Edit, Question> implements Disposable {
  readonly #deps: FormsDeps;
  readonly #document: vscode.TextDocument;
  readonly #definition: FormDefinition<Edit, Question>;
  readonly #store = new DisposableStore();
  readonly #channel: WebviewChannel<ToForm>;
  readonly #sync: FormSync<Edit>;
  readonly #datamodel: FormDatamodel;
  readonly #isReadOnly: boolean;
  /** A datamodel that was chosen for a document that names none. */
  #picked: string;
  #checking: Disposable | undefined;

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
    readOnly: boolean,
  ) {
    this.#deps = deps;
    this.#document = document;
    this.#isReadOnly = readOnly;
    this.#picked = pickedFor(deps, document);
    this.#definition = definition;
    this.#datamodel = this.#store.add(new FormDatamodel(deps, () => connectionOf(deps, document.uri)));
    this.#channel = this.#store.add(
      openChannel<FromForm<Edit, Question>, ToForm>(
        panel.webview,
        definition.schema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    this.#sync = new FormSync(formDocument(deps.jsonTrees, document, readOnly), definition, (message) =>
      this.#channel.post(message),
    );
    this.#store.add(this.#datamodel.onDidChange(() => this.#postModel()));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
        if (changed === document) {
          this.#sync.textChanged();
          this.#follow();
        }
      }),
    );
    showPage(panel.webview, {
      extensionUri: deps.extensionUri,
      bundle: definition.bundle,
      title: document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1),
    });
  }

  dispose(): void {
    this.#checking?.dispose();
    this.#store.dispose();
  }

  async #receive(message: FromForm<Edit, Question>): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#sync.start();
        this.#postModel();
        this.#follow();
        return;
      case 'edit':
        return this.#sync.receive(message);
      case 'showText':
        return this.#showText(message.path ?? []);
      case 'reloadModel':
        return this.#datamodel.reload();
      case 'ask':
        return this.#ask(message);
      default:
        assertNever(message);
    }
  }

  /** Looks at what depends on the document: its datamodel now, its problems a little later. */
  #follow(): void {
    this.#datamodel.show(this.#definition.datamodelOf(this.#sync.value) || this.#picked);
    this.#checking?.dispose();
    this.#checking = this.#deps.clock.schedule(problemDelayMs, () => this.#check());
  }

  #check(): void {
    const json = treeOf(this.#deps.jsonTrees, this.#document);
    const problems = this.#definition.problems(json, this.#sync.value, this.#datamodel.catalog);
    this.#channel.post({ type: 'problems', problems });
  }

  #postModel(): void {
    this.#channel.post({ type: 'model', model: this.#datamodel.model });
    this.#check();
    void this.#postNames();
  }

  /** What identifiers are called: at once as far as that is known, then as the instance reports it. */
  async #postNames(): Promise<void> {
    const connectionId = connectionOf(this.#deps, this.#document.uri);
    const post = (): void => {
      const { groups, users } = knownNames(this.#deps, connectionId);
      const names = Object.fromEntries([...groups, ...users].map(({ id, name }) => [id, name]));
      this.#channel.post({ type: 'names', names });
    };
    post();
    if (connectionId !== undefined && this.#deps.sessions.peek(connectionId) !== undefined) {
      await learnPeople(this.#deps, connectionId);
      if (!this.#store.isDisposed) {
        post();
      }
    }
  }

  async #showText(path: readonly (string | number)[]): Promise<void> {
    const { start, end } = rangeOf(treeOf(this.#deps.jsonTrees, this.#document), path);
    const from = this.#document.positionAt(start);
    // A whole object selected would be a wall of colour: its beginning is what is looked for.
    const to = this.#document.positionAt(end);
    const selection = new vscode.Range(from, from.line === to.line ? to : from);
    await vscode.window.showTextDocument(this.#document, { viewColumn: vscode.ViewColumn.Beside, selection });
  }

  async #ask({ question, epoch }: { readonly question: Question; readonly epoch: number }): Promise<void> {
    const seen = await this.#sync.seenAt(epoch);
    if (seen === undefined) {
      return this.#tellOutdated();
    }
    const definition = this.#definition;
    const edit = await definition.ask(question, {
      deps: this.#deps,
      connectionId: connectionOf(this.#deps, this.#document.uri),
      value: seen,
      model: this.#datamodel.model,
      useDatamodel: (title) => {
        this.#picked = title || this.#picked;
        this.#follow();
      },
    });
    if (edit === undefined) {
      return;
    }
    const document = formDocument(this.#deps.jsonTrees, this.#document, this.#isReadOnly);
    switch (await writeAnswer(document, definition, edit, seen)) {
      case 'written':
        return;
      case 'outdated':
        return this.#tellOutdated();
      case 'refused':
        await showWarning(
          vscode.l10n.t('Nothing was written: the document is no valid JSON now, or takes no changes.'),
        );
    }
  }

  async #tellOutdated(): Promise<void> {
    await showWarning(
      vscode.l10n.t(
        'Nothing was written: what you chose this for was changed or removed in the document meanwhile. Look at what is there now, and choose again.',
      ),
    );
  }
}
