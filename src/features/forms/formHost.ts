import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type JsonPath, type JsonValue, getMember } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { assertNever } from '../../base/assertNever.ts';
import { PickedDatamodels } from '../../catalog/pickedDatamodels.ts';
import { getJsonTree } from '../../json/text/jsonTrees.ts';
import { getPathRange } from '../../json/text/pathRange.ts';
import { reportFailure } from '../../platform/commands.ts';
import { showWarning } from '../../platform/messages.ts';
import { openWebviewChannel, renderPage, type WebviewChannel } from '../../platform/webviews.ts';
import type { FormDatamodelState, FromForm, ToForm } from '../../webviews/protocol/documentForm.ts';
import { FormSync } from '../../webviews/protocol/formSync.ts';
import { applyFormAnswer } from '../../webviews/protocol/applyFormAnswer.ts';
import { getDocumentConnectionId } from './documentConnection.ts';
import type { FormDefinition } from './formDefinition.ts';
import type { FormsDeps } from './deps.ts';
import { FileDeletionTracker } from './fileDeletion.ts';
import { createFormDocument, isReadOnly } from './formDocument.ts';
import { FormDatamodel } from './formDatamodel.ts';
import { FormNameSource } from './formNameSource.ts';
import { getKnownNames, cacheUsersAndGroups } from '../../connections/knownNames.ts';
import { getRuleSubject } from '../../catalog/ruleSubject.ts';
import { KnownValuesReader } from '../../connections/knownValuesReader.ts';
import type { KnownValues } from '../../security/values/knownValues.ts';

/**
 * Returns the title of the datamodel that the user picked for a workspace file; empty if the user picked none, or one
 * of another connection.
 */
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

