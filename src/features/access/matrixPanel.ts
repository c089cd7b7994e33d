import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { showWarning } from '../../platform/messages.ts';
import { openWebviewChannel, renderPage, type WebviewChannel } from '../../platform/webviews.ts';
import {
  type MatrixPageMessage,
  fromMatrixSchema,
  type PersistedDraft,
  type MatrixCellChange,
  type MatrixHostMessage,
} from '../../webviews/protocol/ruleMatrix.ts';
import type { FileRulesReference } from '../../webviews/protocol/access.ts';
import type { RulesPageDeps } from './deps.ts';
import { type MatrixDrafts, emptyDraft } from './matrixDrafts.ts';
import type { MatrixSource, MatrixSourceFactory } from './matrixSource.ts';

interface MatrixPanelCallbacks {
  readonly onClosed: () => void;
  /** Called when the user asks to open the matrix again. */
  readonly onReopen: () => void;
}

/** A tab with the rule matrix of a datamodel or cube set; disposed with the tab. */
export class MatrixPanel {
  readonly #callbacks: MatrixPanelCallbacks;
  readonly #store = new DisposableStore();
  readonly #panel: vscode.WebviewPanel;
  readonly #channel: WebviewChannel<MatrixHostMessage>;
  readonly #source: MatrixSource;
  readonly #drafts: MatrixDrafts;

  /** @param panel a new tab, or one that VS Code has restored */
  constructor(
    deps: RulesPageDeps,
    createSource: MatrixSourceFactory,
    panel: vscode.WebviewPanel,
    callbacks: MatrixPanelCallbacks,
  ) {
    this.#callbacks = callbacks;
    this.#panel = panel;
    this.#panel.iconPath = new vscode.ThemeIcon('table');
    this.#panel.onDidDispose(() => this.#handleClosed());
    this.#channel = this.#store.add(
      openWebviewChannel<MatrixPageMessage, MatrixHostMessage>(
        this.#panel.webview,
        fromMatrixSchema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    this.#source = this.#store.add(createSource(panel, (message) => this.#channel.post(message)));
    this.#drafts = deps.matrixDrafts;
    this.#source.setTitle(this.#source.title);
    renderPage(this.#panel.webview, {
      extensionUri: deps.extensionUri,
      bundle: 'ruleMatrix',
      title: this.#source.title,
    });
  }

  reveal(): void {
    this.#panel.reveal();
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  /** The rules of files that the grid shows; `undefined` if they are those of a server. */
  get fileTarget(): FileRulesReference | undefined {
    const { rulesReference } = this.#source;
    return 'folder' in rulesReference ? rulesReference : undefined;
  }

  /** Asks the page to apply its changes: only the page has the text that is being typed. */
  requestApply(): void {
    this.#channel.post({ type: 'applyRequested' });
  }

  async #receive(message: MatrixPageMessage): Promise<void> {
    switch (message.type) {
      case 'ready': {
        this.#channel.post({ type: 'identity', rulesReference: this.#source.rulesReference });
        const draft = this.#drafts.read(this.#source.draftKey);
        if (draft.cells.length > 0) {
          this.#channel.post({ type: 'draft', draft });
          this.#updateTitle(draft);
        }
        await this.#source.reload();
        break;
      }
      case 'reload':
        await this.#source.reload();
        break;
      case 'findParty':
        await this.#source.postParty(message.partyType, message.text);
        break;
      case 'openAccess':
        await this.#source.openAccess();
        break;
      case 'openRules':
        await this.#source.openRules(message.column);
        break;
      case 'retryEditing':
        this.#source.retryEditing?.();
        break;
      case 'draft':
        this.#persistDraft(message.draft);
        break;
      case 'apply':
        await this.#apply(message.cells);
        break;
    }
  }

  /** Posts the current rules before the outcome, so that applied changes no longer appear as changes. */
  async #apply(cells: readonly MatrixCellChange[]): Promise<void> {
    const outcome = await this.#source.apply(cells);
    if (outcome.outcome === 'applied') {
      this.#persistDraft(emptyDraft);
    }
    if (outcome.outcome !== 'cancelled') {
      await this.#source.load();
    }
    if (!this.#store.isDisposed) {
      this.#channel.post({ type: 'outcome', ...outcome });
    }
  }

  #persistDraft(draft: PersistedDraft): void {
    this.#drafts.write(this.#source.draftKey, draft);
    this.#updateTitle(draft);
  }

  /** Marks unsaved changes in the title, like VS Code does for documents. */
  #updateTitle({ cells }: PersistedDraft): void {
    if (!this.#store.isDisposed) {
      const { title } = this.#source;
      this.#source.setTitle(cells.length === 0 ? title : `● ${title}`);
    }
  }

  /**
   * A webview cannot prevent its tab from closing: unapplied changes are kept, and the user is notified. They are
   * discarded only if the rules can't be opened again.
   */
  #handleClosed(): void {
    this.#store.dispose();
    this.#callbacks.onClosed();
    const draft = this.#drafts.read(this.#source.draftKey);
    if (draft.cells.length === 0) {
      return;
    }
    if (this.#source.canReopen) {
      void this.#offerToReopen(draft);
    } else {
      this.#drafts.write(this.#source.draftKey, emptyDraft);
    }
  }

  async #offerToReopen({ cells }: PersistedDraft): Promise<void> {
    const reopenLabel = vscode.l10n.t('Reopen');
    const discardLabel = vscode.l10n.t('Discard');
    const { name } = this.#source;
    const choice = await showWarning(
      cells.length === 1
        ? vscode.l10n.t(
            'You have 1 unapplied change to the rules of {0}. It will be restored when you reopen the grid.',
            name,
          )
        : vscode.l10n.t(
            'You have {0} unapplied changes to the rules of {1}. They will be restored when you reopen the grid.',
            cells.length,
            name,
          ),
      reopenLabel,
      discardLabel,
    );
    if (choice === reopenLabel) {
      this.#callbacks.onReopen();
    } else if (choice === discardLabel) {
      this.#drafts.write(this.#source.draftKey, emptyDraft);
    }
  }
}
