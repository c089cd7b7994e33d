import * as vscode from 'vscode';
import type { ExpressionCheckResult } from '../../client/sandboxClient.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { isSqlLanguage } from '../../contributions.ts';
import { isSandbox } from '../../connections/injectedSandbox.ts';
import { showInformation } from '../../platform/messages.ts';
import { findEngineErrorRange, findNameRange } from '../../sql/language.ts';
import type { CheckExpression } from './deps.ts';
import type { SqlRegion, SqlRegions } from './regions.ts';
import { toPlainText } from '../../platform/serverText.ts';

interface CheckDeps {
  readonly regions: SqlRegions;
  readonly connections: ConnectionStore;
  readonly checkExpression: CheckExpression;
}

/** Checks expressions with the engine of a sandbox, and shows its errors until the text changes. */
export class ExpressionChecker implements Disposable {
  readonly #deps: CheckDeps;
  readonly #store = new DisposableStore();
  readonly #diagnostics = this.#store.add(
    vscode.languages.createDiagnosticCollection('datamodel-sql-engine'),
  );

  constructor(deps: CheckDeps) {
    this.#deps = deps;
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) {
          this.#diagnostics.delete(document.uri);
        }
      }),
    );
    this.#store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#diagnostics.delete(uri)));
  }

  /** Checks the expression in the active editor. */
  async check(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const [region] =
      document !== undefined && isSqlLanguage(document.languageId)
        ? await this.#deps.regions.getRegions(document)
        : [];
    const connection =
      region?.loadedDatamodel && this.#deps.connections.find(region.loadedDatamodel.connectionId);
    if (document === undefined || region?.loadedDatamodel === undefined || connection === undefined) {
      await showInformation(vscode.l10n.t('To check an expression, open the SQL of a sandbox datamodel.'));
      return;
    }
    if (!isSandbox(connection)) {
      await showInformation(
        vscode.l10n.t("{0} isn't a sandbox. Expressions can be checked only on a sandbox.", connection.name),
      );
      return;
    }
    const { version } = document;
    const checkResult = await this.#checkWithProgress(connection, region);
    if (document.version !== version || document.isClosed || checkResult === undefined) {
      return;
    }
    this.#diagnostics.set(document.uri, checkResult.ok ? [] : [createDiagnostic(checkResult, region)]);
    if (checkResult.ok) {
      // Not awaited: the message stays until it is dismissed.
      void showInformation(formatAcceptedMessage(checkResult.columns, region));
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #checkWithProgress(
    connection: Connection,
    { text, context, loadedDatamodel }: SqlRegion,
  ): Promise<ExpressionCheckResult | undefined> {
    const request = {
      datamodel: loadedDatamodel?.datamodelId ?? '',
      sql: text,
      ...(context.kind === 'column' ? { columnOf: context.table } : {}),
    };
    const title = toPlainText(vscode.l10n.t('Checking expression on {0}', connection.name));
    const options = { location: vscode.ProgressLocation.Window, title };
    return vscode.window.withProgress(options, async (_progress, token) => {
      const abortController = new AbortController();
      const subscription = token.onCancellationRequested(() => abortController.abort());
      try {
        return await this.#deps.checkExpression(connection, request, abortController.signal);
      } finally {
        subscription.dispose();
      }
    });
  }
}

function formatAcceptedMessage(columns: readonly string[], { context }: SqlRegion): string {
  return context.kind === 'column'
    ? vscode.l10n.t('The sandbox engine accepted the expression.')
    : vscode.l10n.t('The sandbox engine accepted the query. Columns: {0}', columns.join(', '));
}

/**
 * Creates a diagnostic with the engine's message, at the position that the message refers to or else for the whole
 * text. If the error is in the SQL of another custom table (`table`), the position is where the checked text uses that
 * table.
 */
function createDiagnostic(
  { message, table }: Extract<ExpressionCheckResult, { ok: false }>,
  region: SqlRegion,
): vscode.Diagnostic {
  const extent =
    table === undefined ? findEngineErrorRange(region.text, message) : findNameRange(region.text, table);
  const messageText =
    table === undefined ? message : vscode.l10n.t('In custom table {0}: {1}', table, message);
  const diagnostic = new vscode.Diagnostic(
    region.toRange(extent),
    messageText,
    vscode.DiagnosticSeverity.Error,
  );
  diagnostic.source = vscode.l10n.t('sandbox engine');
  return diagnostic;
}
