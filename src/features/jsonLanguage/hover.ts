import * as vscode from 'vscode';
import { countUsage } from '../../catalog/usage.ts';
import { type CatalogReference, getCatalogReferenceAt } from '../../json/language/catalogReference.ts';
import { type JsonTrees, getJsonTree } from '../../json/text/jsonTrees.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { getJsonDocumentKind, toRange } from './documents.ts';
import { describeTableOrColumn } from '../../platform/describeTableOrColumn.ts';
import { formatRelationCount, formatRuleCount } from '../../platform/countLabels.ts';
import type { DocumentKnowledge, DocumentKnowledgeService } from './documentKnowledgeService.ts';
import { escapeMarkdownText } from '../../platform/serverText.ts';

/** Shows details and usage of the table or column at the pointer. */
export class JsonHoverProvider implements vscode.HoverProvider {
  readonly #trees: JsonTrees;
  readonly #knowledgeService: DocumentKnowledgeService;

  constructor({ jsonTrees }: JsonLanguageDeps, knowledgeService: DocumentKnowledgeService) {
    this.#trees = jsonTrees;
    this.#knowledgeService = knowledgeService;
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const kind = getJsonDocumentKind(document);
    if (kind === undefined) {
      return undefined;
    }
    const json = getJsonTree(this.#trees, document);
    const knowledge = await this.#knowledgeService.getKnowledge(document.uri, kind, json);
    const reference = getCatalogReferenceAt(kind, json, document.offsetAt(position), knowledge.model);
    const lines = reference === undefined ? undefined : describeReference(reference, knowledge);
    if (reference === undefined || lines === undefined) {
      return undefined;
    }
    // Names and descriptions come from a server, so they are escaped.
    const content = new vscode.MarkdownString();
    content.appendMarkdown(escapeMarkdownText(lines.join('\n\n')));
    return new vscode.Hover(content, toRange(document, reference));
  }
}

function describeReference(
  reference: CatalogReference,
  { datamodelKnowledge, instanceCatalog }: DocumentKnowledge,
): readonly string[] | undefined {
  if (datamodelKnowledge === undefined) {
    return undefined;
  }
  const headerLines = describeTableOrColumn(datamodelKnowledge.datamodel, reference);
  if (headerLines === undefined) {
    return undefined;
  }
  const usage =
    instanceCatalog === undefined
      ? ''
      : describeUsage(countUsage(instanceCatalog.knownResources, datamodelKnowledge.datamodel, reference));
  return [...headerLines, usage].filter((line) => line !== '');
}

function describeUsage({ relationCount, ruleCount }: ReturnType<typeof countUsage>): string {
  const usages = [
    relationCount === 0 ? '' : formatRelationCount(relationCount),
    ruleCount === 0 ? '' : formatRuleCount(ruleCount),
  ].filter((usage) => usage !== '');
  return usages.length === 0 ? '' : vscode.l10n.t('Used by {0} (loaded items only).', usages.join(', '));
}