/** The maximum number of values per column that are posted to the page. */
const maxPostedValues = 1000;

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
  readonly #source: FormNameSource;
  readonly #fileDeletion: FileDeletionTracker;
  readonly #knownValuesReader = new KnownValuesReader();
  /** The datamodel that was posted to the page last. */
  #postedModel: FormDatamodelState | undefined;
  /** The values that were posted for each column, and the known values that they were taken from. */
  #postedValues:
    | { readonly knownValues: KnownValues; readonly columns: Map<string, readonly string[]> }
    | undefined;
  /** The title of the datamodel that the user picked, for a document that does not name one. */
  #pickedTitle: string;
  #pendingCheck: Disposable | undefined;

  static async open<Edit, Question>(
    deps: FormsDeps,
    document: vscode.TextDocument,
    panel: vscode.WebviewPanel,
    definition: FormDefinition<Edit, Question>,
  ): Promise<FormHost<Edit, Question>> {
    const [isDocumentReadOnly, source] = await Promise.all([
      isReadOnly(document),
      FormNameSource.create(deps, document),
    ]);
    return new FormHost(deps, document, panel, definition, { isReadOnly: isDocumentReadOnly, source });
  }

  private constructor(
    deps: FormsDeps,
    document: vscode.TextDocument,
    panel: vscode.WebviewPanel,
    definition: FormDefinition<Edit, Question>,
    {
      isReadOnly: isDocumentReadOnly,
      source,
    }: { readonly isReadOnly: boolean; readonly source: FormNameSource },
  ) {
    this.#deps = deps;
    this.#document = document;
    this.#isReadOnly = isDocumentReadOnly;
    this.#source = source;
    this.#pickedTitle = getPickedDatamodelTitle(deps, document);
    this.#definition = definition;
    this.#datamodel = this.#store.add(new FormDatamodel(deps, source));
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
    this.#fileDeletion = this.#store.add(
      new FileDeletionTracker(
        document,
        { panel, onDidChangeProject: (listener) => source.onDidChange(listener) },
        (isDeleted) => this.#channel.post({ type: 'file', isDeleted }),
      ),
    );
    this.#store.add(
      this.#datamodel.onDidChange(() => {
        // The document may be in the folder of a datamodel again, for example after a branch was checked out.
        this.#datamodel.setTitle(this.#getDatamodelTitle());
        this.#postModel();
      }),
    );
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
        this.#postedModel = undefined;
        this.#sync.start();
        this.#channel.post({ type: 'file', isDeleted: this.#fileDeletion.isDeleted });
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
        return this.#handleQuestion(message).catch((error: unknown) => reportFailure(error, this.#deps.log));
      default:
        assertNever(message);
    }
  }

  /** Updates the datamodel immediately, and the problems after a short delay. */
  #handleDocumentChange(): void {
    this.#datamodel.setTitle(this.#getDatamodelTitle());
    this.#pendingCheck?.dispose();
    this.#pendingCheck = this.#deps.clock.schedule(problemDelayMs, () => this.#postProblems());
  }

  #getDatamodelTitle(): string {
    return (
      this.#definition.getDatamodelTitle(this.#sync.value) ||
      this.#source.folderDatamodelTitle ||
      this.#pickedTitle
    );
  }

  #postProblems(): void {
    const json = getJsonTree(this.#deps.jsonTrees, this.#document);
    const { value } = this.#sync;
    const { connectionId, isInProject } = this.#source;
    const session = connectionId === undefined ? undefined : this.#deps.sessions.peek(connectionId);
    // In a project, the known values are those in its rules, which the source provides.
    const knownValues = this.#knownValuesReader.read(isInProject ? undefined : session?.catalog);
    const problems = this.#definition
      .validate(json, value, this.#datamodel.catalog, knownValues)
      // Files of a project have names instead of IDs, and refer to a user or group without a unique name by a number
      // (`bound`).
      .filter(
        ({ code, path }) =>
          !isInProject ||
          (code !== 'party-not-id' && getMember(getValueAt(value, path), 'bound') === undefined),
      );
    this.#channel.post({ type: 'problems', problems });
    this.#postValues(value, knownValues);
  }

  /** Posts the known values of the document's columns, unless the page already has them. */
  #postValues(value: JsonValue, knownValues: KnownValues): void {
    if (this.#postedValues?.knownValues !== knownValues) {
      this.#postedValues = { knownValues, columns: new Map() };
    }
    const { isInProject } = this.#source;
    const { columns: postedColumns } = this.#postedValues;
    const columns = (this.#definition.getValueColumns?.(value) ?? []).flatMap(({ table, column }) => {
      const key = JSON.stringify([table, column]);
      const previousValues = postedColumns.get(key);
      // Only the values of a project can change while `knownValues` is the same object.
      if (previousValues !== undefined && !isInProject) {
        return [];
      }
      const all = isInProject
        ? this.#source.getValues({ table, column })
        : knownValues.getValues({ table, column });
      const values = all.slice(0, maxPostedValues);
      postedColumns.set(key, values);
      return previousValues !== undefined && isSameList(previousValues, values)
        ? []
        : [{ table, column, values }];
    });
    if (columns.length > 0) {
      this.#channel.post({ type: 'values', columns });
    }
  }

  /** Loads the rules of the datamodel, unless they are cached: the page offers the values that they contain. */
  async #loadValues(): Promise<void> {
    const { connectionId, isInProject } = this.#source;
    const catalog = connectionId === undefined ? undefined : this.#deps.sessions.peek(connectionId)?.catalog;
    const { model } = this.#datamodel;
    const datamodel = catalog?.knownResources.datamodels.find(({ title }) => title === model.title);
    if (
      isInProject ||
      catalog === undefined ||
      datamodel === undefined ||
      model.state !== 'ready' ||
      this.#definition.getValueColumns === undefined
    ) {
      return;
    }
    try {
      await catalog.partial.rules(getRuleSubject(datamodel));
    } catch (error) {
      this.#deps.log.debug('webviews', 'The known values could not be read', { reason: String(error) });
      return;
    }
    if (!this.#store.isDisposed) {
      this.#postProblems();
    }
  }

  /**
   * Posts the datamodel, unless the page already has it. Also posts the problems, names, and values that depend on it:
   * they may change with every edit in a project, even if the datamodel is the same object.
   */
  #postModel(): void {
    const { model } = this.#datamodel;
    if (model !== this.#postedModel) {
      this.#postedModel = model;
      this.#channel.post({ type: 'model', model });
    }
    this.#postProblems();
    void this.#postNames();
    void this.#loadValues();
  }

  /** Posts the names of users and groups by ID: first the cached ones, then all that the instance reports. */
  async #postNames(): Promise<void> {
    const { connectionId, isInProject } = this.#source;
    if (isInProject) {
      return;
    }
    const postKnownNames = (): void => {
      const { groups, users } = getKnownNames(this.#deps, connectionId);
      const names = Object.fromEntries([...groups, ...users].map(({ id, name }) => [id, name]));
      this.#channel.post({ type: 'names', names });
    };
    postKnownNames();
    if (connectionId !== undefined && this.#deps.sessions.peek(connectionId) !== undefined) {
      await cacheUsersAndGroups(this.#deps, connectionId);
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
      source: this.#source,
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
          vscode.l10n.t("Nothing was changed. The document isn't valid JSON or can't be edited."),
        );
    }
  }

  async #warnOutdated(): Promise<void> {
    await showWarning(
      vscode.l10n.t(
        'Nothing was changed. The item you were editing was changed or removed in the meantime. Review the document and try again.',
      ),
    );
  }
}

const getValueAt = (value: JsonValue, path: JsonPath): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>(
    (parent, step) =>
      typeof step === 'string' ? getMember(parent, step) : isJsonArray(parent) ? parent[step] : undefined,
    value,
  );

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);
