import * as vscode from 'vscode';
import * as z from 'zod';
import { deleteMatching, updateMatching } from '../../changes/model/customDataWrites.ts';
import { type MatchingObjects, matchingObjects } from '../../changes/operations/matchingObjects.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { type JsonObject, parseLossless, stringify } from '../../base/json.ts';
import { PartialAnswerError } from '../../client/errors.ts';
import { evenIfRenewed } from '../../client/abort.ts';
import type { Connection } from '../../connections/connection.ts';
import type { SessionChange } from '../../connections/sessions.ts';
import { type ConnectionTarget, webviews } from '../../contributions.ts';
import { readObject } from '../../catalog/customData/readObject.ts';
import { runCommand } from '../../platform/commands.ts';
import { confirmProduction } from '../../platform/confirmProduction.ts';
import { targetConnection } from '../../platform/pickConnection.ts';
import { userMessage } from '../../platform/userErrors.ts';
import { openChannel, showPage, type WebviewChannel } from '../../platform/webviews.ts';
import {
  type FromCustomData,
  fromCustomDataSchema,
  type ToCustomData,
} from '../../webviews/protocol/customData.ts';
import { PlanNeededError } from '../../changes/run/problems.ts';
import type { CustomDataDeps } from './deps.ts';

const t = vscode.l10n.t;
/** Objects that a person sees before all of them are changed. */
const sampleLength = 5;

/** Opens the custom data of a connection as a table; asks which connection when none was passed. */
export async function openCustomData(
  deps: CustomDataDeps,
  target: ConnectionTarget | undefined,
): Promise<void> {
  const connection = await targetConnection(deps, target, {
    placeholder: t('Connection of the custom data'),
  });
  if (connection !== undefined) {
    CustomDataPanel.open(deps, connection, newTab());
  }
}

/** Fills a tab that the editor has brought back after a reload, with the filter that was typed there. */
export function restoreCustomData(deps: CustomDataDeps, panel: vscode.WebviewPanel, kept: unknown): void {
  const { connectionId, filter } = keptSchema.safeParse(kept).data ?? {};
  const connection = connectionId === undefined ? undefined : deps.connections.find(connectionId);
  if (connection === undefined) {
    panel.dispose();
  } else {
    CustomDataPanel.open(deps, connection, panel, filter);
  }
}

const keptSchema = z.object({ connectionId: z.string(), filter: z.string() });

const newTab = (): vscode.WebviewPanel =>
  vscode.window.createWebviewPanel(webviews.customData, '', vscode.ViewColumn.Active, {
    retainContextWhenHidden: true,
  });

type Asked = Extract<FromCustomData, { type: 'ask' }>;

/** What a person was asked, with what it reached when they were shown it. */
interface Question {
  readonly asked: Asked;
  readonly reached: MatchingObjects;
}

/** One page of custom data, alive as long as its tab. */
class CustomDataPanel {
  readonly #deps: CustomDataDeps;
  readonly #connection: Connection;
  readonly #store = new DisposableStore();
  readonly #channel: WebviewChannel<ToCustomData>;
  #filter: string;
  #found = '[]';
  #searches = 0;
  #question: Question | undefined;
  #lastEntry: string | undefined;

