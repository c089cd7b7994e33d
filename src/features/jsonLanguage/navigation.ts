import * as vscode from 'vscode';
import { datasetName } from '../../contract/datamodel.ts';
import { schemes } from '../../contributions.ts';
import { tableName } from '../../contract/table.ts';
import { documentPath } from '../../documents/documentAddress.ts';
import { type OutlineItem, outlineOf } from '../../json/language/outline.ts';
import { renameIn } from '../../json/language/rename.ts';
import { type Subject, subjectAt } from '../../json/language/subject.ts';
import { type JsonTrees, treeOf } from '../../json/text/jsonTrees.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { kindOf, rangeOf } from './documents.ts';
import { tableNamed } from './hover.ts';
import type { InstanceKnowledge, KnowledgeOfDocuments } from './knowledge.ts';

/** From a name to its table, and to another name. */
export class JsonNavigation implements vscode.DefinitionProvider, vscode.RenameProvider {
  readonly #deps: JsonLanguageDeps;
  readonly #knowledge: KnowledgeOfDocuments;

  constructor(deps: JsonLanguageDeps, knowledge: KnowledgeOfDocuments) {
    this.#deps = deps;
    this.#knowledge = knowledge;
  }

  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.LocationLink[] | undefined> {
    const { subject, known } = await this.#at(document, position);
    const target = subject === undefined ? undefined : this.#tableUri(subject, known);
    return subject === undefined || target === undefined
      ? undefined
      : [
          {
            originSelectionRange: rangeOf(document, subject),
            targetUri: target,
            targetRange: new vscode.Range(0, 0, 0, 0),
          },
        ];
  }

  async prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ range: vscode.Range; placeholder: string }> {
    const { subject } = await this.#at(document, position);
    if (subject === undefined) {
      throw new Error(vscode.l10n.t('Only names of tables and columns can be renamed here.'));
    }
    return { range: rangeOf(document, subject), placeholder: subject.column ?? subject.table };
  }

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
  ): Promise<vscode.WorkspaceEdit | undefined> {
    const kind = kindOf(document);
    const { subject, known } = await this.#at(document, position);
    if (newName.trim() === '') {
      throw new Error(vscode.l10n.t('A table or column needs a name.'));
    }
    if (kind === undefined || subject === undefined) {
      return undefined;
    }
    const edit = new vscode.WorkspaceEdit();
    const json = treeOf(this.#deps.jsonTrees, document);
    for (const change of renameIn(kind, json, subject, newName, known.model)) {
      edit.replace(document.uri, rangeOf(document, change), change.newText);
    }
    return edit;
  }

  async #at(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ readonly subject: Subject | undefined; readonly known: InstanceKnowledge }> {
    const kind = kindOf(document) ?? 'viewpoint';
    const json = treeOf(this.#deps.jsonTrees, document);
    const known = await this.#knowledge.of(document.uri, kind, json);
    return { subject: subjectAt(kind, json, document.offsetAt(position), known.model), known };
  }

  /** The document of the table that is named; `undefined` where the datamodel has none of that name. */
  #tableUri({ table: name }: Subject, { ofDatamodel }: InstanceKnowledge): vscode.Uri | undefined {
    const found = ofDatamodel === undefined ? undefined : tableNamed(ofDatamodel.datamodel, name);
    if (ofDatamodel === undefined || found === undefined) {
      return undefined;
    }
    const { connectionId, datamodel } = ofDatamodel;
    const { table, datasetId } = found;
    const dataset = datamodel.datasets?.find(({ oid }) => oid === datasetId);
    const path = documentPath({
      connectionId,
      resource: { kind: 'table', datamodelId: datamodel.oid, datasetId, tableId: table.oid },
      name: tableName(table),
      within: [
        this.#deps.connections.find(connectionId)?.name,
        datamodel.title,
        dataset === undefined ? undefined : datasetName(dataset),
      ].filter((part) => part !== undefined),
    });
    return vscode.Uri.from({ scheme: schemes.document, path });
  }
}

const symbolKinds: Readonly<Record<OutlineItem['kind'], vscode.SymbolKind>> = {
  document: vscode.SymbolKind.Object,
  column: vscode.SymbolKind.Field,
  rule: vscode.SymbolKind.Key,
  sharing: vscode.SymbolKind.Interface,
};

/** Columns and rules by the names that people have for them. */
export class JsonOutline implements vscode.DocumentSymbolProvider {
  readonly #trees: JsonTrees;

  constructor({ jsonTrees }: JsonLanguageDeps) {
    this.#trees = jsonTrees;
  }

  provideDocumentSymbols(document: vscode.TextDocument): vscode.DocumentSymbol[] {
    const kind = kindOf(document);
    return kind === undefined
      ? []
      : outlineOf(kind, treeOf(this.#trees, document)).map((item) => toSymbol(document, item));
  }
}

function toSymbol(document: vscode.TextDocument, item: OutlineItem): vscode.DocumentSymbol {
  const range = rangeOf(document, item);
  const start = new vscode.Range(range.start, range.start);
  const symbol = new vscode.DocumentSymbol(item.name, item.detail, symbolKinds[item.kind], range, start);
  symbol.children = item.children.map((child) => toSymbol(document, child));
  return symbol;
}
