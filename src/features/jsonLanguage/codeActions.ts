import * as vscode from 'vscode';
import {
  type DocumentFix,
  type DocumentProblem,
  getDocumentFixes,
  getDocumentProblems,
} from '../../json/language/problems.ts';
import { type JsonTrees, getJsonTree } from '../../json/text/jsonTrees.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { getJsonDocumentKind, toRange } from './documents.ts';
import type { DocumentKnowledgeService, DocumentKnowledge } from './documentKnowledgeService.ts';
import { describeFix } from './messages.ts';

/** The maximum number of problems that get quick fixes; a longer list is not useful. */
const maxProblems = 20;

/** Provides quick fixes for problems, including those that the editor's JSON support reports. */
export class JsonCodeActionProvider implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];
  readonly #trees: JsonTrees;
  readonly #knowledgeService: DocumentKnowledgeService;

  constructor({ jsonTrees }: JsonLanguageDeps, knowledgeService: DocumentKnowledgeService) {
    this.#trees = jsonTrees;
    this.#knowledgeService = knowledgeService;
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeAction[]> {
    const kind = getJsonDocumentKind(document);
    if (kind === undefined) {
      return [];
    }
    const json = getJsonTree(this.#trees, document);
    const knowledge = await this.#knowledgeService.getKnowledge(document.uri, kind, json);
    const { knownValues, datamodelSource } = knowledge;
    const catalog = getFixCatalog(knowledge);
    if (token.isCancellationRequested) {
      return [];
    }
    const problemsInRange = getDocumentProblems(kind, json, catalog, knownValues).filter(
      (problem) =>
        toRange(document, problem).intersection(range) !== undefined &&
        // Files of a project may contain what a server refuses, such as users without an ID.
        (datamodelSource === undefined || diagnostics.some(({ code }) => hasCode(code, problem))),
    );
    return problemsInRange
      .slice(0, maxProblems)
      .flatMap((problem) =>
        getDocumentFixes(kind, json, problem, catalog).map((fix) =>
          toCodeAction(document, problem, fix, diagnostics),
        ),
      );
  }
}

/**
 * Returns the names for the fixes in a document. In a file of a project, they count as complete, even if files of other
 * tables can't be read or a cube set may have other tables: the findings already say which names are unknown.
 */
const getFixCatalog = ({
  catalog,
  datamodelSource,
}: Pick<DocumentKnowledge, 'catalog' | 'datamodelSource'>): DocumentKnowledge['catalog'] =>
  catalog !== undefined && datamodelSource === 'files' ? { ...catalog, complete: true } : catalog;

/** Returns whether a problem has the code of a finding in a project, such as `rules/unknown-table`. */
function hasCode(code: vscode.Diagnostic['code'], { finding }: DocumentProblem): boolean {
  const problem = finding.linter === 'viewpoint' ? finding.viewpointProblem : finding.ruleFinding;
  return typeof code === 'string' && code.endsWith(`/${problem.code}`);
}

function toCodeAction(
  document: vscode.TextDocument,
  problem: DocumentProblem,
  fix: DocumentFix,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction {
  const action = new vscode.CodeAction(describeFix(fix), vscode.CodeActionKind.QuickFix);
  const range = toRange(document, problem);
  action.diagnostics = diagnostics.filter((diagnostic) => diagnostic.range.intersection(range) !== undefined);
  action.isPreferred = fix.isPreferred;
  action.edit = new vscode.WorkspaceEdit();
  for (const edit of fix.edits) {
    action.edit.replace(document.uri, toRange(document, edit), edit.newText);
  }
  return action;
}
