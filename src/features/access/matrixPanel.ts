import * as vscode from 'vscode';
import { changeCells } from '../../changes/operations/ruleMatrixActions.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { subjectTitle } from '../../catalog/ruleSubject.ts';
import type { SubjectTarget } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { showWarning } from '../../platform/messages.ts';
import { userMessage } from '../../platform/userErrors.ts';
import { sayingWhich, TabTitle } from '../../platform/whichConnection.ts';
import { openChannel, showPage, type WebviewChannel } from '../../platform/webviews.ts';
import {
  type FromMatrix,
  fromMatrixSchema,
  type KeptDraft,
  type SentCell,
  type ToMatrix,
} from '../../webviews/protocol/ruleMatrix.ts';
import { cellEdit } from '../../security/matrix/keptDraft.ts';
import { documentHash } from '../../changes/model/documentHash.ts';
import { DocumentReader } from '../../changes/model/documentReader.ts';
import { ConflictError } from '../../changes/run/problems.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { MatrixDrafts } from './matrixDrafts.ts';
import { rulesNow } from './rulesNow.ts';
import { SubjectFeed } from './subjectFeed.ts';

const noDraft: KeptDraft = { cells: [], parties: [], columns: [] };

type Outcome = Omit<Extract<ToMatrix, { type: 'outcome' }>, 'type'>;

interface PanelEvents {
  readonly closed: () => void;
  /** The person wants it back. */
  readonly again: () => void;
}

/** One page of the matrix, alive as long as its tab. */
export class MatrixPanel {
  readonly #deps: AccessFeatureDeps;
  readonly #target: SubjectTarget;
  readonly #events: PanelEvents;
  readonly #title: string;
  readonly #tab: TabTitle;
  readonly #store = new DisposableStore();
  readonly #panel: vscode.WebviewPanel;
  readonly #channel: WebviewChannel<ToMatrix>;
  readonly #feed: SubjectFeed;
  readonly #drafts: MatrixDrafts;

