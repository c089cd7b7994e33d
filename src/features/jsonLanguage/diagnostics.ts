import * as vscode from 'vscode';
import { isNewRuleId } from '../../catalog/newRuleId.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type DocumentProblem, getDocumentProblems } from '../../json/language/problems.ts';
import { findServerResource } from './resourceIdentity.ts';
import { getUnconfirmedCubeSetText } from '../../security/audit/cubeSetText.ts';
import { validateBeforeSave } from '../../platform/validateBeforeSave.ts';
import { getJsonTree } from '../../json/text/jsonTrees.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { isEditable, getJsonDocumentKind, toRange } from './documents.ts';
import type { DocumentKnowledgeService } from './documentKnowledgeService.ts';
import { describeDocumentProblem } from './messages.ts';

/** The source shown for the diagnostics of JSON documents. */
export const jsonDiagnosticSource = 'datamodel';

/** The pause in typing before a document is validated, in milliseconds. */
const debounceMs = 300;

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
} as const;

/** Keeps the diagnostics of the open JSON documents up to date. */
export class JsonDiagnostics implements Disposable {
  readonly #deps: JsonLanguageDeps;
  readonly #knowledgeService: DocumentKnowledgeService;
  readonly #store = new DisposableStore();
  readonly #diagnostics = this.#store.add(vscode.languages.createDiagnosticCollection(jsonDiagnosticSource));
  readonly #pendingValidations = new Map<string, Disposable>();

  constructor(deps: JsonLanguageDeps, knowledgeService: DocumentKnowledgeService) {
    this.#deps = deps;
    this.#knowledgeService = knowledgeService;
    const { workspace } = vscode;
    this.#store.add(workspace.onDidOpenTextDocument((document) => this.#schedule(document, 0)));
    this.#store.add(
      workspace.onDidChangeTextDocument(({ document }) => this.#schedule(document, debounceMs)),
    );
    this.#store.add(workspace.onDidCloseTextDocument(({ uri }) => this.#clear(uri)));
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(() => this.#refreshNewRules()));
    this.#store.add(validateBeforeSave(deps.clock, (document) => this.#validateNow(document)));
    this.#store.add(knowledgeService.onDidChange(() => this.#refresh()));
    this.#refresh();
  }

  dispose(): void {
    for (const timer of this.#pendingValidations.values()) {
      timer.dispose();
    }
    this.#pendingValidations.clear();
    this.#store.dispose();
  }

  /** Validates all open documents again, since the names that they use may have been created or deleted. */
  #refresh(): void {
    for (const document of vscode.workspace.textDocuments) {
      this.#schedule(document, 0);
    }
  }

  /**
   * Validates new rules again: after the tab of a discarded one was closed, VS Code keeps its document for some
   * minutes.
   */
  #refreshNewRules(): void {
    for (const document of vscode.workspace.textDocuments) {
      if (isNewRule(document)) {
        this.#schedule(document, 0);
      }
    }
  }

  #schedule(document: vscode.TextDocument, delayMs: number): void {
    if (
      getJsonDocumentKind(document) === undefined ||
      // A read-only document only gets the diagnostic for a cube set that may not exist, since nothing else can be
      // fixed.
      !(isEditable(document) || this.#knowledgeService.hasCubeSetRules(document.uri))
    ) {
      return;
    }
    const key = document.uri.toString();
    this.#pendingValidations.get(key)?.dispose();
    const timer = this.#deps.clock.schedule(delayMs, () => void this.#validateNow(document));
    this.#pendingValidations.set(key, timer);
  }

  async #validateNow(document: vscode.TextDocument): Promise<void> {
    const key = document.uri.toString();
    this.#pendingValidations.get(key)?.dispose();
    this.#pendingValidations.delete(key);
    try {
      await this.#validate(document);
    } catch (error) {
      this.#deps.log.error('catalog', 'A document could not be validated', { reason: String(error) });
    }
  }

  async #validate(document: vscode.TextDocument): Promise<void> {
    const kind = getJsonDocumentKind(document);
    if (kind === undefined) {
      return;
    }
    if (isNewRule(document) && !isInTab(document)) {
      this.#diagnostics.delete(document.uri);
      return;
    }
    if (await this.#knowledgeService.isInProject(document.uri)) {
      // The validation of the project reports the problems of its files (`ProjectDiagnostics`).
      this.#diagnostics.delete(document.uri);
      return;
    }
    const { version } = document;
    const json = getJsonTree(this.#deps.jsonTrees, document);
    const { catalog, unknownDatamodel, isUnconfirmedCubeSet, knownValues } =
      await this.#knowledgeService.getKnowledge(document.uri, kind, json);
    // The document may have been closed or changed in the meantime; a change schedules its own validation.
    if (document.version === version && !document.isClosed && !this.#store.isDisposed) {
      const problems = isEditable(document) ? getDocumentProblems(kind, json, catalog, knownValues) : [];
      const diagnostics = problems
        .filter(({ isReportedByEditor }) => !isReportedByEditor)
        .map((problem) => toDiagnostic(problem, toRange(document, problem)));
      if (unknownDatamodel !== undefined && isEditable(document)) {
        diagnostics.push(
          createUnknownDatamodelDiagnostic(unknownDatamodel.title, toRange(document, unknownDatamodel)),
        );
      }
      if (isUnconfirmedCubeSet) {
        diagnostics.push(createCubeSetDiagnostic(document));
      }
      this.#diagnostics.set(document.uri, diagnostics);
    }
  }

  #clear(uri: vscode.Uri): void {
    this.#pendingValidations.get(uri.toString())?.dispose();
    this.#pendingValidations.delete(uri.toString());
    this.#diagnostics.delete(uri);
  }
}

function isNewRule({ uri }: vscode.TextDocument): boolean {
  const resource = findServerResource(uri)?.resource;
  return resource?.kind === 'rule' && isNewRuleId(resource.ruleId);
}

const isInTab = ({ uri }: vscode.TextDocument): boolean =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .some(
      ({ input }) =>
        (input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText) &&
        input.uri.toString() === uri.toString(),
    );

/**
 * Creates the diagnostic for an unknown datamodel. It is not an error: the document may be meant for another instance,
 * or for a cube set that the user has not added.
 */
function createUnknownDatamodelDiagnostic(title: string, range: vscode.Range): vscode.Diagnostic {
  const message = vscode.l10n.t(
    'The current connection has no datamodel "{0}", so tables and columns aren\'t checked.',
    title,
  );
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Information);
  diagnostic.source = jsonDiagnosticSource;
  diagnostic.code = 'unknown-datamodel';
  return diagnostic;
}

/** Creates the diagnostic for the rules of a cube set for which the server lists none, at the start of the document. */
function createCubeSetDiagnostic(document: vscode.TextDocument): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    document.lineAt(0).range,
    getUnconfirmedCubeSetText(vscode.l10n.t),
    vscode.DiagnosticSeverity.Warning,
  );
  diagnostic.source = jsonDiagnosticSource;
  diagnostic.code = 'cube-set-unconfirmed';
  return diagnostic;
}

export function toDiagnostic(problem: DocumentProblem, range: vscode.Range): vscode.Diagnostic {
  const { finding } = problem;
  const { code, severity } = finding.linter === 'viewpoint' ? finding.viewpointProblem : finding.ruleFinding;
  const diagnostic = new vscode.Diagnostic(range, describeDocumentProblem(problem), severities[severity]);
  diagnostic.source = jsonDiagnosticSource;
  diagnostic.code = code;
  if (code === 'deprecated') {
    diagnostic.tags = [vscode.DiagnosticTag.Deprecated];
  }
  return diagnostic;
}
