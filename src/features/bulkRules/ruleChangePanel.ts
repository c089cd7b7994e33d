import * as vscode from 'vscode';
import {
  isBlocked,
  makePreview,
  type Preview,
  type PreviewSession,
  type WantedChange,
} from '../../changes/bulkRules/preview.ts';
import type { ChangeChoices } from '../../changes/bulkRules/ruleSource.ts';
import type { RunHandle } from '../../changes/bulkRules/runChange.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { subjectTitle } from '../../catalog/ruleSubject.ts';
import type { SubjectTarget } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { confirmProduction } from '../../platform/confirmProduction.ts';
import { showInformation } from '../../platform/messages.ts';
import { plainText } from '../../platform/serverText.ts';
import { setting } from '../../platform/settings.ts';
import { userMessage } from '../../platform/userErrors.ts';
import { TabTitle } from '../../platform/whichConnection.ts';
import { openChannel, showPage, type WebviewChannel } from '../../platform/webviews.ts';
import {
  type FromRuleChange,
  fromRuleChangeSchema,
  type ToRuleChange,
} from '../../webviews/protocol/ruleChange.ts';
import { columnNameOf } from '../../security/copy/columnMapping.ts';
import { type ChangeOutcome, changeReport } from './changeReport.ts';
import type { ChangeSource } from './changeSource.ts';
import type { Session } from '../../connections/sessions.ts';
import type { BulkRulesDeps } from './deps.ts';
import { pickColumn } from './pickColumn.ts';
import { wordPreview } from './previewWords.ts';
import { applyShown, isOutdated, resumeStopped } from './runChange.ts';

const t = vscode.l10n.t;
/** How often a page is told how far its change is. */
const tellEveryMs = 100;
const bytesPerKilobyte = 1024;

/**
 * The page of one change of rules: what it would do, how far it is, how it went. Alive as long as its tab, which a
 * reload closes: the rows of a clipboard are kept nowhere, and a change that was under way is gone on with, or taken
 * back, from the history.
 */
export class RuleChangePanel {
  readonly #deps: BulkRulesDeps;
  readonly #target: SubjectTarget;
  readonly #source: ChangeSource;
  readonly #store = new DisposableStore();
  readonly #channel: WebviewChannel<ToRuleChange>;
  #choices: ChangeChoices;
  #preview: Preview<ChangeSource> | undefined;
  #outcome: ChangeOutcome | undefined;
  /** Ends what is under way: a preview when another is wanted, a run when it is cancelled. */
  #loading = new AbortController();
  #running: AbortController | undefined;

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
    this.#store.add(new TabTitle(panel, deps.connections, target.connectionId)).set(source.tab);
    panel.iconPath = new vscode.ThemeIcon('shield');
    panel.onDidDispose(() => {
      this.#loading.abort();
      this.#store.dispose();
    });
    this.#channel = this.#store.add(
      openChannel<FromRuleChange, ToRuleChange>(
        panel.webview,
        fromRuleChangeSchema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    showPage(panel.webview, { extensionUri: deps.extensionUri, bundle: 'ruleChange', title: source.title });
  }

