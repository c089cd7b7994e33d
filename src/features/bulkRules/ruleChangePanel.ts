import * as vscode from 'vscode';
import {
  isBlocked,
  createPartyNamer,
  createPreview,
  type Preview,
  type PreviewSession,
  type PreviewRequest,
} from '../../changes/bulkRules/preview.ts';
import { computePreviewAccess } from '../../changes/bulkRules/previewAccess.ts';
import { getPreviewProblems, type PreviewProblem } from '../../changes/messages/previewProblems.ts';
import type { ChangeChoices } from '../../changes/bulkRules/ruleSource.ts';
import type { RunControl } from '../../changes/bulkRules/runChange.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import type { SubjectTarget } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { showError, showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getSetting } from '../../platform/settings.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { PanelTitle } from '../../platform/connectionSuffix.ts';
import { openWebviewChannel, renderPage, type WebviewChannel } from '../../platform/webviews.ts';
import {
  type ChangeView,
  type FromRuleChange,
  fromRuleChangeSchema,
  type ToRuleChange,
} from '../../webviews/protocol/ruleChange.ts';
import { parseColumnKey } from '../../security/copy/columnMapping.ts';
import { type ChangeOutcome, formatChangeReport } from './changeReport.ts';
import type { ChangeSource } from './changeSource.ts';
import type { Session } from '../../connections/sessions.ts';
import type { BulkRulesDeps } from './deps.ts';
import { pickColumn } from './pickColumn.ts';
import { createChangeView } from './createChangeView.ts';
import { fixProblem, showProblem } from './showProblem.ts';
import { createProgressReporter } from './progressReporter.ts';
import { applyPreviewedChange, confirmWrite, isConflict, resumeInterruptedChange } from './runChange.ts';

const t = vscode.l10n.t;
const bytesPerKilobyte = 1024;

/**
 * The page of one change of rules, with its preview, progress and outcome. A reload closes it, because rows from the
 * clipboard are not stored; an interrupted change can be resumed or rolled back from the history.
 */
export class RuleChangePanel {
  readonly #deps: BulkRulesDeps;
  readonly #target: SubjectTarget;
  readonly #source: ChangeSource;
  readonly #store = new DisposableStore();
  readonly #channel: WebviewChannel<ToRuleChange>;
  #choices: ChangeChoices;
  /** `undefined` while another one is computed. */
  #preview: Preview<ChangeSource> | undefined;
  /** What the page shows of the preview. */
  #view: ChangeView | undefined;
  #outcome: ChangeOutcome | undefined;
  /** Aborts a preview when another one is requested. */
  #loadAbort = new AbortController();
  /** Aborts a run when the user cancels it; `undefined` if none is in progress. */
  #runAbort: AbortController | undefined;

  static open(deps: BulkRulesDeps, target: SubjectTarget, source: ChangeSource): RuleChangePanel {
    return new RuleChangePanel(deps, target, source);
  }

  private constructor(deps: BulkRulesDeps, target: SubjectTarget, source: ChangeSource) {
    this.#deps = deps;
    this.#target = target;
    this.#source = source;
    this.#choices = source.choices;
    const panel = vscode.window.createWebviewPanel(
      'datamodelStudio.ruleChange',
      '',
      vscode.ViewColumn.Active,
      { retainContextWhenHidden: true },
    );
    this.#store.add(new PanelTitle(panel, deps.connections, target.connectionId)).set(source.tabTitle);
    this.#store.add(deps.activePanels.track(panel, target.connectionId));
    panel.iconPath = new vscode.ThemeIcon('shield');
    panel.onDidDispose(() => {
      this.#loadAbort.abort();
      this.#store.dispose();
      if (this.#runAbort === undefined) {
        this.#remindIfStopped();
      }
    });
    this.#channel = this.#store.add(
      openWebviewChannel<FromRuleChange, ToRuleChange>(
        panel.webview,
        fromRuleChangeSchema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    renderPage(panel.webview, { extensionUri: deps.extensionUri, bundle: 'ruleChange', title: source.title });
  }

  async #receive(message: FromRuleChange): Promise<void> {
    switch (message.type) {
      case 'ready':
      case 'reload':
        await this.#load();
        break;
      case 'mode':
        await this.#load({ mode: message.mode });
        break;
      case 'map':
        await this.#mapColumn(message.key);
        break;
      case 'rewrite':
        await this.#load({ rewritesExclusions: message.rewritesExclusions });
        break;
      case 'showProblem':
        await this.#runWithProblem(message.problem, showProblem);
        break;
      case 'fixProblem':
        if (
          this.#runAbort === undefined &&
          (await this.#runWithProblem(message.problem, fixProblem)) === true
        ) {
          await this.#load();
        }
        break;
      case 'apply':
        await this.#apply();
        break;
      case 'cancel':
        this.#runAbort?.abort();
        break;
      case 'resume':
        await this.#resume();
        break;
      case 'undo':
        await this.#undoOrRollBack();
        break;
      case 'report':
        await this.#openReport();
        break;
    }
  }

  /**
   * Opens the text of the table, and calls a function with the text and a problem. If that fails, shows an error.
   * @param index the index of the problem on the page
   * @returns the result of the function; `undefined` if it failed, or if the problem or the text doesn't exist
   */
  async #runWithProblem<Result>(
    index: number,
    run: (document: vscode.TextDocument, problem: PreviewProblem) => Promise<Result>,
  ): Promise<Result | undefined> {
    const problem = this.#preview && getPreviewProblems(t, this.#preview)[index];
    if (problem === undefined || this.#source.openText === undefined) {
      return undefined;
    }
    try {
      return await run(await this.#source.openText(), problem);
    } catch (error) {
      await showError(getUserMessage(error));
      return undefined;
    }
  }

  #toPreviewSession({ client, catalog }: Session): PreviewSession {
    return { client, catalog, getDirectory: () => this.#deps.userDirectories.get(this.#target.connectionId) };
  }

  /** Posts a message unless the tab has been closed. */
  #post(message: ToRuleChange): void {
    if (!this.#store.isDisposed) {
      this.#channel.post(message);
    }
  }

