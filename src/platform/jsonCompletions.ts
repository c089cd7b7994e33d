import * as vscode from 'vscode';
import type { Proposal, ProposalKind, ProposalList } from '../json/language/languageContext.ts';

/** The trigger characters: they start a value or a part of a dim. */
export const jsonCompletionTriggers = ['"', ':', ' ', '[', '.'];

const itemKinds: Readonly<Record<ProposalKind, vscode.CompletionItemKind>> = {
  table: vscode.CompletionItemKind.Class,
  column: vscode.CompletionItemKind.Field,
  value: vscode.CompletionItemKind.Value,
  snippet: vscode.CompletionItemKind.Snippet,
  person: vscode.CompletionItemKind.User,
};

/** Creates the list that the editor shows. */
export const toCompletionList = (
  document: vscode.TextDocument,
  { items, isComplete }: ProposalList,
): vscode.CompletionList =>
  new vscode.CompletionList(
    items.map((proposal) => toCompletionItem(document, proposal)),
    !isComplete,
  );

function toCompletionItem(document: vscode.TextDocument, proposal: Proposal): vscode.CompletionItem {
  const toRange = ({ start, end }: { readonly start: number; readonly end: number }): vscode.Range =>
    new vscode.Range(document.positionAt(start), document.positionAt(end));
  const { label, kind, detail, filterText, insertText, isSnippet, rank, additionalTextEdits = [] } = proposal;
  const labelDetails = detail === undefined || detail === '' ? {} : { description: detail };
  const item = new vscode.CompletionItem({ label, ...labelDetails }, itemKinds[kind]);
  item.range = toRange(proposal);
  item.filterText = filterText;
  item.insertText = isSnippet === true ? new vscode.SnippetString(insertText) : insertText;
  // The texts of columns already have the document's line breaks and indentation; the editor indents snippets itself.
  item.keepWhitespace = kind === 'column';
  item.sortText = String(rank).padStart(5, '0');
  item.additionalTextEdits = additionalTextEdits.map((edit) =>
    vscode.TextEdit.replace(toRange(edit), edit.newText),
  );
  return item;
}