  /**
   * @param panel a new tab, or one that the editor has brought back
   * @param filter what is looked for first; half-typed text is not, and then all objects are
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
    this.#filter = 'problem' in readObject(filter) ? '{}' : filter;
    const title = t('Custom Data: {0}', connection.name);
    panel.title = title;
    panel.iconPath = new vscode.ThemeIcon('json');
    panel.onDidDispose(() => this.#store.dispose());
    this.#channel = this.#store.add(
      openChannel<FromCustomData, ToCustomData>(
        panel.webview,
        fromCustomDataSchema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    this.#store.add(deps.sessions.onDidChangeCatalog((change) => void this.#changed(change)));
    showPage(panel.webview, { extensionUri: deps.extensionUri, bundle: 'customData', title });
  }

  async #receive(message: FromCustomData): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#post({
          type: 'title',
          connection: this.#connection.name,
          connectionId: this.#connection.id,
        });
        await this.#find(this.#filter);
        break;
      case 'find':
        await this.#find(message.filter);
        break;
      case 'ask':
        await this.#told(() => this.#ask(message));
        break;
      case 'answer':
        await this.#told(() => this.#answered(message.isWanted));
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

  /** A tab that was closed meanwhile takes no messages. */
  #post(message: ToCustomData): void {
    if (!this.#store.isDisposed) {
      this.#channel.post(message);
    }
  }

  /** What fails is told on the page, where it was asked for. */
  async #told(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#deps.log.warn('explorer', 'Custom data failed', { reason: String(error) });
      this.#post({ type: 'failed', message: userMessage(error) });
    }
  }

  /** Searches overlap when somebody types on: only the last one is told. */
  async #find(filter: string): Promise<void> {
    this.#searches += 1;
    const search = this.#searches;
    this.#question = undefined;
    this.#post({ type: 'loading' });
    await this.#told(async () => {
      const { text, told } = await this.#readable(objectIn(filter));
      if (search === this.#searches) {
        this.#filter = filter;
        this.#found = text;
        this.#post({ type: 'objects', filter, text });
        if (told !== undefined) {
          this.#post({ type: 'failed', message: told });
        }
      }
    });
  }

  /** What can be shown, and what is to be told of the rest; a change reaches all, or is not offered. */
  async #readable(filter: JsonObject): Promise<{ readonly text: string; readonly told?: string }> {
    try {
      return { text: (await this.#matches(filter)).text };
    } catch (error) {
      if (error instanceof PartialAnswerError) {
        return { text: stringify(error.readable.value), told: userMessage(error) };
      }
      throw error;
    }
  }

  async #matches(filter: JsonObject) {
    return evenIfRenewed(async () => {
      const { client } = await this.#deps.sessions.get(this.#connection.id);
      return Object.keys(filter).length === 0 ? client.customData.list() : client.customData.query(filter);
    });
  }

  /** Both reach every match, so the matches are counted and some of them shown (platform-facts 4). */
  async #ask(asked: Asked, isAnew = false): Promise<void> {
    const { action, filter, change = '{}' } = asked;
    const [selection, fields] = [objectIn(filter), objectIn(change)];
    const place = { connectionId: this.#connection.id, within: [] };
    const operation =
      action === 'delete' ? deleteMatching(place, selection) : updateMatching(place, selection, fields);
    const { writer } = await this.#deps.writing();
    const reached = await evenIfRenewed(() => matchingObjects(writer, operation));
    const { objects } = reached;
    this.#question = { asked, reached };
    this.#post({
      type: 'question',
      action,
      filter,
      isAnew,
      count: objects.length,
      sample: objects.slice(0, sampleLength).map((object) => ({
        before: stringify(object),
        ...(action === 'delete' ? {} : { after: stringify({ ...object, ...fields }) }),
      })),
    });
  }

  async #answered(isWanted: boolean): Promise<void> {
    const question = this.#question;
    this.#question = undefined;
    const { connections } = this.#deps;
    const title = t('Change Custom Data');
    if (
      !isWanted ||
      question === undefined ||
      question.reached.objects.length === 0 ||
      !(await confirmProduction(connections, this.#connection.id, title))
    ) {
      this.#post({ type: 'cancelled' });
      return;
    }
    const { asked, reached } = question;
    const { writer } = await this.#deps.writing();
    try {
      // The page has shown what is reached, so that no other plan is shown.
      const permit = writer.permit(reached.ticket);
      const report = await writer.run(reached.operation, { permit, asked: reached.ticket });
      this.#lastEntry = report.entryId;
    } catch (error) {
      if (error instanceof PlanNeededError) {
        await this.#ask(asked, true);
        return;
      }
      throw error;
    }
    this.#post({ type: 'changed', action: asked.action, count: reached.objects.length });
    await this.#find(this.#filter);
  }

  async #undo(): Promise<void> {
    const entryId = this.#lastEntry;
    if (entryId !== undefined) {
      await runCommand('datamodelStudio.history.undo', { connectionId: this.#connection.id, entryId });
      await this.#find(this.#filter);
    }
  }

  /** All objects that were found, as one document. */
  async #openAll(): Promise<void> {
    const content = stringify(parseLossless(this.#found), 2);
    const document = await vscode.workspace.openTextDocument({ language: 'json', content });
    await vscode.window.showTextDocument(document, { preview: false });
  }

  async #changed({ connectionId, change }: SessionChange): Promise<void> {
    const isMeant = change.kind === 'all' || change.kind === 'customData';
    if (connectionId === this.#connection.id && isMeant && this.#question === undefined) {
      await this.#find(this.#filter);
    }
  }
}

/** @throws Error that says what is wrong with the text */
function objectIn(text: string): JsonObject {
  const read = readObject(text.trim() === '' ? '{}' : text);
  if ('problem' in read) {
    throw new Error(t('This is no JSON object: {0}', text.slice(0, 80)));
  }
  return read.object;
}
