import * as vscode from 'vscode';
import { countUsage } from '../../catalog/usage.ts';
import { getColumnTypeLabel } from '../../contract/terms.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import { type Column, getColumnName, type Table, getTableName } from '../../contract/table.ts';
import { type CatalogReference, getCatalogReferenceAt } from '../../json/language/catalogReference.ts';
import { type JsonTrees, getJsonTree } from '../../json/text/jsonTrees.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { getJsonDocumentKind, toRange } from './documents.ts';
import { formatColumnCount, formatRelationCount, formatRuleCount } from '../../platform/countLabels.ts';
import type { InstanceKnowledge, DocumentKnowledgeService } from './documentKnowledgeService.ts';
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

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Finds a table of a datamodel by its name, ignoring case. */
export function findTable(
  datamodel: Datamodel,
  name: string,
): { readonly table: Table; readonly datasetId: string } | undefined {
  for (const { oid, schema } of datamodel.datasets ?? []) {
    const table = schema?.tables?.find((candidate) => isSameName(getTableName(candidate), name));
    if (table !== undefined) {
      return { table, datasetId: oid };
    }
  }
  return undefined;
}

function describeReference(
  reference: CatalogReference,
  { datamodelKnowledge, instanceCatalog }: InstanceKnowledge,
): readonly string[] | undefined {
  const match =
    datamodelKnowledge === undefined ? undefined : findTable(datamodelKnowledge.datamodel, reference.table);
  if (datamodelKnowledge === undefined || match === undefined) {
    return undefined;
  }
  const { table } = match;
  const column =
    reference.column === undefined
      ? undefined
      : table.columns?.find((candidate) => isSameName(getColumnName(candidate), reference.column ?? ''));
  if (reference.column !== undefined && column === undefined) {
    return undefined;
  }
  const usage =
    instanceCatalog === undefined
      ? ''
      : describeUsage(countUsage(instanceCatalog.knownResources, datamodelKnowledge.datamodel, reference));
  const headerLines = column === undefined ? describeTable(table) : describeColumn(table, column);
  return [...headerLines, usage].filter((line) => line !== '');
}

function describeTable(table: Table): readonly string[] {
  const { columns, description, hidden, type } = table;
  const count = columns?.length ?? 0;
  const details = [
    type === 'custom' ? vscode.l10n.t('custom table') : vscode.l10n.t('table'),
    count === 0 ? '' : formatColumnCount(count),
    hidden === true ? vscode.l10n.t('hidden') : '',
  ];
  return [
    `[${getTableName(table)}] — ${details.filter((detail) => detail !== '').join(', ')}`,
    description ?? '',
  ];
}

function describeColumn(table: Table, column: Column): readonly string[] {
  const { type, hidden, isCustom, description } = column;
  const details = [
    getColumnTypeLabel(type),
    isCustom === true ? vscode.l10n.t('custom column') : '',
    hidden === true ? vscode.l10n.t('hidden') : '',
  ];
  const detailText = details.filter((detail) => detail !== '').join(', ');
  const name = `[${getTableName(table)}.${getColumnName(column)}]`;
  return [detailText === '' ? name : `${name} — ${detailText}`, description ?? ''];
}

function describeUsage({ relations, rules }: ReturnType<typeof countUsage>): string {
  const usages = [
    relations === 0 ? '' : formatRelationCount(relations),
    rules === 0 ? '' : formatRuleCount(rules),
  ].filter((usage) => usage !== '');
  return usages.length === 0 ? '' : vscode.l10n.t('Used by {0} (loaded items only).', usages.join(', '));
}
