import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Connection } from '../../connections/connection.ts';
import { type ConnectionTarget, schemes } from '../../contributions.ts';
import {
  createDocumentPath,
  getDocumentAddress,
  readDocumentAddress,
} from '../../documents/documentAddress.ts';
import { getDocumentKindForPath } from '../../json/language/documentKind.ts';
import { toTextRange } from '../../platform/textRange.ts';
import { LineOffsets } from '../../base/lineOffsets.ts';
import { type DocumentProblem, getDocumentProblems } from '../../json/language/problems.ts';
import { parseJsonTree } from '../../json/text/parseJsonTree.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { resolveTargetConnection } from '../../platform/pickConnection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { toDiagnostic } from './diagnostics.ts';
import { type InvalidDocument, InstanceValidator, type InstanceFindings } from './instanceValidator.ts';

/** The maximum number of documents that are read at the same time to create their diagnostics. */
const maxConcurrentReads = 6;

/**
 * Checks every viewpoint and rule of a connection, open or not. The problems of a document stay in the Problems view
 * until the next check, or until the document is opened: open documents are validated by `JsonDiagnostics`.
 */
export class InstanceDiagnostics implements Disposable {
  readonly #deps: JsonLanguageDeps;
  readonly #store = new DisposableStore();
  readonly #diagnostics = this.#store.add(vscode.languages.createDiagnosticCollection('datamodel-check'));

  constructor(deps: JsonLanguageDeps) {
    this.#deps = deps;
    this.#store.add(vscode.workspace.onDidOpenTextDocument(({ uri }) => this.#diagnostics.delete(uri)));
    this.#store.add(deps.sessions.onDidEnd((connectionId) => this.#clear(connectionId)));
  }

  /** Checks the connection of the target, or one that the user picks, and shows a summary. */
  async run(target: ConnectionTarget | undefined): Promise<void> {
    const connection = await resolveTargetConnection(this.#deps, target, {
      placeholder: vscode.l10n.t('Select the connection to check'),
    });
    if (connection === undefined) {
      return;
    }
    const title = toPlainText(vscode.l10n.t('Checking viewpoints and rules of {0}', connection.name));
    const findings = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (progress, token) =>
        this.#validate(connection, (message) => progress.report({ message: toPlainText(message) }), token),
    );
    // Not awaited: the message stays until it is dismissed.
    void showSummary(connection, findings);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #validate(
    connection: Connection,
    reportProgress: (message: string) => void,
    token: vscode.CancellationToken,
  ): Promise<InstanceFindings> {
    const abortController = new AbortController();
    const subscription = token.onCancellationRequested(() =>
      abortController.abort(new vscode.CancellationError()),
    );
    try {
      const session = await this.#deps.sessions.get(connection.id);
      const findings = await new InstanceValidator(
        { session, log: this.#deps.log },
        abortController.signal,
        reportProgress,
      ).run();
      this.#clear(connection.id);
      for (
        let start = 0;
        start < findings.invalidDocuments.length && !token.isCancellationRequested;
        start += maxConcurrentReads
      ) {
        reportProgress(
          vscode.l10n.t('Locating problems: {0} of {1}', start, findings.invalidDocuments.length),
        );
        await Promise.all(
          findings.invalidDocuments
            .slice(start, start + maxConcurrentReads)
            .map(async (invalidDocument) => this.#setDiagnosticsIfClosed(connection, invalidDocument)),
        );
      }
      return findings;
    } finally {
      subscription.dispose();
    }
  }

  async #setDiagnosticsIfClosed(connection: Connection, invalidDocument: InvalidDocument): Promise<void> {
    const containerNames = [connection.name, ...invalidDocument.within];
    const path = createDocumentPath({
      connectionId: connection.id,
      resource: invalidDocument.ref,
      name: invalidDocument.name,
      within: containerNames,
    });
    const uri = vscode.Uri.from({ scheme: schemes.document, ...getDocumentAddress(path) });
    const isOpen = (): boolean =>
      vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
    const diagnostics = isOpen() ? [] : await this.#createDiagnostics(uri, invalidDocument);
    if (diagnostics.length > 0 && !isOpen()) {
      this.#diagnostics.set(uri, diagnostics);
    }
  }

  /** Creates the diagnostics of a document, at their positions in the text that the editor would open. */
  async #createDiagnostics(
    uri: vscode.Uri,
    { problems, context }: InvalidDocument,
  ): Promise<vscode.Diagnostic[]> {
    try {
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      const lines = new LineOffsets(text);
      return getDocumentProblems(
        getDocumentKindForPath(uri.path) ?? 'viewpoint',
        parseJsonTree(text),
        context.catalog,
        context.knownValues,
      ).map((problem) => toDiagnostic(problem, toTextRange(lines, problem)));
    } catch (error) {
      // The document existed when the list was read, so its problems are reported without positions.
      this.#deps.log.info('catalog', 'A checked document could not be read', { reason: String(error) });
      return problems.map((problem: DocumentProblem) => toDiagnostic(problem, new vscode.Range(0, 0, 0, 0)));
    }
  }

  #clear(connectionId: string): void {
    const uris = [...this.#diagnostics]
      .map(([uri]) => uri)
      .filter((uri) => readDocumentAddress(uri)?.connectionId === connectionId);
    for (const uri of uris) {
      this.#diagnostics.delete(uri);
    }
  }
}

async function showSummary(
  connection: Connection,
  { checkedCount, invalidDocuments, unreadableNames }: InstanceFindings,
): Promise<void> {
  const count = invalidDocuments.reduce((sum, { problems }) => sum + problems.length, 0);
  const unreadableText =
    unreadableNames.length === 0
      ? ''
      : ` ${vscode.l10n.t('Not checked because reading failed: {0}.', unreadableNames.join(', '))}`;
  if (count === 0) {
    const successText = vscode.l10n.t(
      '{0}: no problems found. Checked viewpoints and columns with rules: {1}.',
      connection.name,
      checkedCount,
    );
    await (unreadableNames.length === 0
      ? showInformation(successText)
      : showWarning(successText + unreadableText));
    return;
  }
  const showLabel = vscode.l10n.t('Show Problems');
  const text =
    count === 1
      ? vscode.l10n.t(
          '{0}: 1 problem. Checked viewpoints and columns with rules: {1}.',
          connection.name,
          checkedCount,
        )
      : vscode.l10n.t(
          '{0}: {1} problems. Checked viewpoints and columns with rules: {3}, with problems: {2}.',
          connection.name,
          count,
          invalidDocuments.length,
          checkedCount,
        );
  if ((await showWarning(text + unreadableText, showLabel)) === showLabel) {
    await vscode.commands.executeCommand('workbench.actions.view.problems');
  }
}
