import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { Log } from '../../../base/log.ts';
import { sqlDiagnosticSource } from '../../../contributions.ts';
import {
  isRuleFindingReportedByEditor,
  isSyntaxErrorReportedByEditor,
  isViewpointProblemReportedByEditor,
} from '../../../json/language/problems.ts';
import { type JsonTrees, getJsonTree } from '../../../json/text/jsonTrees.ts';
import { describeFinding } from '../describeFinding.ts';
import type { FileCatalogs } from '../../../platform/projects/fileCatalogs.ts';
import type { Finding } from '../../../project/validate/finding.ts';
import { WorkspaceFindings } from './workspaceFindings.ts';
import { mayBeProjectFile } from './projectFileSelector.ts';

/** The pause between changes of files after which their problems are found, in milliseconds. */
const debounceMs = 200;

/** The source shown for problems in JSON. */
const jsonDiagnosticSource = 'datamodel';

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
} as const;

interface DiagnosticsDeps {
  readonly jsonTrees: JsonTrees;
  readonly clock: Clock;
  readonly log: Log;
}

/** Shows the problems of all files of projects, open or not: those that `validate` finds. */
export class ProjectDiagnostics implements Disposable {
  readonly #deps: DiagnosticsDeps;
  readonly #catalogs: FileCatalogs;
  readonly #store = new DisposableStore();
  readonly #diagnostics = this.#store.add(vscode.languages.createDiagnosticCollection('datamodel-project'));
  readonly #findings: WorkspaceFindings;
  #timer: Disposable | undefined;

  constructor(deps: DiagnosticsDeps, catalogs: FileCatalogs) {
    this.#deps = deps;
    this.#catalogs = catalogs;
    this.#findings = this.#store.add(
      new WorkspaceFindings(catalogs, deps.log, (files) => this.#showClosedFiles(files)),
    );
    this.#store.add(catalogs.onDidChange(() => this.#schedule(debounceMs)));
    this.#store.add(vscode.workspace.onDidOpenTextDocument((document) => void this.#check(document)));
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) =>
        this.#showClosedFiles([[String(uri), this.#findings.get(String(uri))]]),
      ),
    );
    this.#schedule(0);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#store.dispose();
  }

  /** Checks all open files again, and then the others, since a change of one may cause a problem in another. */
  #schedule(delayMs: number): void {
    this.#timer?.dispose();
    this.#timer = this.#deps.clock.schedule(delayMs, () => void this.#checkAll());
  }

  async #checkAll(): Promise<void> {
    await Promise.all(vscode.workspace.textDocuments.map((document) => this.#check(document)));
    if (!this.#store.isDisposed) {
      this.#findings.refresh();
    }
  }

  /** Shows the problems of files that are not open. Those of open ones are found from their text in the editor. */
  #showClosedFiles(files: readonly (readonly [uri: string, findings: readonly Finding[]])[]): void {
    const openDocuments = new Map(
      vscode.workspace.textDocuments
        .filter(({ isClosed }) => !isClosed)
        .map((document) => [String(document.uri), document]),
    );
    this.#diagnostics.set(
      files.flatMap(([uri, findings]): readonly [vscode.Uri, vscode.Diagnostic[]][] => {
        const document = openDocuments.get(uri);
        if (document !== undefined && mayBeProjectFile(document)) {
          return [];
        }
        const shown = findings.filter(
          (finding) => document === undefined || !this.#isReportedByEditor(document, finding),
        );
        return [[vscode.Uri.parse(uri, true), shown.map((finding) => createDiagnostic(finding))]];
      }),
    );
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    if (!mayBeProjectFile(document)) {
      return;
    }
    try {
      const { version } = document;
      const file = await this.#catalogs.findItemFile(document.uri);
      const findings = file === undefined ? [] : await file.catalog.query('getFindings', file.path);
      // If the document has changed in the meantime, it is checked again once the change has been read.
      if (document.version === version && !document.isClosed && !this.#store.isDisposed) {
        this.#diagnostics.set(
          document.uri,
          findings
            .filter((finding) => !this.#isReportedByEditor(document, finding))
            .map((finding) => createDiagnostic(finding, document)),
        );
      }
    } catch (error) {
      if (!this.#store.isDisposed) {
        this.#deps.log.error('projects', 'The problems could not be found', { reason: String(error) });
      }
    }
  }

  /** Returns whether the editor's own JSON support reports a problem, too. */
  #isReportedByEditor(document: vscode.TextDocument, { code, detail }: Finding): boolean {
    switch (detail.kind) {
      case 'viewpoint':
        return isViewpointProblemReportedByEditor(detail.problem);
      case 'rules':
        return isRuleFindingReportedByEditor(getJsonTree(this.#deps.jsonTrees, document), detail.finding);
      case 'sql':
        return false;
      case 'message': {
        const json = getJsonTree(this.#deps.jsonTrees, document);
        return code === 'settings/invalid-file'
          ? // The schema covers the values of settings.
            json.error === undefined || isSyntaxErrorReportedByEditor(json)
          : code === 'project/syntax' && isSyntaxErrorReportedByEditor(json);
      }
    }
  }
}

/** Returns how many characters to underline. */
function getLength({ code, subject, detail, misspelled }: Finding): number {
  if (misspelled !== undefined) {
    return JSON.stringify(misspelled.name).length;
  }
  // The subject of other messages is not the text at their position.
  return detail.kind !== 'message' || /^(?:reference|rules|viewpoint)\//.test(code) ? subject.length : 1;
}

/** @param document the open document, whose text the range is limited to */
function createDiagnostic(finding: Finding, document?: vscode.TextDocument): vscode.Diagnostic {
  const { line, column, severity, code } = finding;
  const start = new vscode.Position(line - 1, column - 1);
  const range = new vscode.Range(start, start.translate(0, getLength(finding)));
  const diagnostic = new vscode.Diagnostic(
    document?.validateRange(range) ?? range,
    describeFinding(finding),
    severities[severity],
  );
  diagnostic.source = code.startsWith('sql/') ? sqlDiagnosticSource : jsonDiagnosticSource;
  diagnostic.code = code;
  if (code === 'viewpoint/deprecated') {
    diagnostic.tags = [vscode.DiagnosticTag.Deprecated];
  }
  return diagnostic;
}
