import * as vscode from 'vscode';
import { getJsonCompletions } from '../../json/language/complete.ts';
import type { Proposal, ProposalKind } from '../../json/language/context.ts';
import { type JsonTrees, getJsonTree } from '../../json/text/jsonTrees.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { getJsonDocumentKind, toRange } from './documents.ts';
import type { DocumentKnowledgeService } from './documentKnowledgeService.ts';

/** The trigger characters: they start a value or a part of a dim. */
export const jsonCompletionTriggers = ['"', ':', ' ', '[', '.'];

const itemKinds: Readonly<Record<ProposalKind, vscode.CompletionItemKind>> = {
  table: vscode.CompletionItemKind.Class,
  column: vscode.CompletionItemKind.Field,
  value: vscode.CompletionItemKind.Value,
  snippet: vscode.CompletionItemKind.Snippet,
  person: vscode.CompletionItemKind.User,
};

/** Proposes tables, columns, dims (`[Table.Column]`) and the values that depend on them. */
export class JsonCompletionProvider implements vscode.CompletionItemProvider {
  readonly #trees: JsonTrees;
  readonly #knowledgeService: DocumentKnowledgeService;

  constructor({ jsonTrees }: JsonLanguageDeps, knowledgeService: DocumentKnowledgeService) {
    this.#trees = jsonTrees;
    this.#knowledgeService = knowledgeService;
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionList | undefined> {
    const kind = getJsonDocumentKind(document);
    if (kind === undefined) {
      return undefined;
    }
    const json = getJsonTree(this.#trees, document);
    const offset = document.offsetAt(position);
    const context = await this.#knowledgeService.getKnowledge(document.uri, kind, json);
    if (token.isCancellationRequested) {
      return undefined;
    }
    const { items, isComplete } = getJsonCompletions(kind, json, offset, context);
    return new vscode.CompletionList(
      items.map((proposal) => toCompletionItem(document, proposal)),
      !isComplete,
    );
  }
}

function toCompletionItem(document: vscode.TextDocument, proposal: Proposal): vscode.CompletionItem {
  const { label, kind, detail, filterText, insertText, isSnippet, rank, additionalTextEdits = [] } = proposal;
  const labelDetails = detail === undefined || detail === '' ? {} : { description: detail };
  const item = new vscode.CompletionItem({ label, ...labelDetails }, itemKinds[kind]);
  item.range = toRange(document, proposal);
  item.filterText = filterText;
  item.insertText = isSnippet === true ? new vscode.SnippetString(insertText) : insertText;
  // The texts of columns already have the document's line breaks and indentation; the editor indents snippets itself.
  item.keepWhitespace = kind === 'column';
  item.sortText = String(rank).padStart(5, '0');
  item.additionalTextEdits = additionalTextEdits.map((edit) =>
    vscode.TextEdit.replace(toRange(document, edit), edit.newText),
  );
  return item;
}
