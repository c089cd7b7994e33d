import * as vscode from 'vscode';
import { usageOf } from '../../catalog/usage.ts';
import { columnType } from '../../contract/terms.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import { type Column, columnName, type Table, tableName } from '../../contract/table.ts';
import { type Subject, subjectAt } from '../../json/language/subject.ts';
import { type JsonTrees, treeOf } from '../../json/text/jsonTrees.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { kindOf, rangeOf } from './documents.ts';
import { columnCount, relationCount, ruleCount } from '../../platform/countWords.ts';
import type { InstanceKnowledge, KnowledgeOfDocuments } from './knowledge.ts';
import { markdownText } from '../../platform/serverText.ts';

/** What the datamodel tells of a table or column that is named. */
export class JsonHover implements vscode.HoverProvider {
  readonly #trees: JsonTrees;
  readonly #knowledge: KnowledgeOfDocuments;

  constructor({ jsonTrees }: JsonLanguageDeps, knowledge: KnowledgeOfDocuments) {
    this.#trees = jsonTrees;
    this.#knowledge = knowledge;
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const kind = kindOf(document);
    if (kind === undefined) {
      return undefined;
    }
    const json = treeOf(this.#trees, document);
    const known = await this.#knowledge.of(document.uri, kind, json);
    const subject = subjectAt(kind, json, document.offsetAt(position), known.model);
    const lines = subject === undefined ? undefined : linesOf(subject, known);
    if (subject === undefined || lines === undefined) {
      return undefined;
    }
    // Names and descriptions come from a server: they are shown as text, never as markup.
    const content = new vscode.MarkdownString();
    content.appendMarkdown(markdownText(lines.join('\n\n')));
    return new vscode.Hover(content, rangeOf(document, subject));
  }
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** A table of a datamodel by its name, in any letter case. */
export function tableNamed(
  datamodel: Datamodel,
  name: string,
): { readonly table: Table; readonly datasetId: string } | undefined {
  for (const { oid, schema } of datamodel.datasets ?? []) {
    const table = schema?.tables?.find((one) => sameName(tableName(one), name));
    if (table !== undefined) {
      return { table, datasetId: oid };
    }
  }
  return undefined;
}

function linesOf(
  subject: Subject,
  { ofDatamodel, instance }: InstanceKnowledge,
): readonly string[] | undefined {
  const found = ofDatamodel === undefined ? undefined : tableNamed(ofDatamodel.datamodel, subject.table);
  if (ofDatamodel === undefined || found === undefined) {
    return undefined;
  }
  const { table } = found;
  const column =
    subject.column === undefined
      ? undefined
      : table.columns?.find((one) => sameName(columnName(one), subject.column ?? ''));
  if (subject.column !== undefined && column === undefined) {
    return undefined;
  }
  const usage =
    instance === undefined ? '' : usageWords(usageOf(instance.known, ofDatamodel.datamodel, subject));
  const head = column === undefined ? tableLines(table) : columnLines(table, column);
  return [...head, usage].filter((line) => line !== '');
}

function tableLines(table: Table): readonly string[] {
  const { columns, description, hidden, type } = table;
  const count = columns?.length ?? 0;
  const facts = [
    type === 'custom' ? vscode.l10n.t('custom table') : vscode.l10n.t('table'),
    count === 0 ? '' : columnCount(count),
    hidden === true ? vscode.l10n.t('hidden') : '',
  ];
  return [`[${tableName(table)}] — ${facts.filter((fact) => fact !== '').join(', ')}`, description ?? ''];
}

function columnLines(table: Table, column: Column): readonly string[] {
  const { type, hidden, isCustom, description } = column;
  const facts = [
    columnType(type)?.name ?? '',
    isCustom === true ? vscode.l10n.t('custom column') : '',
    hidden === true ? vscode.l10n.t('hidden') : '',
  ];
  const said = facts.filter((fact) => fact !== '').join(', ');
  const name = `[${tableName(table)}.${columnName(column)}]`;
  return [said === '' ? name : `${name} — ${said}`, description ?? ''];
}

function usageWords({ relations, rules }: ReturnType<typeof usageOf>): string {
  const parts = [relations === 0 ? '' : relationCount(relations), rules === 0 ? '' : ruleCount(rules)].filter(
    (part) => part !== '',
  );
  return parts.length === 0 ? '' : vscode.l10n.t('Used by {0}, as far as loaded.', parts.join(', '));
}
