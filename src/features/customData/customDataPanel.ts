import * as vscode from 'vscode';
import * as z from 'zod';
import {
  createCustomDataDeletionOperation,
  createCustomDataUpdateOperation,
} from '../../changes/model/customDataWrites.ts';
import { type CustomDataPreview, previewCustomDataChange } from '../../changes/operations/previewMatching.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { type JsonObject, parseLossless, stringify } from '../../base/json.ts';
import { PartialResponseError } from '../../client/errors.ts';
import { retryOnSessionReplaced } from '../../client/abort.ts';
import type { Connection } from '../../connections/connection.ts';
import type { CatalogChangeEvent } from '../../connections/sessions.ts';
import { type ConnectionTarget, webviews } from '../../contributions.ts';
import { parseJsonObject } from '../../catalog/customData/parseJsonObject.ts';
import { runCommandForResult, runCommand } from '../../platform/commands.ts';
import { confirmProductionChange } from '../../platform/confirmProductionChange.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { resolveTargetConnection } from '../../platform/pickConnection.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { openWebviewChannel, renderPage, type WebviewChannel } from '../../platform/webviews.ts';
import {
  type FromCustomData,
  fromCustomDataSchema,
  type ToCustomData,
} from '../../webviews/protocol/customData.ts';
import { PlanNeededError } from '../../changes/run/writeErrors.ts';
import type { CustomDataDeps } from './deps.ts';

const t = vscode.l10n.t;
/** How many of the matching objects a confirmation shows. */
const maxSampleObjects = 5;

/** Opens the custom data of a connection, which the user picks if none was passed, as a table. */
export async function openCustomData(
  deps: CustomDataDeps,
  target: ConnectionTarget | undefined,
): Promise<void> {
  const connection = await resolveTargetConnection(deps, target, {
    placeholder: t('Select a connection'),
  });
  if (connection !== undefined) {
    CustomDataPanel.open(deps, connection, createTab());
  }
}

/** Restores a tab after a reload, with its filter; closes it if the connection no longer exists. */
export function restoreCustomData(deps: CustomDataDeps, panel: vscode.WebviewPanel, state: unknown): void {
  const { connectionId, filter } = persistedStateSchema.safeParse(state).data ?? {};
  const connection = connectionId === undefined ? undefined : deps.connections.find(connectionId);
  if (connection === undefined) {
    panel.dispose();
  } else {
    CustomDataPanel.open(deps, connection, panel, filter);
  }
}

const persistedStateSchema = z.object({ connectionId: z.string(), filter: z.string() });

const createTab = (): vscode.WebviewPanel =>
  vscode.window.createWebviewPanel(webviews.customData, '', vscode.ViewColumn.Active, {
    retainContextWhenHidden: true,
  });

type AskMessage = Extract<FromCustomData, { type: 'ask' }>;

/** A confirmation that the page shows, with the objects that matched when it was shown. */
interface PendingQuestion {
  readonly message: AskMessage;
  readonly matches: CustomDataPreview;
}

/** A tab with custom data; disposed with the tab. */
class CustomDataPanel {
  readonly #deps: CustomDataDeps;
  readonly #connection: Connection;
  readonly #store = new DisposableStore();
  readonly #channel: WebviewChannel<ToCustomData>;
  #filter: string;
  /** The found objects as JSON. */
  #objectsText = '[]';
  /** The number of searches so far, which identifies the latest. */
  #searchCount = 0;
  #question: PendingQuestion | undefined;
  /** Whether objects have changed while a question was open. */
  #isOutdated = false;
  #lastChange: { readonly entryId: string; readonly count: number } | undefined;

  /**
   * @param panel a new tab, or one that VS Code has restored
   * @param filter the initial filter; if it is not a JSON object, all objects are shown
   */
  static open(
    deps: CustomDataDeps,
    connection: Connection,
    panel: vscode.WebviewPanel,
    filter = '{}',
  ): CustomDataPanel {
    return new CustomDataPanel(deps, connection, panel, filter);
  }

