import * as vscode from 'vscode';
import { type DocumentFix, type DocumentProblem, fixesOf, problemsIn } from '../../json/language/problems.ts';
import { type JsonTrees, treeOf } from '../../json/text/jsonTrees.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { kindOf, rangeOf } from './documents.ts';
import type { KnowledgeOfDocuments } from './knowledge.ts';
import { fixWords } from './words.ts';

/** More at once nobody chooses from. */
const mostProblems = 20;

/** Quick fixes for what is wrong, also where the editor's own JSON support tells it. */
export class JsonCodeActions implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];
  readonly #trees: JsonTrees;
  readonly #knowledge: KnowledgeOfDocuments;

  constructor({ jsonTrees }: JsonLanguageDeps, knowledge: KnowledgeOfDocuments) {
    this.#trees = jsonTrees;
    this.#knowledge = knowledge;
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeAction[]> {
    const kind = kindOf(document);
    if (kind === undefined) {
      return [];
    }
    const json = treeOf(this.#trees, document);
    const { ofDatamodel } = await this.#knowledge.of(document.uri, kind, json);
    if (token.isCancellationRequested) {
      return [];
    }
    const catalog = ofDatamodel?.catalog;
    const near = problemsIn(kind, json, catalog).filter(
      (problem) => rangeOf(document, problem).intersection(range) !== undefined,
    );
    return near
      .slice(0, mostProblems)
      .flatMap((problem) =>
        fixesOf(kind, json, problem, catalog).map((fix) => toAction(document, problem, fix, diagnostics)),
      );
  }
}

function toAction(
  document: vscode.TextDocument,
  problem: DocumentProblem,
  fix: DocumentFix,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction {
  const action = new vscode.CodeAction(fixWords(fix), vscode.CodeActionKind.QuickFix);
  const range = rangeOf(document, problem);
  action.diagnostics = diagnostics.filter((diagnostic) => diagnostic.range.intersection(range) !== undefined);
  action.isPreferred = fix.isPreferred;
  action.edit = new vscode.WorkspaceEdit();
  for (const edit of fix.edits) {
    action.edit.replace(document.uri, rangeOf(document, edit), edit.newText);
  }
  return action;
}
