import * as vscode from 'vscode';
import { createCellEditOperation } from '../../changes/operations/ruleMatrixActions.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import type { SubjectTarget } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { showWarning } from '../../platform/messages.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { withConnectionName, PanelTitle } from '../../platform/connectionSuffix.ts';
import { openWebviewChannel, renderPage, type WebviewChannel } from '../../platform/webviews.ts';
import {
  type FromMatrix,
  fromMatrixSchema,
  type PersistedDraft,
  type MatrixCellChange,
  type ToMatrix,
} from '../../webviews/protocol/ruleMatrix.ts';
import { deserializeCellEdit } from '../../security/matrix/serializedDraft.ts';
import { hashDocument } from '../../changes/model/documentHash.ts';
import { DocumentReader } from '../../changes/model/documentReader.ts';
import { ConflictError } from '../../changes/run/writeErrors.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { MatrixDrafts } from './matrixDrafts.ts';
import { fetchRules } from './fetchRules.ts';
import { SubjectFeed } from './subjectFeed.ts';

const emptyDraft: PersistedDraft = { cells: [], parties: [], columns: [] };

type ApplyOutcome = Omit<Extract<ToMatrix, { type: 'outcome' }>, 'type'>;

interface MatrixPanelCallbacks {
  readonly onClosed: () => void;
  /** Called when the user asks to open the matrix again. */
  readonly onReopen: () => void;
}

/** A tab with the rule matrix of a datamodel or cube set; disposed with the tab. */
export class MatrixPanel {
  readonly #deps: AccessFeatureDeps;
  readonly #target: SubjectTarget;
  readonly #callbacks: MatrixPanelCallbacks;
  readonly #title: string;
  readonly #panelTitle: PanelTitle;
  readonly #store = new DisposableStore();
  readonly #panel: vscode.WebviewPanel;
  readonly #channel: WebviewChannel<ToMatrix>;
  readonly #feed: SubjectFeed;
  readonly #drafts: MatrixDrafts;

