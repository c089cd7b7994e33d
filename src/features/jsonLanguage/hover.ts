import * as vscode from 'vscode';
import { countUsage } from '../../catalog/usage.ts';
import { getColumnType } from '../../contract/terms.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import { type Column, getColumnName, type Table, getTableName } from '../../contract/table.ts';
import { type CatalogReference, getCatalogReferenceAt } from '../../json/language/catalogReference.ts';
import { type JsonTrees, getJsonTree } from '../../json/text/jsonTrees.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { getJsonDocumentKind, toRange } from './documents.ts';
import { countColumns, countRelations, countRules } from '../../platform/countLabels.ts';
import type { InstanceKnowledge, DocumentKnowledgeService } from './documentKnowledgeService.ts';
import { escapeMarkdownText } from '../../platform/serverText.ts';

/** Shows details and usage of the table or column at the pointer. */
export class JsonHoverProvider implements vscode.HoverProvider {
  readonly #trees: JsonTrees;
  readonly #knowledgeService: DocumentKnowledgeService;

  constructor({ jsonTrees }: JsonLanguageDeps, knowledge: DocumentKnowledgeService) {
    this.#trees = jsonTrees;
    this.#knowledgeService = knowledge;
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
    const known = await this.#knowledgeService.getKnowledge(document.uri, kind, json);
    const subject = getCatalogReferenceAt(kind, json, document.offsetAt(position), known.model);
    const lines = subject === undefined ? undefined : describeSubject(subject, known);
    if (subject === undefined || lines === undefined) {
      return undefined;
    }
    // Names and descriptions come from a server, so they are escaped.
    const content = new vscode.MarkdownString();
    content.appendMarkdown(escapeMarkdownText(lines.join('\n\n')));
    return new vscode.Hover(content, toRange(document, subject));
  }
}

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Finds a table of a datamodel by its name, ignoring case. */
export function findTable(
  datamodel: Datamodel,
  name: string,
): { readonly table: Table; readonly datasetId: string } | undefined {
  for (const { oid, schema } of datamodel.datasets ?? []) {
    const table = schema?.tables?.find((one) => isSameName(getTableName(one), name));
    if (table !== undefined) {
      return { table, datasetId: oid };
    }
  }
  return undefined;
}

function describeSubject(
  subject: CatalogReference,
  { datamodelKnowledge, instance }: InstanceKnowledge,
): readonly string[] | undefined {
  const found =
    datamodelKnowledge === undefined ? undefined : findTable(datamodelKnowledge.datamodel, subject.table);
  if (datamodelKnowledge === undefined || found === undefined) {
    return undefined;
  }
  const { table } = found;
  const column =
    subject.column === undefined
      ? undefined
      : table.columns?.find((one) => isSameName(getColumnName(one), subject.column ?? ''));
  if (subject.column !== undefined && column === undefined) {
    return undefined;
  }
  const usage =
    instance === undefined
      ? ''
      : describeUsage(countUsage(instance.known, datamodelKnowledge.datamodel, subject));
  const head = column === undefined ? describeTable(table) : describeColumn(table, column);
  return [...head, usage].filter((line) => line !== '');
}

function describeTable(table: Table): readonly string[] {
  const { columns, description, hidden, type } = table;
  const count = columns?.length ?? 0;
  const facts = [
    type === 'custom' ? vscode.l10n.t('custom table') : vscode.l10n.t('table'),
    count === 0 ? '' : countColumns(count),
    hidden === true ? vscode.l10n.t('hidden') : '',
  ];
  return [`[${getTableName(table)}] — ${facts.filter((fact) => fact !== '').join(', ')}`, description ?? ''];
}

function describeColumn(table: Table, column: Column): readonly string[] {
  const { type, hidden, isCustom, description } = column;
  const facts = [
    getColumnType(type)?.name ?? '',
    isCustom === true ? vscode.l10n.t('custom column') : '',
    hidden === true ? vscode.l10n.t('hidden') : '',
  ];
  const said = facts.filter((fact) => fact !== '').join(', ');
  const name = `[${getTableName(table)}.${getColumnName(column)}]`;
  return [said === '' ? name : `${name} — ${said}`, description ?? ''];
}

function describeUsage({ relations, rules }: ReturnType<typeof countUsage>): string {
  const parts = [
    relations === 0 ? '' : countRelations(relations),
    rules === 0 ? '' : countRules(rules),
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : vscode.l10n.t('Used by {0}, as far as loaded.', parts.join(', '));
}