  private constructor(
    deps: CustomDataDeps,
    connection: Connection,
    panel: vscode.WebviewPanel,
    filter: string,
  ) {
    this.#deps = deps;
    this.#connection = connection;
    this.#filter = 'problem' in parseJsonObject(filter) ? '{}' : filter;
    const title = t('Custom Data: {0}', connection.name);
    panel.title = title;
    this.#store.add(deps.activePanels.track(panel, connection.id));
    panel.iconPath = new vscode.ThemeIcon('json');
    panel.onDidDispose(() => this.#store.dispose());
    this.#channel = this.#store.add(
      openWebviewChannel<FromCustomData, ToCustomData>(
        panel.webview,
        fromCustomDataSchema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    this.#store.add(deps.sessions.onDidChangeCatalog((change) => void this.#handleCatalogChange(change)));
    this.#store.add(deps.sessions.onDidEnd((connectionId) => void this.#handleSessionEnd(connectionId)));
    renderPage(panel.webview, { extensionUri: deps.extensionUri, bundle: 'customData', title });
  }

  async #receive(message: FromCustomData): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#post({
          type: 'title',
          connection: this.#connection.name,
          connectionId: this.#connection.id,
        });
        await this.#search(this.#filter);
        break;
      case 'find':
        await this.#search(message.filter);
        break;
      case 'ask':
        await this.#runAndReportErrors(() => this.#ask(message));
        break;
      case 'answer':
        await this.#runAndReportErrors(() => this.#handleAnswer(message.isConfirmed));
        break;
      case 'undo':
        await this.#undo();
        break;
      case 'add':
        await runCommand('datamodelStudio.resources.newCustomData', { connectionId: this.#connection.id });
        break;
      case 'open':
        await runCommand('datamodelStudio.documents.open', {
          connectionId: this.#connection.id,
          resource: { kind: 'customDataObject', objectId: message.objectId },
          name: message.name,
          within: [t('Custom Data')],
        });
        break;
      case 'openAll':
        await this.#openAll();
        break;
    }
  }