  get #previewRequest(): PreviewRequest<ChangeSource> {
    return {
      target: this.#target,
      source: this.#source,
      choices: this.#choices,
      maxBytes: getSetting('rules.batchSize') * bytesPerKilobyte,
    };
  }

  async #load(changedChoices: Partial<ChangeChoices> = {}, note?: string): Promise<void> {
    if (this.#runAbort !== undefined) {
      return;
    }
    this.#choices = { ...this.#choices, ...changedChoices };
    this.#loadAbort.abort();
    const abortController = new AbortController();
    this.#loadAbort = abortController;
    this.#preview = undefined;
    this.#outcome = undefined;
    this.#post({ type: 'loading', text: t('Comparing with the rules on the server…') });
    try {
      const session = await this.#deps.sessions.get(this.#target.connectionId);
      const { writer } = await this.#deps.changeServices();
      const findRuleRefusal = writer.findRuleRefusal.bind(writer);
      const previewSession = { ...this.#toPreviewSession(session), findRuleRefusal };
      const preview = await createPreview(previewSession, this.#previewRequest, {
        signal: abortController.signal,
        onLookUp: (done, total) =>
          this.#post({ type: 'loading', text: t('Looking up groups: {0} of {1}', done, total) }),
      });
      const access = await computePreviewAccess(preview, () =>
        this.#deps.userDirectories.getMemberships(this.#target.connectionId),
      );
      const accessView = access && (await this.#deps.changeReview.describeAccess(access));
      if (!abortController.signal.aborted) {
        this.#preview = preview;
        this.#view = createChangeView(preview, accessView);
        this.#post({ type: 'view', view: this.#view, ...(note === undefined ? {} : { note }) });
      }
    } catch (error) {
      if (!abortController.signal.aborted) {
        this.#post({ type: 'failed', message: getUserMessage(error) });
      }
    }
  }

  async #mapColumn(key: string): Promise<void> {
    const sourceColumn = parseColumnKey(key);
    const targetColumn = sourceColumn && (await pickColumn(sourceColumn, this.#preview?.catalog));
    if (sourceColumn !== null && targetColumn !== undefined) {
      await this.#load({ columns: { ...this.#choices.columns, [key]: targetColumn } });
    }
  }

  async #apply(): Promise<void> {
    const preview = this.#preview;
    if (preview === undefined || this.#runAbort !== undefined || isBlocked(preview)) {
      return;
    }
    if (
      (await confirmWrite(this.#deps, this.#target.connectionId, this.#source.title)) &&
      // The user may have changed the options, or applied the change, while a question was open.
      preview === this.#preview &&
      this.#runAbort === undefined
    ) {
      await this.#run(preview, (control) =>
        applyPreviewedChange(this.#deps, preview, control, createPartyNamer(preview)),
      );
    }
  }

  async #resume(): Promise<void> {
    const preview = this.#preview;
    const entry = preview && (await this.#findHistoryEntry());
    if (
      preview !== undefined &&
      entry !== undefined &&
      (await confirmWrite(this.#deps, this.#target.connectionId, this.#source.title)) &&
      this.#runAbort === undefined
    ) {
      await this.#run(preview, (control) =>
        resumeInterruptedChange(this.#deps, entry, control, createPartyNamer(preview)),
      );
    }
  }

  /**
   * Returns the entry of the last run; shows a message and returns `undefined` if the history no longer contains it.
   */
  async #findHistoryEntry() {
    if (this.#outcome === undefined) {
      return undefined;
    }
    const { history } = await this.#deps.changeServices();
    const entry = await history.readEntry(this.#target.connectionId, this.#outcome.entryId);
    if (entry === undefined) {
      await showInformation(t('The history no longer contains this entry.'));
    }
    return entry;
  }

  /** @param preview the preview that is applied */
  async #run(
    preview: Preview<ChangeSource>,
    execute: (control: RunControl) => Promise<ChangeOutcome>,
  ): Promise<void> {
    const abortController = new AbortController();
    this.#runAbort = abortController;
    const title = toPlainText(t('Changing the rules of {0}', getSubjectTitle(this.#target.subject)));
    try {
      const outcome = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title, cancellable: true },
        async (progress, token) => {
          token.onCancellationRequested(() => abortController.abort());
          const onProgress = createProgressReporter(this.#deps.clock, progress, (message) =>
            this.#post(message),
          );
          return execute({ signal: abortController.signal, onProgress });
        },
      );
      this.#outcome = await this.#verifyOutcome(outcome, preview);
      this.#post({ type: 'ended', result: this.#outcome.result });
      if (this.#store.isDisposed && this.#outcome.result.state === 'done') {
        void showInformation(this.#outcome.result.text);
      }
    } catch (error) {
      this.#runAbort = undefined;
      if (isConflict(error)) {
        await this.#load(
          {},
          t('The rules on the server have changed in the meantime. Review the updated changes.'),
        );
      } else if (abortController.signal.aborted) {
        await this.#restorePage();
      } else {
        this.#post({ type: 'failed', message: getUserMessage(error) });
      }
    } finally {
      this.#runAbort = undefined;
      if (this.#store.isDisposed) {
        this.#remindIfStopped();
      }
    }
  }

  /** Offers to finish a stopped change, or to roll it back: the page that was closed can't do so anymore. */
  #remindIfStopped(): void {
    if (this.#outcome?.result.state === 'stopped') {
      const { entryId } = this.#outcome;
      void this.#deps.remindOfStoppedChange({ connectionId: this.#target.connectionId, entryId });
    }
  }

  /**
   * Restores the page after a cancellation before the first request: to the preview, or to the outcome of the previous
   * run.
   */
  async #restorePage(): Promise<void> {
    if (this.#outcome === undefined) {
      await this.#load({}, t('Canceled. Nothing was sent.'));
    } else {
      this.#post({ type: 'ended', result: this.#outcome.result });
    }
  }

  /**
   * Compares the server's rules with those that were sent: the server may store a rule differently (platform-facts.md,
   * 3.1). The source is not read again, since a file may have been edited in the meantime.
   */
  async #verifyOutcome(
    outcome: ChangeOutcome,
    { sourceRules, choices }: Preview<ChangeSource>,
  ): Promise<ChangeOutcome> {
    if (outcome.result.state !== 'done') {
      return outcome;
    }
    try {
      const session = await this.#deps.sessions.get(this.#target.connectionId);
      const source = { ...this.#source, readRules: () => Promise.resolve(sourceRules) };
      const currentPreview = await createPreview(
        this.#toPreviewSession(session),
        { ...this.#previewRequest, source, choices },
        { signal: new AbortController().signal, onLookUp: () => undefined },
      );
      const differingCount = currentPreview.difference.adds.length + currentPreview.difference.deletes.length;
      const text =
        differingCount === 0
          ? t('Done. The rules on the server are up to date.')
          : differingCount === 1
            ? t('Done, but 1 rule on the server differs from what was sent.')
            : t('Done, but {0} rules on the server differ from what was sent.', differingCount);
      return { ...outcome, differingCount, result: { ...outcome.result, text } };
    } catch (error) {
      this.#deps.log.warn('writes', 'Comparing the rules after a change failed', { reason: String(error) });
      return outcome;
    }
  }

  /** Undoes a completed change, or rolls back a stopped one. */
  async #undoOrRollBack(): Promise<void> {
    const entry = await this.#findHistoryEntry();
    if (entry === undefined) {
      return;
    }
    const target = { connectionId: this.#target.connectionId, entryId: entry.id };
    await runCommand(
      entry.end === 'done' ? 'datamodelStudio.history.undo' : 'datamodelStudio.history.rollBack',
      target,
    );
    await this.#load();
  }

  async #openReport(): Promise<void> {
    if (this.#view === undefined) {
      return;
    }
    const content = formatChangeReport(this.#view, this.#outcome, this.#deps.clock.now());
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
    await vscode.window.showTextDocument(document, { preview: false });
  }
}
