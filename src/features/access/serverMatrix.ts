import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import { hashDocument } from '../../changes/model/documentHash.ts';
import { DocumentReader } from '../../changes/model/documentReader.ts';
import { createCellEditOperation } from '../../changes/operations/ruleMatrixActions.ts';
import { ConflictError } from '../../changes/run/writeErrors.ts';
import type { SubjectTarget } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { PanelTitle, withConnectionName } from '../../platform/connectionSuffix.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { deserializeCellEdit } from '../../security/matrix/serializedDraft.ts';
import type { RulesReference } from '../../webviews/protocol/access.ts';
import type {
  MatrixPageMessage,
  MatrixCellChange,
  MatrixHostMessage,
} from '../../webviews/protocol/ruleMatrix.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { fetchRules } from './fetchRules.ts';
import { getServerDraftKey } from './matrixDrafts.ts';
import type { ApplyOutcome, MatrixSource } from './matrixSource.ts';
import { SubjectFeed } from './subjectFeed.ts';

const t = vscode.l10n.t;

/** The rules of a datamodel or cube set on a server, in the grid. */
export class ServerMatrix implements MatrixSource {
  readonly rulesReference: RulesReference;
  readonly draftKey: string;
  readonly title: string;
  readonly #deps: AccessFeatureDeps;
  readonly #target: SubjectTarget;
  readonly #store = new DisposableStore();
  readonly #panelTitle: PanelTitle;
  readonly #feed: SubjectFeed;
  readonly #post: (message: MatrixHostMessage) => void;

  constructor(
    deps: AccessFeatureDeps,
    target: SubjectTarget,
    panel: vscode.WebviewPanel,
    post: (message: MatrixHostMessage) => void,
  ) {
    this.#deps = deps;
    this.#target = target;
    this.#post = post;
    const { connectionId, subject } = target;
    this.rulesReference = { connectionId, resource: { kind: 'rules', subject } };
    this.draftKey = getServerDraftKey(target);
    this.title = t('Rules: {0}', getSubjectTitle(subject));
    this.#panelTitle = this.#store.add(new PanelTitle(panel, deps.connections, connectionId));
    this.#store.add(deps.activePanels.track(panel, connectionId));
    this.#store.add(deps.connections.onDidChange(() => this.#postReadOnly()));
    this.#feed = this.#store.add(
      new SubjectFeed(deps, target, { post, loadRules: (session) => fetchRules(session, subject) }),
    );
  }

  get name(): string {
    const { connectionId, subject } = this.#target;
    return withConnectionName(this.#deps.connections, connectionId, getSubjectTitle(subject));
  }

  get canReopen(): boolean {
    return this.#deps.connections.find(this.#target.connectionId) !== undefined;
  }

  setTitle(title: string): void {
    this.#panelTitle.set(title);
  }

  async reload(): Promise<void> {
    this.#postReadOnly();
    await this.#feed.reload();
  }

  async load(): Promise<void> {
    this.#postReadOnly();
    await this.#feed.load();
  }

  retryEditing(): void {
    const session = this.#deps.sessions.peek(this.#target.connectionId);
    if (session !== undefined) {
      delete session.client.capabilities.allowsRuleChanges;
    }
    this.#postReadOnly();
  }

  /**
   * Posts whether the grid is read-only, and why. Some reasons are known only after the server has refused a change.
   */
  #postReadOnly(): void {
    if (this.#store.isDisposed) {
      return;
    }
    const { connectionId } = this.#target;
    const connection = this.#deps.connections.find(connectionId);
    if (connection?.role === 'read-only') {
      this.#post({
        type: 'readOnly',
        reason: t(
          '{0} is read-only. To make changes, edit the connection and change its role.',
          connection.name,
        ),
      });
    } else if (this.#deps.sessions.peek(connectionId)?.client.capabilities.allowsRuleChanges === false) {
      this.#post({
        type: 'readOnly',
        reason: t(
          'The grid is read-only because only administrators can change data security rules. Unapplied changes are kept.',
        ),
        canRetry: true,
      });
    } else {
      this.#post({ type: 'readOnly' });
    }
  }

  postParty(type: 'user' | 'group', text: string): Promise<void> {
    return this.#feed.postParty(type, text);
  }

  async openAccess(): Promise<void> {
    await runCommand('datamodelStudio.access.open', this.#target);
  }

  async openRules(column: Extract<MatrixPageMessage, { type: 'openRules' }>['column']): Promise<void> {
    const { connectionId, subject } = this.#target;
    const dataSecurity = t('Data Security');
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

  /** Performs one operation for all cells, after a review of its plan. */
  async apply(cells: readonly MatrixCellChange[]): Promise<ApplyOutcome> {
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
      const report = await this.#deps.changeReview.perform(operation, {
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
    } finally {
      this.#postReadOnly();
    }
  }

  dispose(): void {
    this.#store.dispose();
  }
}
