import * as vscode from 'vscode';
import { getJsonCompletions } from '../../json/language/complete.ts';
import { type JsonTrees, getJsonTree } from '../../json/text/jsonTrees.ts';
import { toCompletionList } from '../../platform/jsonCompletions.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { getJsonDocumentKind } from './documents.ts';
import type { DocumentKnowledgeService } from './documentKnowledgeService.ts';

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
    const knowledge = await this.#knowledgeService.getKnowledge(document.uri, kind, json);
    if (token.isCancellationRequested) {
      return undefined;
    }
    return toCompletionList(document, getJsonCompletions(kind, json, offset, knowledge, vscode.l10n.t));
  }
}
