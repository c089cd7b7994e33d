import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { runCommand } from '../../platform/commands.ts';
import { showError, showInformation } from '../../platform/messages.ts';
import { PanelTitle } from '../../platform/connectionSuffix.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { openWebviewChannel, renderPage, type WebviewChannel } from '../../platform/webviews.ts';
import { applyBaseline, createBaselineEntries } from '../../security/audit/applyBaseline.ts';
import {
  addBaselineEntries,
  type BaselineEntry,
  readBaseline,
  removeBaselinePlaces,
} from '../../security/audit/baselineFile.ts';
import { type FindingCause, type FindingPlace, groupFindings } from '../../security/audit/groupFindings.ts';
import { type FromAudit, fromAuditSchema, type ToAudit } from '../../webviews/protocol/audit.ts';
import { createCompletenessCheck, type InstanceAudit, type SubjectAudit } from './auditInstance.ts';
import { describeCause } from './auditLabels.ts';
import { locateFinding } from './auditLocations.ts';
import type { AuditProblems } from './auditProblems.ts';
import { formatAuditReport } from './auditReport.ts';
import { type BaselineStore, describeBaselineError } from './baselineStore.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { type AuditResult, createAuditView, getAcceptedKey } from './createAuditView.ts';
import { findAuthor } from './findAuthor.ts';
import { saveReport } from './saveReport.ts';

const t = vscode.l10n.t;

/** The objects that the pages of security checks share. */
export interface AuditServices {
  readonly problems: AuditProblems;
  readonly baselineStore: BaselineStore;
  /** The open page of each connection. */
  readonly panels: Map<string, AuditPanel>;
}

/**
 * The Security page of a connection: the result of its latest check, in which causes can be accepted. A reload closes
 * it, since the result is not stored.
 */
export class AuditPanel {
  readonly #deps: AccessFeatureDeps;
  readonly #services: AuditServices;
  readonly #panel: vscode.WebviewPanel;
  readonly #store = new DisposableStore();
  readonly #channel: WebviewChannel<ToAudit>;
  #audit: InstanceAudit;
  #causes: readonly FindingCause<SubjectAudit>[] = [];
  #result: AuditResult | undefined;
  /** Aborts a refresh when another one begins. */
  #refreshAbort = new AbortController();

  /** Shows an audit in the page of its connection. */
  static async show(deps: AccessFeatureDeps, services: AuditServices, audit: InstanceAudit): Promise<void> {
    const panel = services.panels.get(audit.connectionId) ?? new AuditPanel(deps, services, audit);
    await panel.#show(audit);
  }

