import * as vscode from 'vscode';
import { getDatasetName } from '../../contract/datamodel.ts';
import { schemes } from '../../contributions.ts';
import { getTableName } from '../../contract/table.ts';
import { createDocumentPath, getDocumentAddress } from '../../documents/documentAddress.ts';
import { type OutlineItem, getJsonOutline } from '../../json/language/outline.ts';
import { getJsonRenameEdits } from '../../json/language/rename.ts';
import { type CatalogReference, getCatalogReferenceAt } from '../../json/language/catalogReference.ts';
import { type JsonTrees, getJsonTree } from '../../json/text/jsonTrees.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { getJsonDocumentKind, toRange } from './documents.ts';
import { findTable } from '../../platform/describeTableOrColumn.ts';
import { createRenameLocation } from '../../platform/renameLocation.ts';
import type { DocumentKnowledge, DocumentKnowledgeService } from './documentKnowledgeService.ts';

/** Opens the document of the table at the caret, and renames tables and columns within a document. */
export class JsonNavigationProvider implements vscode.DefinitionProvider, vscode.RenameProvider {
  readonly #deps: JsonLanguageDeps;
  readonly #knowledgeService: DocumentKnowledgeService;

  constructor(deps: JsonLanguageDeps, knowledgeService: DocumentKnowledgeService) {
    this.#deps = deps;
    this.#knowledgeService = knowledgeService;
  }

  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.LocationLink[] | undefined> {
    const { reference, knowledge } = await this.#getReferenceAt(document, position);
    const target = reference === undefined ? undefined : this.#getTableUri(reference, knowledge);
    return reference === undefined || target === undefined
      ? undefined
      : [
          {
            originSelectionRange: toRange(document, reference),
            targetUri: target,
            targetRange: new vscode.Range(0, 0, 0, 0),
          },
        ];
  }

  async prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ range: vscode.Range; placeholder: string }> {
    const { reference } = await this.#getReferenceAt(document, position);
    if (reference === undefined) {
      throw new Error(vscode.l10n.t('Only tables and columns can be renamed here.'));
    }
    return createRenameLocation(document, toRange(document, reference), reference.column ?? reference.table);
  }

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
  ): Promise<vscode.WorkspaceEdit | undefined> {
    const kind = getJsonDocumentKind(document);
    const { reference, knowledge } = await this.#getReferenceAt(document, position);
    if (newName.trim() === '') {
      throw new Error(vscode.l10n.t('Enter a name.'));
    }
    if (kind === undefined || reference === undefined) {
      return undefined;
    }
    const edit = new vscode.WorkspaceEdit();
    const json = getJsonTree(this.#deps.jsonTrees, document);
    for (const textEdit of getJsonRenameEdits(kind, json, reference, newName, knowledge.model)) {
      edit.replace(document.uri, toRange(document, textEdit), textEdit.newText);
    }
    return edit;
  }

  async #getReferenceAt(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ readonly reference: CatalogReference | undefined; readonly knowledge: DocumentKnowledge }> {
    const kind = getJsonDocumentKind(document) ?? 'viewpoint';
    const json = getJsonTree(this.#deps.jsonTrees, document);
    const knowledge = await this.#knowledgeService.getKnowledge(document.uri, kind, json);
    return {
      // Another provider finds names that are defined in the files of a project, and renames them in all files.
      reference:
        knowledge.datamodelSource === 'files'
          ? undefined
          : getCatalogReferenceAt(kind, json, document.offsetAt(position), knowledge.model),
      knowledge,
    };
  }

  /** Returns the URI of a table's document; `undefined` if the datamodel has no such table. */
  #getTableUri(
    { table: name }: CatalogReference,
    { datamodelKnowledge }: DocumentKnowledge,
  ): vscode.Uri | undefined {
    const match =
      datamodelKnowledge === undefined ? undefined : findTable(datamodelKnowledge.datamodel, name);
    if (datamodelKnowledge?.connectionId === undefined || match === undefined) {
      return undefined;
    }
    const { connectionId, datamodel } = datamodelKnowledge;
    const { table, datasetId } = match;
    const dataset = datamodel.datasets?.find(({ oid }) => oid === datasetId);
    const path = createDocumentPath({
      connectionId,
      resource: { kind: 'table', datamodelId: datamodel.oid, datasetId, tableId: table.oid },
      name: getTableName(table),
      within: [
        this.#deps.connections.find(connectionId)?.name,
        datamodel.title,
        dataset === undefined ? undefined : getDatasetName(dataset),
      ].filter((containerName) => containerName !== undefined),
    });
    return vscode.Uri.from({ scheme: schemes.document, ...getDocumentAddress(path) });
  }
}

const symbolKinds: Readonly<Record<OutlineItem['kind'], vscode.SymbolKind>> = {
  document: vscode.SymbolKind.Object,
  column: vscode.SymbolKind.Field,
  rule: vscode.SymbolKind.Key,
  sharing: vscode.SymbolKind.Interface,
};

/** Provides the outline, with columns and rules labeled by the names that users know. */
export class JsonDocumentSymbolProvider implements vscode.DocumentSymbolProvider {
  readonly #trees: JsonTrees;

  constructor({ jsonTrees }: JsonLanguageDeps) {
    this.#trees = jsonTrees;
  }

  provideDocumentSymbols(document: vscode.TextDocument): vscode.DocumentSymbol[] {
    const kind = getJsonDocumentKind(document);
    return kind === undefined
      ? []
      : getJsonOutline(vscode.l10n.t, kind, getJsonTree(this.#trees, document)).map((item) =>
          toSymbol(document, item),
        );
  }
}

function toSymbol(document: vscode.TextDocument, item: OutlineItem): vscode.DocumentSymbol {
  const range = toRange(document, item);
  const selectionRange = new vscode.Range(range.start, range.start);
  const symbol = new vscode.DocumentSymbol(
    item.name,
    item.detail,
    symbolKinds[item.kind],
    range,
    selectionRange,
  );
  symbol.children = item.children.map((child) => toSymbol(document, child));
  return symbol;
}
