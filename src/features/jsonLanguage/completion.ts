import * as vscode from 'vscode';
import { completionsAt } from '../../json/language/complete.ts';
import type { Proposal, ProposalKind } from '../../json/language/context.ts';
import { type JsonTrees, treeOf } from '../../json/text/jsonTrees.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { kindOf, rangeOf } from './documents.ts';
import type { KnowledgeOfDocuments } from './knowledge.ts';

/** What begins a value, or a part of a dim. */
export const completionTriggers = ['"', ':', ' ', '[', '.'];

const itemKinds: Readonly<Record<ProposalKind, vscode.CompletionItemKind>> = {
  table: vscode.CompletionItemKind.Class,
  column: vscode.CompletionItemKind.Field,
  value: vscode.CompletionItemKind.Value,
  snippet: vscode.CompletionItemKind.Snippet,
  person: vscode.CompletionItemKind.User,
};

/** Proposes tables, columns, dims and what depends on them. */
export class JsonCompletion implements vscode.CompletionItemProvider {
  readonly #trees: JsonTrees;
  readonly #knowledge: KnowledgeOfDocuments;

  constructor({ jsonTrees }: JsonLanguageDeps, knowledge: KnowledgeOfDocuments) {
    this.#trees = jsonTrees;
    this.#knowledge = knowledge;
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionList | undefined> {
    const kind = kindOf(document);
    if (kind === undefined) {
      return undefined;
    }
    const json = treeOf(this.#trees, document);
    const offset = document.offsetAt(position);
    const context = await this.#knowledge.of(document.uri, kind, json);
    if (token.isCancellationRequested) {
      return undefined;
    }
    const { items, isComplete } = completionsAt(kind, json, offset, context);
    return new vscode.CompletionList(
      items.map((proposal) => toItem(document, proposal)),
      !isComplete,
    );
  }
}

function toItem(document: vscode.TextDocument, proposal: Proposal): vscode.CompletionItem {
  const { label, kind, detail, filterText, insertText, isSnippet, rank, further = [] } = proposal;
  const described = detail === undefined || detail === '' ? {} : { description: detail };
  const item = new vscode.CompletionItem({ label, ...described }, itemKinds[kind]);
  item.range = rangeOf(document, proposal);
  item.filterText = filterText;
  item.insertText = isSnippet === true ? new vscode.SnippetString(insertText) : insertText;
  // Columns write their line breaks as the document has them; whole columns are indented by the editor.
  item.keepWhitespace = kind === 'column';
  item.sortText = String(rank).padStart(5, '0');
  item.additionalTextEdits = further.map((edit) =>
    vscode.TextEdit.replace(rangeOf(document, edit), edit.newText),
  );
  return item;
}
