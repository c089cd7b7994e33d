import * as vscode from 'vscode';
import type { ModelExpression } from '../../catalog/modelExpressions.ts';
import { isSameRef } from '../../catalog/resourceRef.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { schemes } from '../../contributions.ts';
import { getColumnName, getTableName } from '../../contract/table.ts';
import { type DocumentRef, createDocumentPath, getDocumentAddress } from '../../documents/documentAddress.ts';
import { LineOffsets } from '../../base/lineOffsets.ts';
import { toTextRange } from '../../platform/textRange.ts';
import { findDocumentNameRange } from '../../sql/embedded/tableJson.ts';
import {
  definitionAt,
  type ExpressionContext,
  findOutputNameRange,
  referencesAt,
  findReferencesInDatamodel,
} from '../../sql/language.ts';
import type { LoadedDatamodel } from './datamodelLoader.ts';
import { type SqlFileSources, findDatamodelSqlFiles } from './datamodelSqlFiles.ts';
import { isSameName, findTableResource } from './modelResources.ts';
import { type ResourceIdentity, getResourceIdentity } from './resourceIdentity.ts';
import { type SqlRegions, getSavedTableName } from './regions.ts';

type TableDocumentRef = Extract<DocumentRef, { kind: 'table' | 'tableExpression' | 'columnExpression' }>;

/** Finds definitions and references of names, in a text and across a datamodel. */
export class SqlNavigationProvider implements vscode.DefinitionProvider, vscode.ReferenceProvider {
  readonly #regions: SqlRegions;
  readonly #sources: SqlFileSources;
  readonly #connections: ConnectionStore;

  constructor(regions: SqlRegions, sources: SqlFileSources, connections: ConnectionStore) {
    this.#regions = regions;
    this.#sources = sources;
    this.#connections = connections;
  }

  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Location | undefined> {
    const positionInRegion = await this.#regions.findRegionAt(document, position);
    if (positionInRegion === undefined) {
      return undefined;
    }
    const { region, offset } = positionInRegion;
    const definition = definitionAt(region.text, offset, region.context);
    if (definition?.start !== undefined && definition.end !== undefined) {
      return new vscode.Location(
        document.uri,
        region.toRange({ start: definition.start, end: definition.end }),
      );
    }
    return definition?.table === undefined || region.loadedDatamodel === undefined
      ? undefined
      : this.#findInDatamodel(region.loadedDatamodel, definition.table, definition.column);
  }

