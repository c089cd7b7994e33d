import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { openWebviewChannel, renderPage, type WebviewChannel } from '../../platform/webviews.ts';
import {
  type FileRulesReference,
  type FromAccess,
  fromAccessSchema,
} from '../../webviews/protocol/access.ts';
import type { ToAccessPage } from '../../webviews/protocol/accessPage.ts';
import type { RulesPageDeps } from './deps.ts';
import { FileAccessFeed, getRulesSubjectTitle } from './fileAccessFeed.ts';
import { getFileTargetKey } from './fileTarget.ts';
import { saveReport } from './saveReport.ts';

interface FileAccessCallbacks {
  readonly onClosed: () => void;
  /** Opens the rules in the grid. */
  readonly editRules: () => Promise<void>;
}

/** A tab with Effective Access as the files of a project define it, including their unsaved changes. */
export class FileAccessPanel {
  readonly #deps: RulesPageDeps;
  readonly #target: FileRulesReference;
  readonly #panel: vscode.WebviewPanel;
  readonly #store = new DisposableStore();
  readonly #channel: WebviewChannel<ToAccessPage>;
  readonly #feed: FileAccessFeed;
  readonly #editRules: () => Promise<void>;

  /** @param panel a new tab, or one that VS Code has restored */
  constructor(
    deps: RulesPageDeps,
    target: FileRulesReference,
    catalogs: FileCatalogs,
    panel: vscode.WebviewPanel,
    { onClosed, editRules }: FileAccessCallbacks,
  ) {
    this.#deps = deps;
    this.#target = target;
    this.#panel = panel;
    this.#editRules = editRules;
    const title = vscode.l10n.t(
      'Effective Access: {0} (files)',
      toPlainText(getRulesSubjectTitle(target.subject)),
    );
    panel.title = title;
    panel.iconPath = new vscode.ThemeIcon('shield');
    panel.onDidDispose(() => {
      this.#store.dispose();
      onClosed();
    });
    this.#channel = this.#store.add(
      openWebviewChannel<FromAccess, ToAccessPage>(
        panel.webview,
        fromAccessSchema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    this.#feed = this.#store.add(
      new FileAccessFeed(deps, target, catalogs, (message) => this.#channel.post(message)),
    );
    this.#store.add(
      deps.matrixDrafts.onDidChange((key) => {
        if (key === getFileTargetKey(target)) {
          this.#postUnapplied();
        }
      }),
    );
    renderPage(panel.webview, { extensionUri: deps.extensionUri, bundle: 'access', title });
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  get fileTarget(): FileRulesReference {
    return this.#target;
  }

  show(): void {
    this.#panel.reveal();
  }

  close(): void {
    this.#panel.dispose();
  }

  async #receive(message: FromAccess): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#channel.post({ type: 'identity', rulesReference: this.#target });
        this.#postUnapplied();
        await this.#feed.reload();
        break;
      case 'reload':
        await this.#feed.reload();
        break;
      case 'findParty':
        this.#feed.postParty(message.partyType, message.text);
        break;
      case 'membership':
        this.#feed.postMembership(message.user);
        break;
      case 'searchUserAgain':
        await this.#feed.searchUserAgain(message.user);
        break;
      case 'openRule':
        await this.#openRule(message.index);
        break;
      case 'export':
        await saveReport(
          message,
          {
            title: vscode.l10n.t('Save Effective Access'),
            name: `who-sees-what-${getRulesSubjectTitle(this.#target.subject)}`,
          },
          this.#deps.log,
        );
        break;
      case 'editRules':
        await this.#editRules();
        break;
      case 'importMembership':
        // The page doesn't offer this for files.
        break;
    }
  }

  #postUnapplied(): void {
    const draft = this.#deps.matrixDrafts.read(getFileTargetKey(this.#target));
    this.#channel.post({ type: 'unapplied', draft });
  }

  async #openRule(index: number): Promise<void> {
    const location = await this.#feed.locateRule(index);
    if (location !== undefined) {
      const { start } = location.range;
      await vscode.window.showTextDocument(location.uri, { selection: new vscode.Range(start, start) });
    }
  }
}