  private constructor(deps: AccessFeatureDeps, services: AuditServices, audit: InstanceAudit) {
    const { connectionId } = audit;
    this.#deps = deps;
    this.#services = services;
    this.#audit = audit;
    this.#panel = vscode.window.createWebviewPanel('datamodelStudio.audit', '', vscode.ViewColumn.Active, {
      retainContextWhenHidden: true,
    });
    services.panels.set(connectionId, this);
    this.#panel.onDidDispose(() => {
      services.panels.delete(connectionId);
      this.#store.dispose();
    });
    const title = t('Security');
    this.#store.add(new PanelTitle(this.#panel, deps.connections, connectionId)).set(title);
    this.#panel.iconPath = new vscode.ThemeIcon('shield');
    this.#channel = this.#store.add(
      openWebviewChannel<FromAudit, ToAudit>(
        this.#panel.webview,
        fromAuditSchema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    this.#store.add(services.baselineStore.onDidChange(() => void this.#refresh()));
    renderPage(this.#panel.webview, { extensionUri: deps.extensionUri, bundle: 'audit', title });
  }

  async #show(audit: InstanceAudit): Promise<void> {
    this.#audit = audit;
    this.#causes = groupFindings(audit.subjectAudits);
    this.#panel.reveal();
    await this.#refresh();
  }

  /** Compares the audit with the current baseline, and shows the result in the page and in the Problems view. */
  async #refresh(): Promise<void> {
    this.#refreshAbort.abort();
    const abortController = new AbortController();
    this.#refreshAbort = abortController;
    const result = await this.#createResult();
    if (abortController.signal.aborted || this.#store.isDisposed) {
      return;
    }
    this.#result = result;
    this.#postView();
    try {
      await this.#services.problems.show(this.#audit, result.baseline.newCauses, abortController.signal);
    } catch (error) {
      if (!abortController.signal.aborted) {
        this.#deps.log.warn('access', 'Findings could not be shown in Problems', { reason: String(error) });
      }
    }
  }

  async #createResult(): Promise<AuditResult> {
    const audit = this.#audit;
    const applyEntries = (entries: readonly BaselineEntry[]) =>
      applyBaseline(this.#causes, entries, {
        instance: audit.instanceAddress,
        isComplete: createCompletenessCheck(audit),
      });
    const file = await this.#services.baselineStore.findFile().catch(() => undefined);
    const baselineFile = file?.exists === true ? vscode.workspace.asRelativePath(file.uri) : undefined;
    const fileProperty = baselineFile === undefined ? {} : { baselineFile };
    try {
      const baseline = applyEntries(readBaseline(await this.#services.baselineStore.read()));
      return { audit, baseline, ...fileProperty };
    } catch (error) {
      return {
        audit,
        baseline: applyEntries([]),
        baselineProblem: describeBaselineError(error),
        ...fileProperty,
      };
    }
  }

  #postView(): void {
    if (this.#result !== undefined && !this.#store.isDisposed) {
      this.#channel.post({ type: 'view', view: createAuditView(this.#result) });
    }
  }

  async #receive(message: FromAudit): Promise<void> {
    const { newCauses = [], accepted = [] } = this.#result?.baseline ?? {};
    switch (message.type) {
      case 'ready':
        this.#postView();
        break;
      case 'check':
        await runCommand('datamodelStudio.access.check', { connectionId: this.#audit.connectionId });
        break;
      case 'report':
        await this.#saveReport();
        break;
      case 'open': {
        const place = newCauses.find(({ key }) => key === message.cause)?.places[message.place];
        if (place !== undefined) {
          await this.#open(place);
        }
        break;
      }
      case 'ignore': {
        const cause = newCauses.find(({ key }) => key === message.cause);
        if (cause !== undefined) {
          await this.#accept([cause], t('Accept: {0}', describeCause(cause).title));
        }
        break;
      }
      case 'acceptAll':
        await this.#accept(newCauses, t('Accept All as Baseline'));
        break;
      case 'stopIgnoring': {
        const acceptedFindings = accepted.find((findings) => getAcceptedKey(findings) === message.accepted);
        await this.#removePlaces(
          (entry) => acceptedFindings === undefined || !isSameEntry(entry, acceptedFindings.entry),
        );
        break;
      }
      case 'removeResolved': {
        const isKept = this.#result?.baseline.isKept;
        await this.#removePlaces((entry, place) => isKept?.(entry, place) ?? true);
        break;
      }
      case 'openBaseline':
        await this.#openBaseline();
        break;
    }
  }

  async #open(place: FindingPlace<SubjectAudit>): Promise<void> {
    const { connectionId } = this.#audit;
    // Rules are added in the rule matrix.
    const location = place.finding.code === 'no-rules' ? undefined : locateFinding(this.#audit, place);
    await (location === undefined
      ? runCommand('datamodelStudio.access.editMatrix', { connectionId, subject: place.subject.subject })
      : runCommand('datamodelStudio.documents.open', {
          connectionId,
          resource: location.resource,
          name: location.name,
          within: location.within,
        }));
  }

  /** Asks for the reason, and adds the findings to the baseline. */
  async #accept(causes: readonly FindingCause<SubjectAudit>[], title: string): Promise<void> {
    const { baselineStore: baseline } = this.#services;
    await this.#changeBaseline(async () => {
      await baseline.verifyWritable();
      const reason = await vscode.window.showInputBox({
        title: toPlainText(title),
        prompt: t('Why are these findings acceptable? Later checks show only new findings.'),
        placeHolder: t('Reason'),
        ignoreFocusOut: true,
        validateInput: (text) => (text.trim() === '' ? t('Enter a reason.') : undefined),
      });
      if (reason === undefined || reason.trim() === '') {
        return;
      }
      const acceptance = {
        instance: this.#audit.instanceAddress,
        reason: reason.trim(),
        author: await findAuthor((await baseline.findFile())?.uri),
        date: new Date(this.#deps.clock.now()).toISOString().slice(0, 'YYYY-MM-DD'.length),
      };
      await baseline.update((text) => addBaselineEntries(text, createBaselineEntries(causes, acceptance)));
    });
  }

  async #removePlaces(isKept: (entry: BaselineEntry, place: string) => boolean): Promise<void> {
    await this.#changeBaseline(() =>
      this.#services.baselineStore.update((text) => removeBaselinePlaces(text, isKept)),
    );
  }

  /** Runs a change of the baseline; if it can't be read or written, shows why. */
  async #changeBaseline(change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } catch (error) {
      this.#deps.log.warn('access', 'The baseline could not be changed', { reason: String(error) });
      const openFileLabel = t('Open File');
      const file = await this.#services.baselineStore.findFile().catch(() => undefined);
      const actions = file?.exists === true ? [openFileLabel] : [];
      // Not awaited: the message stays open until the user dismisses it.
      void showError(describeBaselineError(error), ...actions).then((choice) =>
        choice === openFileLabel ? this.#openBaseline() : undefined,
      );
    }
  }

  async #openBaseline(): Promise<void> {
    const file = await this.#services.baselineStore.findFile();
    if (file?.exists === true) {
      await vscode.window.showTextDocument(file.uri, { preview: false });
    } else {
      await showInformation(
        t(
          'No folder is open, so Datamodel Studio keeps accepted findings in its own storage instead of in a file.',
        ),
      );
    }
  }

  async #saveReport(): Promise<void> {
    if (this.#result !== undefined) {
      await saveReport(
        { format: 'markdown', text: formatAuditReport(this.#result) },
        { title: t('Save Security Report'), name: `security-${this.#audit.connectionName}` },
        this.#deps.log,
      );
    }
  }
}

const isSameEntry = (a: BaselineEntry, b: BaselineEntry): boolean => JSON.stringify(a) === JSON.stringify(b);