  async provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
    { includeDeclaration }: vscode.ReferenceContext,
  ): Promise<vscode.Location[]> {
    const regions = await this.#regions.getRegions(document);
    const positionInRegion = await this.#regions.findRegionAt(document, position);
    if (positionInRegion === undefined) {
      return [];
    }
    const { region, offset } = positionInRegion;
    const definition = definitionAt(region.text, offset, region.context);
    if (definition?.table === undefined || definition.start !== undefined) {
      return referencesAt(region.text, offset, region.context)
        .filter(({ isDeclaration }) => includeDeclaration || !isDeclaration)
        .map((reference) => new vscode.Location(document.uri, region.toRange(reference)));
    }
    if (region.isInProject) {
      // Another provider returns the references in all files of the project, including these.
      return [];
    }
    const { table, column } = definition;
    const target = column === undefined ? { table } : { table, column };
    const locationsInDocument = regions.flatMap((regionOfDocument) =>
      findReferencesInDatamodel(
        [{ id: regionOfDocument, text: regionOfDocument.text, context: regionOfDocument.context }],
        target,
      ).flatMap(({ references }) =>
        references.map((reference) => new vscode.Location(document.uri, regionOfDocument.toRange(reference))),
      ),
    );
    return region.loadedDatamodel === undefined
      ? locationsInDocument
      : [
          ...locationsInDocument,
          ...this.#findReferencesElsewhere(region.loadedDatamodel, target, document.uri),
          ...(await this.#findReferencesInFiles(region.loadedDatamodel, target, document.uri)),
        ];
  }

  /** Finds the references in the other SQL files of the workspace that belong to the datamodel. */
  async #findReferencesInFiles(
    loadedDatamodel: LoadedDatamodel,
    target: { readonly table: string; readonly column?: string },
    documentUri: vscode.Uri,
  ): Promise<vscode.Location[]> {
    const { connectionId, datamodelId, catalog } = loadedDatamodel;
    const { files } = await findDatamodelSqlFiles(this.#sources, { connectionId, datamodelId });
    const sources = files
      .filter(({ uri }) => String(uri) !== String(documentUri))
      .map(({ uri, text, resource }) => ({
        id: { uri, text },
        text,
        context:
          resource?.kind === 'columnExpression'
            ? ({
                kind: 'column',
                table: getSavedTableName(loadedDatamodel, resource) ?? '',
                catalog,
              } as const)
            : ({ kind: 'table', catalog } as const),
      }));
    return findReferencesInDatamodel(sources, target).flatMap(({ id: { uri, text }, references }) => {
      const lines = new LineOffsets(text);
      return references.map((reference) => new vscode.Location(uri, toTextRange(lines, reference)));
    });
  }

  /** Finds the references in the other expressions of the datamodel. */
  #findReferencesElsewhere(
    loadedDatamodel: LoadedDatamodel,
    target: { readonly table: string; readonly column?: string },
    documentUri: vscode.Uri,
  ): vscode.Location[] {
    const identity = getResourceIdentity(documentUri);
    const otherExpressions = loadedDatamodel.expressions.filter(
      ({ resource }) => !containsExpression(identity, resource),
    );
    const sources = otherExpressions.map((expression) => ({
      id: expression,
      text: expression.text,
      context: createContext(expression, loadedDatamodel),
    }));
    return findReferencesInDatamodel(sources, target).flatMap(({ id: expression, references }) => {
      const uri = this.#getDocumentUri(loadedDatamodel, expression.resource);
      const lines = new LineOffsets(expression.text);
      return references.map((reference) => new vscode.Location(uri, toTextRange(lines, reference)));
    });
  }

  /**
   * Finds where the datamodel defines a table or column: in the SQL of a custom one, otherwise in the JSON of the
   * table.
   */
  async #findInDatamodel(
    loadedDatamodel: LoadedDatamodel,
    table: string,
    column: string | undefined,
  ): Promise<vscode.Location | undefined> {
    const ownExpression = loadedDatamodel.expressions.find(
      (expression) => isSameName(expression.table, table) && isSameName(expression.column, column),
    );
    if (ownExpression !== undefined) {
      return new vscode.Location(
        this.#getDocumentUri(loadedDatamodel, ownExpression.resource),
        new vscode.Position(0, 0),
      );
    }
    const tableExpression = loadedDatamodel.expressions.find(
      (expression) => isSameName(expression.table, table) && expression.column === undefined,
    );
    if (tableExpression !== undefined) {
      const outputExtent =
        column === undefined
          ? undefined
          : findOutputNameRange(
              tableExpression.text,
              column,
              createContext(tableExpression, loadedDatamodel),
            );
      const range = toTextRange(new LineOffsets(tableExpression.text), outputExtent ?? { start: 0, end: 0 });
      return new vscode.Location(this.#getDocumentUri(loadedDatamodel, tableExpression.resource), range);
    }
    const resource = findTableResource(loadedDatamodel, table);
    if (resource === undefined) {
      return undefined;
    }
    const uri = this.#getDocumentUri(loadedDatamodel, resource);
    const document = await vscode.workspace.openTextDocument(uri);
    const { start, end } = findDocumentNameRange(this.#regions.getJson(document), column) ?? {
      start: 0,
      end: 0,
    };
    return new vscode.Location(uri, new vscode.Range(document.positionAt(start), document.positionAt(end)));
  }

  /**
   * Returns the URI of a resource's document. Prefers the URI of an open document, whose path may contain an old name.
   */
  #getDocumentUri({ connectionId, datamodel }: LoadedDatamodel, resource: TableDocumentRef): vscode.Uri {
    const openDocument = vscode.workspace.textDocuments.find(({ uri }) => {
      const identity = uri.scheme === schemes.document ? getResourceIdentity(uri) : undefined;
      return identity?.connectionId === connectionId && isSameRef(identity.resource, resource);
    });
    if (openDocument !== undefined) {
      return openDocument.uri;
    }
    const tables = (datamodel.datasets ?? []).flatMap(({ schema }) => schema?.tables ?? []);
    const table = tables.find(({ oid }) => oid === resource.tableId);
    const columnId = resource.kind === 'columnExpression' ? resource.columnId : undefined;
    const column = table?.columns?.find(({ oid }) => oid === columnId);
    const connectionName = this.#connections.find(connectionId)?.name ?? connectionId;
    const names = [
      connectionName,
      datamodel.title,
      table === undefined ? resource.tableId : getTableName(table),
    ];
    const [name = '', ...within] = [
      ...names,
      ...(column === undefined ? [] : [getColumnName(column)]),
    ].reverse();
    const path = createDocumentPath({ connectionId, resource, name, within: within.reverse() });
    return vscode.Uri.from({ scheme: schemes.document, ...getDocumentAddress(path) });
  }
}

/**
 * Returns whether a document contains an expression; the JSON of a table also contains the expressions of its columns.
 */
const containsExpression = (
  identity: ResourceIdentity | undefined,
  expression: ModelExpression['resource'],
): boolean =>
  identity !== undefined &&
  (isSameRef(identity.resource, expression) ||
    (identity.resource.kind === 'table' && identity.resource.tableId === expression.tableId));

function createContext({ table, column }: ModelExpression, { catalog }: LoadedDatamodel): ExpressionContext {
  return column === undefined ? { kind: 'table', catalog } : { kind: 'column', table, catalog };
}
