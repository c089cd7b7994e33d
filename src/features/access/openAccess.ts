import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { sameSubject, subjectTitle } from '../../catalog/ruleSubject.ts';
import type { SessionChange } from '../../connections/sessions.ts';
import type { SubjectTarget } from '../../contributions.ts';
import type { Rule } from '../../contract/rule.ts';
import { runCommand } from '../../platform/commands.ts';
import { userMessage } from '../../platform/userErrors.ts';
import { openChannel, showPage, type WebviewChannel } from '../../platform/webviews.ts';
import { type FromAccess, fromAccessSchema, type ToAccess } from '../../protocol/access.ts';
import { accessData, partiesOfRules, partiesOfViewpoints } from './accessData.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { exportText } from './exportText.ts';
import { pickSubject } from './pickSubject.ts';

/** Opens the page for a datamodel or cube set; asks which when none was passed. */
export async function openAccess(deps: AccessFeatureDeps, target: SubjectTarget | undefined): Promise<void> {
  const subject = await pickSubject(deps, target);
  if (subject !== undefined) {
    AccessPanel.open(deps, subject);
  }
}

/** One page of the access explorer, alive as long as its tab. */
class AccessPanel {
  readonly #deps: AccessFeatureDeps;
  readonly #target: SubjectTarget;
  readonly #store = new DisposableStore();
  readonly #channel: WebviewChannel<ToAccess>;
  /** The rules as the page was given them. */
  #rules: readonly Rule[] = [];
  #loads = 0;

  static open(deps: AccessFeatureDeps, target: SubjectTarget): AccessPanel {
    return new AccessPanel(deps, target);
  }

  private constructor(deps: AccessFeatureDeps, target: SubjectTarget) {
    this.#deps = deps;
    this.#target = target;
    const title = vscode.l10n.t('Who Sees What: {0}', subjectTitle(target.subject));
    const panel = vscode.window.createWebviewPanel('datamodelStudio.access', title, vscode.ViewColumn.Active);
    panel.iconPath = new vscode.ThemeIcon('shield');
    panel.onDidDispose(() => this.#store.dispose());
    this.#channel = this.#store.add(
      openChannel<FromAccess, ToAccess>(
        panel.webview,
        fromAccessSchema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    this.#store.add(deps.sessions.onDidChangeCatalog((change) => void this.#changed(change)));
    this.#store.add(deps.sessions.onDidEnd((connectionId) => this.#ended(connectionId)));
    showPage(panel.webview, { extensionUri: deps.extensionUri, bundle: 'access', title });
  }

  async #receive(message: FromAccess): Promise<void> {
    switch (message.type) {
      case 'ready':
      case 'reload':
        await this.#load();
        break;
      case 'findGroup':
        await this.#findGroup(message.name);
        break;
      case 'openRule':
        await this.#openRule(message.index);
        break;
      case 'export':
        await exportText(message, subjectTitle(this.#target.subject));
        break;
    }
  }

  /** A tab that was closed meanwhile takes no messages. */
  #post(message: ToAccess): void {
    if (!this.#store.isDisposed) {
      this.#channel.post(message);
    }
  }

  /** Loads overlap when things change quickly: only the last one is told. */
  async #load(): Promise<void> {
    const { connectionId, subject } = this.#target;
    this.#loads += 1;
    const load = this.#loads;
    try {
      const session = await this.#deps.sessions.get(connectionId);
      const data = await accessData(session, subject, this.#deps.log);
      if (load !== this.#loads) {
        return;
      }
      this.#rules = data.rules as readonly Rule[];
      this.#post(data);
      this.#post({ type: 'parties', parties: partiesOfRules(this.#rules) });
    } catch (error) {
      if (load === this.#loads) {
        this.#post({ type: 'failed', message: userMessage(error) });
      }
      return;
    }
    await this.#loadMoreParties();
  }

  /** Instances without viewpoints answer with an error (spec, "Versioning"); the page does without their names. */
  async #loadMoreParties(): Promise<void> {
    try {
      const { catalog } = await this.#deps.sessions.get(this.#target.connectionId);
      const { viewpoints } = await catalog.viewpoints.first();
      const known = new Set(partiesOfRules(this.#rules).map(({ type, id }) => `${type}:${id}`));
      const parties = partiesOfViewpoints(viewpoints).filter(({ type, id }) => !known.has(`${type}:${id}`));
      this.#post({ type: 'parties', parties });
    } catch (error) {
      this.#deps.log.debug('access', 'No parties of viewpoints', { reason: String(error) });
    }
  }

  async #findGroup(name: string): Promise<void> {
    try {
      const { client } = await this.#deps.sessions.get(this.#target.connectionId);
      const { value } = await client.groups.find(name);
      this.#post({ type: 'group', name, ...(value === undefined ? {} : { id: value._id }) });
    } catch (error) {
      this.#post({ type: 'group', name, problem: userMessage(error) });
    }
  }

  async #openRule(index: number): Promise<void> {
    const rule = this.#rules[index];
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

  /** What was read through a session that has ended is no longer to be shown. */
  #ended(connectionId: string): void {
    if (connectionId === this.#target.connectionId) {
      this.#loads += 1;
      this.#post({
        type: 'failed',
        message: vscode.l10n.t('The connection was closed or changed.'),
      });
    }
  }

  async #changed({ connectionId, change }: SessionChange): Promise<void> {
    const isMeant =
      change.kind === 'all' ||
      change.kind === 'datamodels' ||
      change.kind === 'datamodel' ||
      (change.kind === 'rules' && sameSubject(change.subject, this.#target.subject));
    if (connectionId === this.#target.connectionId && isMeant) {
      await this.#load();
    }
  }
}
