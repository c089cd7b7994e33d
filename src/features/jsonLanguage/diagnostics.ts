import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type DocumentProblem, problemsIn } from '../../json/language/problems.ts';
import { treeOf } from '../../json/text/jsonTrees.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { isWorkedOn, kindOf, rangeOf } from './documents.ts';
import type { KnowledgeOfDocuments } from './knowledge.ts';
import { problemWords } from './words.ts';

/** Whose words a diagnostic is. */
export const diagnosticSource = 'datamodel';

/** How long typing may pause before a text is judged. */
const typingPauseMs = 300;

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
} as const;

/** Keeps what is wrong in the open documents up to date. */
export class JsonDiagnostics implements Disposable {
  readonly #deps: JsonLanguageDeps;
  readonly #knowledge: KnowledgeOfDocuments;
  readonly #store = new DisposableStore();
  readonly #found = this.#store.add(vscode.languages.createDiagnosticCollection(diagnosticSource));
  readonly #pending = new Map<string, Disposable>();

  constructor(deps: JsonLanguageDeps, knowledge: KnowledgeOfDocuments) {
    this.#deps = deps;
    this.#knowledge = knowledge;
    const { workspace } = vscode;
    this.#store.add(workspace.onDidOpenTextDocument((document) => this.#schedule(document, 0)));
    this.#store.add(
      workspace.onDidChangeTextDocument(({ document }) => this.#schedule(document, typingPauseMs)),
    );
    this.#store.add(workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)));
    this.#store.add(knowledge.onDidChange(() => this.#refresh()));
    this.#refresh();
  }

  dispose(): void {
    for (const timer of this.#pending.values()) {
      timer.dispose();
    }
    this.#pending.clear();
    this.#store.dispose();
  }

  /** Judges all open documents anew: what they name may have changed. */
  #refresh(): void {
    for (const document of vscode.workspace.textDocuments) {
      this.#schedule(document, 0);
    }
  }

  #schedule(document: vscode.TextDocument, delayMs: number): void {
    if (kindOf(document) === undefined || !isWorkedOn(document)) {
      return;
    }
    const key = document.uri.toString();
    this.#pending.get(key)?.dispose();
    const timer = this.#deps.clock.schedule(delayMs, () => {
      this.#pending.delete(key);
      this.#judge(document).catch((error: unknown) => {
        this.#deps.log.error('catalog', 'A document could not be judged', { reason: String(error) });
      });
    });
    this.#pending.set(key, timer);
  }

  async #judge(document: vscode.TextDocument): Promise<void> {
    const kind = kindOf(document);
    if (kind === undefined) {
      return;
    }
    const { version } = document;
    const json = treeOf(this.#deps.jsonTrees, document);
    const { ofDatamodel, unknownDatamodel } = await this.#knowledge.of(document.uri, kind, json);
    // Meanwhile it may have been changed, which has its own turn, or closed.
    if (document.version === version && !document.isClosed && !this.#store.isDisposed) {
      const problems = problemsIn(kind, json, ofDatamodel?.catalog).filter(({ isOfSchema }) => !isOfSchema);
      const found = problems.map((problem) => toDiagnostic(problem, rangeOf(document, problem)));
      if (unknownDatamodel !== undefined) {
        found.push(unknownModel(unknownDatamodel.title, rangeOf(document, unknownDatamodel)));
      }
      this.#found.set(document.uri, found);
    }
  }

  #forget(uri: vscode.Uri): void {
    this.#pending.get(uri.toString())?.dispose();
    this.#pending.delete(uri.toString());
    this.#found.delete(uri);
  }
}

/** No error: the document may be meant for another instance, or for a cube set. */
function unknownModel(title: string, range: vscode.Range): vscode.Diagnostic {
  const message = vscode.l10n.t(
    'The current connection has no datamodel "{0}", so tables and columns are not checked.',
    title,
  );
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Information);
  diagnostic.source = diagnosticSource;
  diagnostic.code = 'unknown-datamodel';
  return diagnostic;
}

export function toDiagnostic(problem: DocumentProblem, range: vscode.Range): vscode.Diagnostic {
  const { finding } = problem;
  const { code, severity } = finding.of === 'viewpoint' ? finding.problem : finding.lint;
  const diagnostic = new vscode.Diagnostic(range, problemWords(problem), severities[severity]);
  diagnostic.source = diagnosticSource;
  diagnostic.code = code;
  if (code === 'deprecated') {
    diagnostic.tags = [vscode.DiagnosticTag.Deprecated];
  }
  return diagnostic;
}
