import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Connection } from '../../connections/connection.ts';
import { type ConnectionTarget, schemes } from '../../contributions.ts';
import { documentPath, readDocumentPath } from '../../documents/documentAddress.ts';
import { jsonDocumentKind } from '../../json/language/documentKind.ts';
import { LineIndex } from '../../json/language/lineIndex.ts';
import { type DocumentProblem, problemsIn } from '../../json/language/problems.ts';
import { parseJson } from '../../json/text/parseJson.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { targetConnection } from '../../platform/pickConnection.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { toDiagnostic } from './diagnostics.ts';
import { type BadDocument, InstanceCheck, type InstanceFindings } from './instanceCheck.ts';

/** Documents that are read at the same time to place the marks. */
const atOnce = 6;

/**
 * Checks every viewpoint and rule of a connection, open or not. What is found stays in the Problems view until the
 * document is opened, which then tells its own, or the next check.
 */
export class CheckAll implements Disposable {
  readonly #deps: JsonLanguageDeps;
  readonly #store = new DisposableStore();
  readonly #found = this.#store.add(vscode.languages.createDiagnosticCollection('datamodel-check'));

  constructor(deps: JsonLanguageDeps) {
    this.#deps = deps;
    this.#store.add(vscode.workspace.onDidOpenTextDocument(({ uri }) => this.#found.delete(uri)));
    this.#store.add(deps.sessions.onDidEnd((connectionId) => this.#clear(connectionId)));
  }

  /** Asks which connection where none is given, and shows what was found. */
  async run(target: ConnectionTarget | undefined): Promise<void> {
    const connection = await targetConnection(this.#deps, target, {
      placeholder: vscode.l10n.t('Connection whose viewpoints and rules are checked'),
    });
    if (connection === undefined) {
      return;
    }
    const title = vscode.l10n.t('Checking viewpoints and rules of {0}', connection.name);
    const findings = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (progress, token) => this.#check(connection, (message) => progress.report({ message }), token),
    );
    // Not awaited: a message stays until it is read.
    void tell(connection, findings);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #check(
    connection: Connection,
    progress: (message: string) => void,
    token: vscode.CancellationToken,
  ): Promise<InstanceFindings> {
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
    try {
      const session = await this.#deps.sessions.get(connection.id);
      const findings = await new InstanceCheck(
        { session, log: this.#deps.log },
        abort.signal,
        progress,
      ).run();
      this.#clear(connection.id);
      for (let at = 0; at < findings.bad.length && !token.isCancellationRequested; at += atOnce) {
        progress(vscode.l10n.t('Placing marks: {0} of {1}', at, findings.bad.length));
        await Promise.all(
          findings.bad.slice(at, at + atOnce).map(async (bad) => this.#show(connection, bad)),
        );
      }
      return findings;
    } finally {
      subscription.dispose();
    }
  }

  async #show(connection: Connection, bad: BadDocument): Promise<void> {
    const within = [connection.name, ...bad.within];
    const path = documentPath({ connectionId: connection.id, resource: bad.ref, name: bad.name, within });
    const uri = vscode.Uri.from({ scheme: schemes.document, path });
    const isOpen = (): boolean =>
      vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
    const diagnostics = isOpen() ? [] : await this.#diagnosticsOf(uri, bad);
    if (diagnostics.length > 0 && !isOpen()) {
      this.#found.set(uri, diagnostics);
    }
  }

  /** Marks are placed in the text as it is when the document is opened. */
  async #diagnosticsOf(uri: vscode.Uri, { problems, catalog }: BadDocument): Promise<vscode.Diagnostic[]> {
    try {
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      const lines = new LineIndex(text);
      const position = (offset: number): vscode.Position => {
        const { line, character } = lines.positionAt(offset);
        return new vscode.Position(line, character);
      };
      return problemsIn(jsonDocumentKind(uri.path) ?? 'viewpoint', parseJson(text), catalog).map((problem) =>
        toDiagnostic(problem, new vscode.Range(position(problem.start), position(problem.end))),
      );
    } catch (error) {
      // It was there when the list was read: what was wrong is told, without its place.
      this.#deps.log.info('catalog', 'A checked document could not be read', { reason: String(error) });
      return problems.map((problem: DocumentProblem) => toDiagnostic(problem, new vscode.Range(0, 0, 0, 0)));
    }
  }

  #clear(connectionId: string): void {
    const mine = [...this.#found]
      .map(([uri]) => uri)
      .filter(({ path }) => readDocumentPath(path)?.connectionId === connectionId);
    for (const uri of mine) {
      this.#found.delete(uri);
    }
  }
}

async function tell(connection: Connection, { all, bad, unread }: InstanceFindings): Promise<void> {
  const count = bad.reduce((sum, { problems }) => sum + problems.length, 0);
  const part =
    unread.length === 0
      ? ''
      : ` ${vscode.l10n.t('Not checked, since it could not be read: {0}.', unread.join(', '))}`;
  if (count === 0) {
    const clean = vscode.l10n.t(
      '{0}: nothing is wrong in {1} viewpoints and columns with rules.',
      connection.name,
      all,
    );
    await (unread.length === 0 ? showInformation(clean) : showWarning(clean + part));
    return;
  }
  const show = vscode.l10n.t('Show Problems');
  const text =
    count === 1
      ? vscode.l10n.t('{0}: one problem in {1} viewpoints and columns with rules.', connection.name, all)
      : vscode.l10n.t(
          '{0}: {1} problems in {2} of {3} viewpoints and columns with rules.',
          connection.name,
          count,
          bad.length,
          all,
        );
  if ((await showWarning(text + part, show)) === show) {
    await vscode.commands.executeCommand('workbench.actions.view.problems');
  }
}