  /** @param panel a new tab, or one that VS Code has restored */
  constructor(
    deps: AccessFeatureDeps,
    target: SubjectTarget,
    panel: vscode.WebviewPanel,
    callbacks: MatrixPanelCallbacks,
  ) {
    this.#deps = deps;
    this.#target = target;
    this.#callbacks = callbacks;
    const { subject } = target;
    this.#drafts = new MatrixDrafts(deps.matrixDrafts, this.#target);
    this.#title = vscode.l10n.t('Rules: {0}', getSubjectTitle(subject));
    this.#panel = panel;
    this.#panelTitle = this.#store.add(new PanelTitle(panel, deps.connections, target.connectionId));
    this.#panelTitle.set(this.#title);
    this.#store.add(deps.activePanels.track(panel, target.connectionId));
    this.#panel.iconPath = new vscode.ThemeIcon('table');
    this.#panel.onDidDispose(() => this.#handleClosed());
    this.#channel = this.#store.add(
      openWebviewChannel<FromMatrix, ToMatrix>(
        this.#panel.webview,
        fromMatrixSchema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    this.#feed = this.#store.add(
      new SubjectFeed(deps, this.#target, {
        post: (message) => this.#channel.post(message),
        loadRules: (session) => fetchRules(session, subject),
      }),
    );
    renderPage(this.#panel.webview, {
      extensionUri: deps.extensionUri,
      bundle: 'ruleMatrix',
      title: this.#title,
    });
  }

  reveal(): void {
    this.#panel.reveal();
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  /** Asks the page to apply its changes: only the page has the text that is being typed. */
  requestApply(): void {
    this.#channel.post({ type: 'applyRequested' });
  }

  async #receive(message: FromMatrix): Promise<void> {
    switch (message.type) {
      case 'ready': {
        const { connectionId, subject } = this.#target;
        const resource = { kind: 'rules', subject };
        this.#channel.post({ type: 'identity', rules: { connectionId, resource } });
        const draft = this.#drafts.read();
        if (draft !== undefined) {
          this.#channel.post({ type: 'draft', draft });
          this.#updateTitle(draft);
        }
        await this.#feed.reload();
        break;
      }
      case 'reload':
        await this.#feed.reload();
        break;
      case 'findParty':
        await this.#feed.findParty(message.partyType, message.text);
        break;
      case 'openAccess':
        await runCommand('datamodelStudio.access.open', this.#target);
        break;
      case 'openRules':
        await this.#openRules(message.column);
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
    const outcome = await this.#applyCells(cells);
    if (outcome.outcome === 'applied') {
      this.#persistDraft(emptyDraft);
    }
    if (outcome.outcome !== 'cancelled') {
      await this.#feed.load();
    }
    if (!this.#store.isDisposed) {
      this.#channel.post({ type: 'outcome', ...outcome });
    }
  }

  async #applyCells(cells: readonly MatrixCellChange[]): Promise<ApplyOutcome> {
    const { connectionId, subject } = this.#target;
    try {
      const { client } = await this.#deps.sessions.get(connectionId);
      const ref = { kind: 'rules', subject } as const;
      const document = await new DocumentReader(client).readDocument(ref);
      const operation = createCellEditOperation(
        { connectionId, within: [] },
        subject,
        document,
        cells.map(deserializeCellEdit),
      );
      if (typeof operation === 'string') {
        return { outcome: operation === 'unchanged' ? 'applied' : operation };
      }
      const expected = [{ ref, hash: hashDocument('rules', document) }];
      const report = await this.#deps.performer.perform(operation, {
        expectedVersions: expected,
        alwaysReview: true,
      });
      return { outcome: report === undefined ? 'cancelled' : 'applied' };
    } catch (error) {
      if (error instanceof ConflictError) {
        return { outcome: 'conflict' };
      }
      this.#deps.log.warn('access', 'Applying the matrix failed', { reason: String(error) });
      return { outcome: 'failed', message: getUserMessage(error) };
    }
  }

  async #openRules(column: { readonly table: string; readonly column: string } | undefined): Promise<void> {
    const { connectionId, subject } = this.#target;
    const dataSecurity = vscode.l10n.t('Data Security');
    await runCommand('datamodelStudio.documents.open', {
      connectionId,
      ...(column === undefined
        ? {
            resource: { kind: 'rules', subject },
            name: dataSecurity,
            within: [getSubjectTitle(subject)],
          }
        : {
            resource: { kind: 'columnRules', subject, table: column.table, column: column.column },
            name: `${column.table}.${column.column}`,
            within: [getSubjectTitle(subject), dataSecurity],
          }),
    });
  }

  #persistDraft(draft: PersistedDraft): void {
    this.#drafts.write(draft);
    this.#updateTitle(draft);
  }

  /** Marks unsaved changes in the title, like VS Code does for documents. */
  #updateTitle({ cells }: PersistedDraft): void {
    if (!this.#store.isDisposed) {
      this.#panelTitle.set(cells.length === 0 ? this.#title : `● ${this.#title}`);
    }
  }

  /** A webview cannot prevent its tab from closing: unapplied changes are kept, and the user is notified. */
  #handleClosed(): void {
    this.#store.dispose();
    this.#callbacks.onClosed();
    const draft = this.#drafts.read();
    if (draft === undefined) {
      return;
    }
    if (this.#deps.connections.find(this.#target.connectionId) === undefined) {
      // The connection was removed, so the matrix cannot be opened again.
      this.#drafts.write(emptyDraft);
    } else {
      void this.#offerToReopen(draft);
    }
  }

  async #offerToReopen({ cells }: PersistedDraft): Promise<void> {
    const openAgainLabel = vscode.l10n.t('Reopen');
    const discardLabel = vscode.l10n.t('Discard');
    const { connectionId, subject } = this.#target;
    const title = withConnectionName(this.#deps.connections, connectionId, getSubjectTitle(subject));
    const choice = await showWarning(
      cells.length === 1
        ? vscode.l10n.t(
            'You have 1 unapplied change to the rules of {0}. It will be restored when you reopen the grid.',
            title,
          )
        : vscode.l10n.t(
            'You have {0} unapplied changes to the rules of {1}. They will be restored when you reopen the grid.',
            cells.length,
            title,
          ),
      openAgainLabel,
      discardLabel,
    );
    if (choice === openAgainLabel) {
      this.#callbacks.onReopen();
    } else if (choice === discardLabel) {
      this.#drafts.write(emptyDraft);
    }
  }
}