  async #receive(message: FromRuleChange): Promise<void> {
    switch (message.type) {
      case 'ready':
      case 'reload':
        await this.#load();
        break;
      case 'scope':
        await this.#load({ scope: message.scope });
        break;
      case 'map':
        await this.#map(message.key);
        break;
      case 'rewrite':
        await this.#load({ isRewriting: message.isWanted });
        break;
      case 'apply':
        await this.#apply();
        break;
      case 'cancel':
        this.#running?.abort();
        break;
      case 'resume':
        await this.#resume();
        break;
      case 'undo':
        await this.#takeBack();
        break;
      case 'report':
        await this.#report();
        break;
    }
  }

  /** A tab that was closed meanwhile takes no messages. */
  #on({ client, catalog }: Session): PreviewSession {
    return { client, catalog, people: () => this.#deps.directories.get(this.#target.connectionId) };
  }

  #post(message: ToRuleChange): void {
    if (!this.#store.isDisposed) {
      this.#channel.post(message);
    }
  }

  get #wanted(): WantedChange<ChangeSource> {
    return {
      target: this.#target,
      source: this.#source,
      choices: this.#choices,
      maxBytes: setting('rules.batchSize') * bytesPerKilobyte,
    };
  }

  async #load(chosen: Partial<ChangeChoices> = {}, note?: string): Promise<void> {
    if (this.#running !== undefined) {
      return;
    }
    this.#choices = { ...this.#choices, ...chosen };
    this.#loading.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#outcome = undefined;
    this.#post({ type: 'loading', text: t('Comparing with the rules on the server…') });
    try {
      const session = await this.#deps.sessions.get(this.#target.connectionId);
      const preview = await makePreview(this.#on(session), this.#wanted, {
        signal: loading.signal,
        onLookUp: (done, total) =>
          this.#post({ type: 'loading', text: t('Looking up groups: {0} of {1}', done, total) }),
      });
      if (!loading.signal.aborted) {
        this.#preview = preview;
        this.#post({ type: 'view', view: wordPreview(preview), ...(note === undefined ? {} : { note }) });
      }
    } catch (error) {
      if (!loading.signal.aborted) {
        this.#post({ type: 'failed', message: userMessage(error) });
      }
    }
  }

  async #map(key: string): Promise<void> {
    const from = columnNameOf(key);
    const to = from && (await pickColumn(from, this.#preview?.catalog));
    if (from !== null && to !== undefined) {
      await this.#load({ columns: { ...this.#choices.columns, [key]: to } });
    }
  }

  async #apply(): Promise<void> {
    const preview = this.#preview;
    if (preview === undefined || this.#running !== undefined || isBlocked(preview)) {
      return;
    }
    if (await confirmProduction(this.#deps.connections, this.#target.connectionId, this.#source.title)) {
      await this.#run((handle) => applyShown(this.#deps, preview, handle));
    }
  }

  async #resume(): Promise<void> {
    const entry = await this.#entry();
    if (entry !== undefined) {
      await this.#run((handle) => resumeStopped(this.#deps, entry, handle));
    }
  }

  async #entry() {
    const { history } = await this.#deps.writing();
    return this.#outcome && history.entry(this.#target.connectionId, this.#outcome.entryId);
  }

  async #run(run: (handle: RunHandle) => Promise<ChangeOutcome>): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    const title = plainText(t('Changing the rules of {0}', subjectTitle(this.#target.subject)));
    try {
      const outcome = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title, cancellable: true },
        async (progress, token) => {
          token.onCancellationRequested(() => running.abort());
          let shown = 0;
          let told = 0;
          return run({
            signal: running.signal,
            onProgress: (step) => {
              const now = this.#deps.clock.now();
              // Ten thousand deletions are not ten thousand messages.
              if (now - told < tellEveryMs && step.waitMs === undefined) {
                return;
              }
              told = now;
              this.#post({ type: 'running', ...step });
              const percent = (100 * step.done) / Math.max(1, step.total);
              progress.report({
                increment: Math.max(0, percent - shown),
                message: t('{0} of {1}', step.done, step.total),
              });
              shown = Math.max(shown, percent);
            },
          });
        },
      );
      this.#outcome = await this.#verified(outcome);
      this.#post({ type: 'ended', end: this.#outcome.end });
      if (this.#store.isDisposed) {
        // The page was closed meanwhile; the history has what is needed to go on.
        void showInformation(this.#outcome.end.text);
      }
    } catch (error) {
      this.#running = undefined;
      if (isOutdated(error)) {
        await this.#load(
          {},
          t('The rules have changed on the server meanwhile. This is what would happen now.'),
        );
      } else {
        this.#post({ type: 'failed', message: userMessage(error) });
      }
    } finally {
      this.#running = undefined;
    }
  }

  /** Looks once more whether the server now has what the source says: it may store a rule otherwise (facts 3.1). */
  async #verified(outcome: ChangeOutcome): Promise<ChangeOutcome> {
    if (outcome.end.state !== 'done') {
      return outcome;
    }
    try {
      const session = await this.#deps.sessions.get(this.#target.connectionId);
      const now = await makePreview(this.#on(session), this.#wanted, {
        signal: new AbortController().signal,
        onLookUp: () => undefined,
      });
      const differing = now.difference.adds.length + now.difference.deletes.length;
      const text =
        differing === 0
          ? t('Done. The server now has what was wanted.')
          : t('Done, but the server keeps {0} rules otherwise than they were sent.', differing);
      return { ...outcome, differing, end: { ...outcome.end, text } };
    } catch (error) {
      this.#deps.log.warn('writes', 'The change was not compared', { reason: String(error) });
      return outcome;
    }
  }

  async #takeBack(): Promise<void> {
    const entry = await this.#entry();
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

  async #report(): Promise<void> {
    if (this.#preview === undefined) {
      return;
    }
    const content = changeReport(wordPreview(this.#preview), this.#outcome, this.#deps.clock.now());
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
    await vscode.window.showTextDocument(document, { preview: false });
  }
}
