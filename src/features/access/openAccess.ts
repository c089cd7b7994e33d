import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import { type SubjectTarget, webviews } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { PanelTitle } from '../../platform/connectionSuffix.ts';
import { openWebviewChannel, renderPage, type WebviewChannel } from '../../platform/webviews.ts';
import { type FromAccess, fromAccessSchema } from '../../webviews/protocol/access.ts';
import type { ToAccessPage } from '../../webviews/protocol/accessPage.ts';
import type { RulesPageDeps } from './deps.ts';
import { saveReport } from './saveReport.ts';
import { type MatrixDrafts, getServerDraftKey } from './matrixDrafts.ts';
import type { FileAccessPages } from './fileAccessPages.ts';
import { readPersistedFileTarget, readPersistedTarget } from './persistedTarget.ts';
import { resolveSubject } from './resolveSubject.ts';
import { fetchRules } from './fetchRules.ts';
import { SubjectFeed } from './subjectFeed.ts';

/** Opens Effective Access for a datamodel or cube set, which the user picks if none was passed. */
export async function openAccess(deps: RulesPageDeps, target: SubjectTarget | undefined): Promise<void> {
  const pickedTarget = await resolveSubject(deps, target, vscode.l10n.t('Show Effective Access'));
  if (pickedTarget !== undefined) {
    AccessPanel.open(
      deps,
      { connectionId: pickedTarget.connectionId, subject: pickedTarget.subject },
      createTab(),
    );
  }
}

/** Restores a tab after a reload; closes it if its state does not identify a datamodel or cube set. */
export async function restoreAccess(
  deps: RulesPageDeps,
  panel: vscode.WebviewPanel,
  state: unknown,
  fileAccess: FileAccessPages,
): Promise<void> {
  const fileTarget = readPersistedFileTarget(state);
  const target = readPersistedTarget(state);
  if (fileTarget !== undefined) {
    await fileAccess.restore(panel, fileTarget);
  } else if (target === undefined) {
    panel.dispose();
  } else {
    AccessPanel.open(deps, target, panel);
  }
}

const createTab = (): vscode.WebviewPanel =>
  vscode.window.createWebviewPanel(webviews.access, '', vscode.ViewColumn.Active);

/** A tab with Effective Access; disposed with the tab. */
class AccessPanel {
  readonly #target: SubjectTarget;
  readonly #log: Log;
  readonly #drafts: MatrixDrafts;
  readonly #store = new DisposableStore();
  readonly #channel: WebviewChannel<ToAccessPage>;
  readonly #feed: SubjectFeed;

  /** @param panel a new tab, or one that VS Code has restored */
  static open(deps: RulesPageDeps, target: SubjectTarget, panel: vscode.WebviewPanel): AccessPanel {
    return new AccessPanel(deps, target, panel);
  }

  private constructor(deps: RulesPageDeps, target: SubjectTarget, panel: vscode.WebviewPanel) {
    this.#target = target;
    this.#log = deps.log;
    this.#drafts = deps.matrixDrafts;
    const { subject } = target;
    const title = vscode.l10n.t('Effective Access: {0}', getSubjectTitle(subject));
    this.#store.add(new PanelTitle(panel, deps.connections, target.connectionId)).set(title);
    this.#store.add(deps.activePanels.track(panel, target.connectionId));
    panel.iconPath = new vscode.ThemeIcon('shield');
    panel.onDidDispose(() => this.#store.dispose());
    this.#channel = this.#store.add(
      openWebviewChannel<FromAccess, ToAccessPage>(
        panel.webview,
        fromAccessSchema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    this.#feed = this.#store.add(
      new SubjectFeed(deps, target, {
        post: (message) => this.#channel.post(message),
        loadRules: (session) => fetchRules(session, subject),
      }),
    );
    this.#store.add(
      this.#drafts.onDidChange((key) => {
        if (key === getServerDraftKey(target)) {
          this.#postUnapplied();
        }
      }),
    );
    renderPage(panel.webview, { extensionUri: deps.extensionUri, bundle: 'access', title });
  }

  async #receive(message: FromAccess): Promise<void> {
    switch (message.type) {
      case 'ready': {
        const { connectionId, subject } = this.#target;
        this.#channel.post({
          type: 'identity',
          rulesReference: { connectionId, resource: { kind: 'rules', subject } },
        });
        this.#postUnapplied();
        await this.#feed.reload();
        break;
      }
      case 'reload':
        await this.#feed.reload();
        break;
      case 'findParty':
        await this.#feed.postParty(message.partyType, message.text);
        break;
      case 'membership':
        await this.#feed.postMembership(message.user);
        break;
      case 'searchUserAgain':
        await this.#feed.searchUserAgain(message.user);
        break;
      case 'importMembership':
        await runCommand('datamodelStudio.access.importMembership', {
          connectionId: this.#target.connectionId,
        });
        break;
      case 'openRule':
        await this.#openRule(message.index);
        break;
      case 'editRules':
        await runCommand('datamodelStudio.access.editMatrix', this.#target);
        break;
      case 'export':
        await saveReport(
          message,
          {
            title: vscode.l10n.t('Save Effective Access'),
            name: `who-sees-what-${getSubjectTitle(this.#target.subject)}`,
          },
          this.#log,
        );
        break;
    }
  }

  #postUnapplied(): void {
    this.#channel.post({ type: 'unapplied', draft: this.#drafts.read(getServerDraftKey(this.#target)) });
  }

  async #openRule(index: number): Promise<void> {
    const rule = this.#feed.rules[index];
    if (rule === undefined) {
      return;
    }
    const { connectionId, subject } = this.#target;
    const { table, column, _id: ruleId } = rule;
    const containerNames = [getSubjectTitle(subject), vscode.l10n.t('Data Security')];
    await runCommand('datamodelStudio.documents.open', {
      connectionId,
      resource: ruleId ? { kind: 'rule', subject, ruleId } : { kind: 'columnRules', subject, table, column },
      name: `${table}.${column}`,
      within: containerNames,
    });
  }
}
