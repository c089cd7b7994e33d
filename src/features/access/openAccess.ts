import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { subjectTitle } from '../../catalog/ruleSubject.ts';
import type { SubjectTarget } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { openChannel, showPage } from '../../platform/webviews.ts';
import { type FromAccess, fromAccessSchema, type ToAccess } from '../../protocol/access.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { exportText } from './exportText.ts';
import { pickSubject } from './pickSubject.ts';
import { SubjectFeed } from './subjectFeed.ts';

/** Opens the page for a datamodel or cube set; asks which when none was passed. */
export async function openAccess(deps: AccessFeatureDeps, target: SubjectTarget | undefined): Promise<void> {
  const subject = await pickSubject(deps, target, vscode.l10n.t('Who Sees What'));
  if (subject !== undefined) {
    AccessPanel.open(deps, subject);
  }
}

/** One page of the access explorer, alive as long as its tab. */
class AccessPanel {
  readonly #target: SubjectTarget;
  readonly #store = new DisposableStore();
  readonly #feed: SubjectFeed;

  static open(deps: AccessFeatureDeps, target: SubjectTarget): AccessPanel {
    return new AccessPanel(deps, target);
  }

  private constructor(deps: AccessFeatureDeps, target: SubjectTarget) {
    this.#target = target;
    const { subject } = target;
    const title = vscode.l10n.t('Who Sees What: {0}', subjectTitle(subject));
    const panel = vscode.window.createWebviewPanel('datamodelStudio.access', title, vscode.ViewColumn.Active);
    panel.iconPath = new vscode.ThemeIcon('shield');
    panel.onDidDispose(() => this.#store.dispose());
    const channel = this.#store.add(
      openChannel<FromAccess, ToAccess>(
        panel.webview,
        fromAccessSchema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    this.#feed = this.#store.add(
      new SubjectFeed(deps, target, {
        post: (message) => channel.post(message),
        rules: ({ catalog }) => catalog.rules(subject),
      }),
    );
    showPage(panel.webview, { extensionUri: deps.extensionUri, bundle: 'access', title });
  }

  async #receive(message: FromAccess): Promise<void> {
    switch (message.type) {
      case 'ready':
      case 'reload':
        await this.#feed.load();
        break;
      case 'findGroup':
        await this.#feed.findGroup(message.name);
        break;
      case 'openRule':
        await this.#openRule(message.index);
        break;
      case 'editRules':
        await runCommand('datamodelStudio.access.editMatrix', this.#target);
        break;
      case 'export':
        await exportText(message, subjectTitle(this.#target.subject));
        break;
    }
  }

  async #openRule(index: number): Promise<void> {
    const rule = this.#feed.rules[index];
    if (rule === undefined) {
      return;
    }
    const { connectionId, subject } = this.#target;
    const { table, column, _id: ruleId } = rule;
    const within = [subjectTitle(subject), vscode.l10n.t('Data Security')];
    await runCommand('datamodelStudio.documents.open', {
      connectionId,
      resource: ruleId ? { kind: 'rule', subject, ruleId } : { kind: 'columnRules', subject, table, column },
      name: `${table}.${column}`,
      within,
    });
  }
}
