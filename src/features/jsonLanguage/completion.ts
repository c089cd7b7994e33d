import * as vscode from 'vscode';
import { completionsAt } from '../../jsonLanguage/complete.ts';
import type { Proposal, ProposalKind } from '../../jsonLanguage/context.ts';
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
  readonly #knowledge: KnowledgeOfDocuments;

  constructor(knowledge: KnowledgeOfDocuments) {
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
    const text = document.getText();
    const offset = document.offsetAt(position);
    const context = await this.#knowledge.of(document.uri, kind, text);
    if (token.isCancellationRequested) {
      return undefined;
    }
    const { items, isComplete } = completionsAt(kind, text, offset, context);
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
