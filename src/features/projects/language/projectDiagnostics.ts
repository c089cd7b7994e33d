import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { Log } from '../../../base/log.ts';
import { sqlDiagnosticSource } from '../../../contributions.ts';
import {
  isRuleFindingReportedBySchema,
  isViewpointProblemReportedBySchema,
} from '../../../json/language/problems.ts';
import { type JsonTrees, getJsonTree } from '../../../json/text/jsonTrees.ts';
import {
  describeRuleFinding,
  describeSqlProblem,
  describeViewpointProblem,
} from '../../../platform/problemTexts.ts';
import type { FileCatalogs } from '../../../platform/projects/fileCatalogs.ts';
import { type Finding, referenceMessages } from '../../../project/validate/finding.ts';
import { mayBeProjectFile } from './projectFileSelector.ts';

/** How long a file must not change before its problems are found. */
const pauseMs = 200;

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

/** Shows the problems of the open files of projects: those that `validate` finds. */
export class ProjectDiagnostics implements Disposable {
  readonly #deps: DiagnosticsDeps;
  readonly #catalogs: FileCatalogs;
  readonly #store = new DisposableStore();
  readonly #diagnostics = this.#store.add(vscode.languages.createDiagnosticCollection('datamodel-project'));
  #timer: Disposable | undefined;

  constructor(deps: DiagnosticsDeps, catalogs: FileCatalogs) {
    this.#deps = deps;
    this.#catalogs = catalogs;
    this.#store.add(catalogs.onDidChange(() => this.#schedule(pauseMs)));
    this.#store.add(vscode.workspace.onDidOpenTextDocument((document) => void this.#check(document)));
    this.#store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#diagnostics.delete(uri)));
    this.#schedule(0);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#store.dispose();
  }

  /** Checks all open files again: a change of one may be a problem of another. */
  #schedule(delayMs: number): void {
    this.#timer?.dispose();
    this.#timer = this.#deps.clock.schedule(
      delayMs,
      () => void Promise.all(vscode.workspace.textDocuments.map((document) => this.#check(document))),
    );
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    if (!mayBeProjectFile(document)) {
      return;
    }
    try {
      const { version } = document;
      const file = await this.#catalogs.find(document.uri);
      const findings = file === undefined ? [] : await file.catalog.query('getFindings', file.path);
      // If the document has changed in the meantime, it is checked again once the change has been read.
      if (document.version === version && !document.isClosed && !this.#store.isDisposed) {
        this.#diagnostics.set(
          document.uri,
          findings
            .filter((finding) => !this.#isReportedBySchema(document, finding))
            .map((finding) => createDiagnostic(document, finding)),
        );
      }
    } catch (error) {
      if (!this.#store.isDisposed) {
        this.#deps.log.error('projects', 'The problems could not be found', { reason: String(error) });
      }
    }
  }

  /** Returns whether the editor's own JSON support reports a problem, too. */
  #isReportedBySchema(document: vscode.TextDocument, { code, detail }: Finding): boolean {
    switch (detail?.kind) {
      case 'viewpoint':
        return isViewpointProblemReportedBySchema(detail.problem);
      case 'rules':
        return isRuleFindingReportedBySchema(getJsonTree(this.#deps.jsonTrees, document), detail.finding);
      case 'sql':
      case 'reference':
        return false;
      case undefined:
        return code === 'project/syntax';
    }
  }
}

function createDiagnostic(document: vscode.TextDocument, finding: Finding): vscode.Diagnostic {
  const { line, column, severity, code, subject, detail } = finding;
  const start = new vscode.Position(line - 1, column - 1);
  // A finding without detail is about the file, and has its message as subject.
  const length = detail === undefined ? 1 : subject.length;
  const range = document.validateRange(new vscode.Range(start, start.translate(0, length)));
  const diagnostic = new vscode.Diagnostic(range, describeFinding(finding), severities[severity]);
  diagnostic.source = code.startsWith('sql/') ? sqlDiagnosticSource : jsonDiagnosticSource;
  diagnostic.code = code;
  if (code === 'viewpoint/deprecated') {
    diagnostic.tags = [vscode.DiagnosticTag.Deprecated];
  }
  return diagnostic;
}

/** Describes a finding in the user's language; those of a whole file are in English. */
function describeFinding({ message, detail }: Finding): string {
  switch (detail?.kind) {
    case 'sql':
      return describeSqlProblem(detail.problem);
    case 'rules':
      return describeRuleFinding(detail.finding);
    case 'viewpoint':
      return describeViewpointProblem(detail.problem);
    case 'reference':
      return vscode.l10n.t(referenceMessages[detail.code], ...detail.args);
    case undefined:
      return message;
  }
}