  /** Posts a message unless the tab has been closed. */
  #post(message: ToCustomData): void {
    if (!this.#store.isDisposed) {
      this.#channel.post(message);
    }
  }

  /** Runs an action and shows its error on the page, unless the action is no longer relevant by then. */
  async #runAndReportErrors(
    action: () => Promise<void>,
    isRelevant: () => boolean = () => true,
  ): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.#deps.log.warn('explorer', 'Custom data failed', { reason: String(error) });
      if (isRelevant()) {
        this.#post({ type: 'failed', message: getUserMessage(error) });
      }
    }
  }

  /**
   * Searches and posts the result. Searches may overlap while the user types: only the result or error of the latest is
   * posted.
   */
  async #search(filter: string): Promise<void> {
    this.#searchCount += 1;
    const searchId = this.#searchCount;
    this.#question = undefined;
    this.#isOutdated = false;
    this.#post({ type: 'loading' });
    const isLatest = (): boolean => searchId === this.#searchCount;
    await this.#runAndReportErrors(async () => {
      const { text, problem } = await this.#queryReadable(parseObject(filter));
      if (isLatest()) {
        this.#filter = filter;
        this.#objectsText = text;
        this.#post({ type: 'objects', filter, text });
        if (problem !== undefined) {
          this.#post({ type: 'failed', message: problem });
        }
      }
    }, isLatest);
  }

  /** Returns the readable objects as JSON, and a message if there are unreadable ones. */
  async #queryReadable(filter: JsonObject): Promise<{ readonly text: string; readonly problem?: string }> {
    try {
      return { text: (await this.#query(filter)).text };
    } catch (error) {
      if (error instanceof PartialResponseError) {
        return { text: stringify(error.readable.value), problem: getUserMessage(error) };
      }
      throw error;
    }
  }

  async #query(filter: JsonObject) {
    return retryOnSessionReplaced(async () => {
      const { client } = await this.#deps.sessions.get(this.#connection.id);
      return Object.keys(filter).length === 0 ? client.customData.list() : client.customData.query(filter);
    });
  }

  async #ask(message: AskMessage): Promise<void> {
    if (await ensureWritable(this.#deps, this.#connection.id)) {
      await this.#postQuestion(message);
    } else {
      this.#post({ type: 'cancelled' });
    }
  }

  /**
   * Asks for confirmation with the number of matches and a sample, because a request affects all matches
   * (platform-facts.md, 4).
   */
  async #postQuestion(message: AskMessage, isRepeated = false): Promise<void> {
    const { action, filter, change = '{}' } = message;
    const [filterObject, fields] = [parseObject(filter), parseObject(change)];
    const location = { connectionId: this.#connection.id, within: [] };
    const operation =
      action === 'delete'
        ? createCustomDataDeletionOperation(location, filterObject)
        : createCustomDataUpdateOperation(location, filterObject, fields);
    const { writer } = await this.#deps.changeServices();
    const matches = await retryOnSessionReplaced(() => previewCustomDataChange(writer, operation));
    const { objects } = matches;
    this.#question = { message, matches };
    this.#post({
      type: 'question',
      action,
      filter,
      isRepeated,
      count: objects.length,
      sample: objects.slice(0, maxSampleObjects).map((object) => ({
        before: stringify(object),
        ...(action === 'delete' ? {} : { after: stringify({ ...object, ...fields }) }),
      })),
    });
  }

  async #handleAnswer(isConfirmed: boolean): Promise<void> {
    const question = this.#question;
    this.#question = undefined;
    const { connections } = this.#deps;
    if (
      !isConfirmed ||
      question === undefined ||
      question.matches.objects.length === 0 ||
      !(await ensureWritable(this.#deps, this.#connection.id)) ||
      !(await confirmProductionChange(
        connections,
        this.#connection.id,
        getConfirmationTitle(question.message),
      ))
    ) {
      this.#post({ type: 'cancelled' });
      if (this.#isOutdated) {
        await this.#search(this.#filter);
      }
      return;
    }
    const { message, matches } = question;
    const { writer } = await this.#deps.changeServices();
    try {
      // The user has confirmed the matches on the page, so no plan has to be shown.
      const approval = writer.approve(matches.planHash);
      const report = await writer.run(matches.operation, { approval, confirmedPlanHash: matches.planHash });
      this.#lastChange = { entryId: report.entryId, count: matches.objects.length };
    } catch (error) {
      if (error instanceof PlanNeededError) {
        await this.#postQuestion(message, true);
        return;
      }
      throw error;
    }
    this.#post({ type: 'changed', action: message.action, count: matches.objects.length });
    await this.#search(this.#filter);
  }

  async #undo(): Promise<void> {
    const change = this.#lastChange;
    if (change !== undefined) {
      const { entryId, count } = change;
      const target = { connectionId: this.#connection.id, entryId };
      if ((await runCommandForResult('datamodelStudio.history.undo', target)) === true) {
        this.#lastChange = undefined;
        this.#post({ type: 'changed', action: 'undo', count });
      }
      await this.#search(this.#filter);
    }
  }

  /** Opens all found objects as one JSON document. */
  async #openAll(): Promise<void> {
    const content = stringify(parseLossless(this.#objectsText), 2);
    const document = await vscode.workspace.openTextDocument({ language: 'json', content });
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** Removes the objects of an ended session, which must no longer be shown, and searches again. */
  async #handleSessionEnd(connectionId: string): Promise<void> {
    if (connectionId === this.#connection.id) {
      this.#objectsText = '[]';
      this.#post({ type: 'objects', filter: this.#filter, text: this.#objectsText });
      await this.#search(this.#filter);
    }
  }

  async #handleCatalogChange({ connectionId, change }: CatalogChangeEvent): Promise<void> {
    const isAffected = change.kind === 'all' || change.kind === 'customData';
    if (connectionId !== this.#connection.id || !isAffected) {
      return;
    }
    if (this.#question === undefined) {
      await this.#search(this.#filter);
    } else {
      // A search would close the question.
      this.#isOutdated = true;
    }
  }
}

const getConfirmationTitle = ({ action }: AskMessage): string =>
  action === 'delete' ? t('Delete Matching Custom Data') : t('Change Matching Custom Data');

/** @throws Error with a message for the user if the text is not a JSON object */
function parseObject(text: string): JsonObject {
  const result = parseJsonObject(text.trim() === '' ? '{}' : text);
  if ('problem' in result) {
    throw new Error(t('Expected a JSON object, but found: {0}', text.slice(0, 80)));
  }
  return result.object;
}
