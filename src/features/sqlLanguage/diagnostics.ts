import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { type Diagnostic, diagnose } from '../../sql/language.ts';
import { schemes, sqlDiagnosticSource } from '../../contributions.ts';
import { isDiagnosed } from './documents.ts';
import { getResourceIdentity, getExpressionKey } from './resourceIdentity.ts';
import { validateBeforeSave } from '../../platform/validateBeforeSave.ts';
import type { SqlRegion, SqlRegions } from './regions.ts';
import { describeSqlProblem } from '../../platform/problemTexts.ts';

/** The pause in typing before a document is validated, in milliseconds. */
const debounceMs = 300;

const severities: Readonly<Record<Diagnostic['severity'], vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

/**
 * Keeps the diagnostics of open SQL documents up to date. The problems of an expression that is also open in a document
 * of its own are only reported there.
 */
export class SqlDiagnostics implements Disposable {
  readonly #regions: SqlRegions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #diagnostics = this.#store.add(vscode.languages.createDiagnosticCollection(sqlDiagnosticSource));
  readonly #pendingValidations = new Map<string, Disposable>();

  constructor({ regions, clock, log }: { regions: SqlRegions; clock: Clock; log: Log }) {
    this.#regions = regions;
    this.#clock = clock;
    this.#log = log;
    this.#store.add(vscode.workspace.onDidOpenTextDocument((document) => this.#schedule(document, 0)));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#schedule(document, debounceMs)),
    );
    this.#store.add(
      validateBeforeSave(clock, async (document) => {
        if (regions.isSupported(document)) {
          await this.#validateNow(document);
        }
      }),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.#clear(document);
        this.#scheduleOtherViews(document);
      }),
    );
    this.refresh();
  }

  /** Validates all open documents again, since the names that they use may have been created or deleted. */
  refresh(): void {
    for (const document of vscode.workspace.textDocuments) {
      this.#schedule(document, 0);
    }
  }

  dispose(): void {
    for (const timer of this.#pendingValidations.values()) {
      timer.dispose();
    }
    this.#pendingValidations.clear();
    this.#store.dispose();
  }

  /**
   * Validates the other open documents that contain the expression of a document, since its problems are reported in
   * one document only.
   */
  #scheduleOtherViews(document: vscode.TextDocument): void {
    const tableId = getExpressionTableId(document);
    if (tableId === undefined) {
      return;
    }
    for (const other of vscode.workspace.textDocuments) {
      const resource = getResourceIdentity(other.uri)?.resource;
      const isSameTable = resource !== undefined && 'tableId' in resource && resource.tableId === tableId;
      if (isSameTable && getExpressionTableId(other) === undefined) {
        this.#schedule(other, 0);
      }
    }
  }

  #schedule(document: vscode.TextDocument, delayMs: number): void {
    if (!this.#regions.isSupported(document) || !isDiagnosed(document)) {
      return;
    }
    const key = document.uri.toString();
    this.#pendingValidations.get(key)?.dispose();
    this.#pendingValidations.set(
      key,
      this.#clock.schedule(delayMs, () => void this.#validateNow(document)),
    );
  }

  async #validateNow(document: vscode.TextDocument): Promise<void> {
    const key = document.uri.toString();
    this.#pendingValidations.get(key)?.dispose();
    this.#pendingValidations.delete(key);
    try {
      await this.#validate(document);
    } catch (error) {
      this.#log.error('sql', 'Diagnostics failed', { reason: String(error) });
    }
  }

  async #validate(document: vscode.TextDocument): Promise<void> {
    const { version } = document;
    const regions = await this.#regions.getRegions(document);
    if (regions.some(({ isInProject }) => isInProject)) {
      // The validation of the project reports the problems of its files (`ProjectDiagnostics`).
      this.#diagnostics.delete(document.uri);
      return;
    }
    // The document may have been closed or changed in the meantime; a change schedules its own validation.
    if (document.version === version && !document.isClosed && !this.#store.isDisposed) {
      const expressionDocuments = getOpenExpressionDocuments();
      const diagnostics = regions.flatMap((region) => {
        if (isOutdated(document, region)) {
          return [];
        }
        const other = expressionDocuments.get(region.expressionKey);
        return other === undefined || other === document
          ? createDiagnostics(region)
          : this.#createUnreportedDiagnostics(other, document, region);
      });
      this.#diagnostics.set(document.uri, diagnostics);
      this.#scheduleOtherViews(document);
    }
  }

  /**
   * Creates the diagnostics for an expression in the JSON of a table or column that is also open in a document of its
   * own. Returns none if the JSON has no unsaved changes, otherwise the ones that the other document does not report.
   */
  #createUnreportedDiagnostics(
    expressionDocument: vscode.TextDocument,
    document: vscode.TextDocument,
    region: SqlRegion,
  ): readonly vscode.Diagnostic[] {
    if (!document.isDirty) {
      return [];
    }
    const reportedMessages = new Set(
      this.#diagnostics.get(expressionDocument.uri)?.map(({ message }) => message),
    );
    return createDiagnostics(region).filter(({ message }) => !reportedMessages.has(message));
  }

  #clear({ uri }: vscode.TextDocument): void {
    this.#pendingValidations.get(uri.toString())?.dispose();
    this.#pendingValidations.delete(uri.toString());
    this.#diagnostics.delete(uri);
  }
}

/** Returns the table of an expression on a server that the document consists of; `undefined` for other documents. */
function getExpressionTableId({ uri }: vscode.TextDocument): string | undefined {
  const resource = uri.scheme === schemes.document ? getResourceIdentity(uri)?.resource : undefined;
  return resource?.kind === 'tableExpression' || resource?.kind === 'columnExpression'
    ? resource.tableId
    : undefined;
}

/** Returns the open documents of expressions on a server by the keys of their expressions. */
function getOpenExpressionDocuments(): ReadonlyMap<string | undefined, vscode.TextDocument> {
  const expressionDocuments = new Map<string, vscode.TextDocument>();
  for (const document of vscode.workspace.textDocuments) {
    const identity =
      getExpressionTableId(document) === undefined ? undefined : getResourceIdentity(document.uri);
    const key = identity && getExpressionKey(identity);
    if (key !== undefined && !document.isClosed) {
      expressionDocuments.set(key, document);
    }
  }
  return expressionDocuments;
}

/**
 * Returns whether a document without unsaved changes has another text of an expression than the server. When such a
 * document is shown, it is read and validated again.
 */
function isOutdated(
  { isDirty }: vscode.TextDocument,
  { text, expressionKey, loadedDatamodel }: SqlRegion,
): boolean {
  if (isDirty || loadedDatamodel === undefined || expressionKey === undefined) {
    return false;
  }
  const { connectionId, expressions } = loadedDatamodel;
  const stored = expressions.find(
    ({ resource }) => getExpressionKey({ connectionId, resource }) === expressionKey,
  );
  return stored !== undefined && toComparableText(stored.text) !== toComparableText(text);
}

/** Normalizes whitespace, which servers may store differently. */
const toComparableText = (sql: string): string => sql.replace(/\s+/g, ' ').trim();

function createDiagnostics(region: SqlRegion): vscode.Diagnostic[] {
  // An empty text is not an error.
  if (region.text.trim() === '') {
    return [];
  }
  return diagnose(region.text, region.context).map((problem) => {
    const range = region.toRange(problem);
    const diagnostic = new vscode.Diagnostic(
      range,
      describeSqlProblem(problem),
      severities[problem.severity],
    );
    diagnostic.source = sqlDiagnosticSource;
    diagnostic.code = problem.code;
    return diagnostic;
  });
}