  /** @param panel a new tab, or one that the editor has brought back */
  constructor(
    deps: AccessFeatureDeps,
    target: SubjectTarget,
    panel: vscode.WebviewPanel,
    events: PanelEvents,
  ) {
    this.#deps = deps;
    this.#target = target;
    this.#events = events;
    const { subject } = target;
    this.#drafts = new MatrixDrafts(deps.matrixDrafts, this.#target);
    this.#title = vscode.l10n.t('Rules: {0}', subjectTitle(subject));
    this.#panel = panel;
    this.#tab = this.#store.add(new TabTitle(panel, deps.connections, target.connectionId));
    this.#tab.set(this.#title);
    this.#panel.iconPath = new vscode.ThemeIcon('table');
    this.#panel.onDidDispose(() => this.#closed());
    this.#channel = this.#store.add(
      openChannel<FromMatrix, ToMatrix>(
        this.#panel.webview,
        fromMatrixSchema,
        (message) => this.#receive(message),
        deps.log,
      ),
    );
    this.#feed = this.#store.add(
      new SubjectFeed(deps, this.#target, {
        post: (message) => this.#channel.post(message),
        rules: (session) => rulesNow(session, subject),
      }),
    );
    showPage(this.#panel.webview, {
      extensionUri: deps.extensionUri,
      bundle: 'ruleMatrix',
      title: this.#title,
    });
  }

  reveal(): void {
    this.#panel.reveal();
  }

  async #receive(message: FromMatrix): Promise<void> {
    switch (message.type) {
      case 'ready': {
        const { connectionId, subject } = this.#target;
        const resource = { kind: 'rules', subject };
        this.#channel.post({ type: 'place', place: { connectionId, resource } });
        const draft = this.#drafts.read();
        if (draft !== undefined) {
          this.#channel.post({ type: 'draft', draft });
          this.#mark(draft);
        }
        await this.#feed.loadAnew();
        break;
      }
      case 'reload':
        await this.#feed.loadAnew();
        break;
      case 'findParty':
        await this.#feed.findParty(message.partyType, message.text);
        break;
      case 'openAccess':
        await runCommand('datamodelStudio.access.open', this.#target);
        break;
      case 'openRules':
        await this.#openRules(message.of);
        break;
      case 'draft':
        this.#keep(message.draft);
        break;
      case 'apply':
        await this.#apply(message.cells);
        break;
    }
  }

  /** The rules are told anew before the outcome: what was applied is then no change any more. */
  async #apply(cells: readonly SentCell[]): Promise<void> {
    const outcome = await this.#perform(cells);
    if (outcome.outcome === 'applied') {
      this.#keep(noDraft);
    }
    if (outcome.outcome !== 'cancelled') {
      await this.#feed.load();
    }
    if (!this.#store.isDisposed) {
      this.#channel.post({ type: 'outcome', ...outcome });
    }
  }

  async #perform(cells: readonly SentCell[]): Promise<Outcome> {
    const { connectionId, subject } = this.#target;
    try {
      const { client } = await this.#deps.sessions.get(connectionId);
      const ref = { kind: 'rules', subject } as const;
      const document = await new DocumentReader(client).document(ref);
      const operation = changeCells({ connectionId, within: [] }, subject, document, cells.map(cellEdit));
      if (typeof operation === 'string') {
        return { outcome: operation === 'unchanged' ? 'applied' : operation };
      }
      const expected = [{ ref, hash: documentHash('rules', document) }];
      const report = await this.#deps.performer.perform(operation, { expect: expected, review: true });
      return { outcome: report === undefined ? 'cancelled' : 'applied' };
    } catch (error) {
      if (error instanceof ConflictError) {
        return { outcome: 'conflict' };
      }
      this.#deps.log.warn('access', 'Applying the matrix failed', { reason: String(error) });
      return { outcome: 'failed', message: userMessage(error) };
    }
  }

  async #openRules(of: { readonly table: string; readonly column: string } | undefined): Promise<void> {
    const { connectionId, subject } = this.#target;
    const dataSecurity = vscode.l10n.t('Data Security');
    await runCommand('datamodelStudio.documents.open', {
      connectionId,
      ...(of === undefined
        ? {
            resource: { kind: 'rules', subject },
            name: dataSecurity,
            within: [subjectTitle(subject)],
          }
        : {
            resource: { kind: 'columnRules', subject, table: of.table, column: of.column },
            name: `${of.table}.${of.column}`,
            within: [subjectTitle(subject), dataSecurity],
          }),
    });
  }

  #keep(draft: KeptDraft): void {
    this.#drafts.write(draft);
    this.#mark(draft);
  }

  /** Unsaved changes are marked as the editor marks them in documents. */
  #mark({ cells }: KeptDraft): void {
    if (!this.#store.isDisposed) {
      this.#tab.set(cells.length === 0 ? this.#title : `● ${this.#title}`);
    }
  }

  /** A tab of a page cannot ask before it closes: what was not applied is kept, and said. */
  #closed(): void {
    this.#store.dispose();
    this.#events.closed();
    const draft = this.#drafts.read();
    if (draft === undefined) {
      return;
    }
    if (this.#deps.connections.find(this.#target.connectionId) === undefined) {
      // Its matrix can never be opened again.
      this.#drafts.write(noDraft);
    } else {
      void this.#offerAgain(draft);
    }
  }

  async #offerAgain({ cells }: KeptDraft): Promise<void> {
    const again = vscode.l10n.t('Open Again');
    const discard = vscode.l10n.t('Discard');
    const { connectionId, subject } = this.#target;
    const title = sayingWhich(this.#deps.connections, connectionId, subjectTitle(subject));
    const choice = await showWarning(
      cells.length === 1
        ? vscode.l10n.t(
            'One change of the rules of {0} was not applied. It is kept until you open the matrix again.',
            title,
          )
        : vscode.l10n.t(
            '{0} changes of the rules of {1} were not applied. They are kept until you open the matrix again.',
            cells.length,
            title,
          ),
      again,
      discard,
    );
    if (choice === again) {
      this.#events.again();
    } else if (choice === discard) {
      this.#drafts.write(noDraft);
    }
  }
}
