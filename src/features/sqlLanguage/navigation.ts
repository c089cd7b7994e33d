import * as vscode from 'vscode';
import type { ModelExpression } from '../../catalog/modelExpressions.ts';
import { isSameRef } from '../../catalog/resourceRef.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { schemes } from '../../contributions.ts';
import { getColumnName, getTableName } from '../../contract/table.ts';
import { type DocumentRef, createDocumentPath } from '../../documents/documentAddress.ts';
import { findNameExtent } from '../../sql/embedded/tableJson.ts';
import {
  definitionAt,
  type ExpressionContext,
  findOutputExtent,
  referencesAt,
  referencesInDatamodel,
} from '../../sql/language.ts';
import type { LoadedDatamodel } from './datamodelLoader.ts';
import { TextLineIndex } from './textLineIndex.ts';
import { isSameName, findTableResource } from './modelResources.ts';
import { type DocumentOrigin, getDocumentOrigin } from './documentOrigin.ts';
import type { SqlRegions } from './regions.ts';

type TableDocumentRef = Extract<DocumentRef, { kind: 'table' | 'tableExpression' | 'columnExpression' }>;

/** Finds definitions and references of names, in a text and across a datamodel. */
export class SqlNavigationProvider implements vscode.DefinitionProvider, vscode.ReferenceProvider {
  readonly #regions: SqlRegions;
  readonly #connections: ConnectionStore;

  constructor(regions: SqlRegions, connections: ConnectionStore) {
    this.#regions = regions;
    this.#connections = connections;
  }

  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Location | undefined> {
    const place = await this.#regions.findRegionAt(document, position);
    if (place === undefined) {
      return undefined;
    }
    const { region, offset } = place;
    const found = definitionAt(region.text, offset, region.context);
    if (found?.start !== undefined && found.end !== undefined) {
      return new vscode.Location(document.uri, region.rangeOf({ start: found.start, end: found.end }));
    }
    return found?.table === undefined || region.model === undefined
      ? undefined
      : this.#findInDatamodel(region.model, found.table, found.column);
  }

  async provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
    { includeDeclaration }: vscode.ReferenceContext,
  ): Promise<vscode.Location[]> {
    const regions = await this.#regions.getRegions(document);
    const place = await this.#regions.findRegionAt(document, position);
    if (place === undefined) {
      return [];
    }
    const { region, offset } = place;
    const found = definitionAt(region.text, offset, region.context);
    if (found?.table === undefined || found.start !== undefined) {
      return referencesAt(region.text, offset, region.context)
        .filter(({ declares }) => includeDeclaration || !declares)
        .map((reference) => new vscode.Location(document.uri, region.rangeOf(reference)));
    }
    const { table, column } = found;
    const target = column === undefined ? { table } : { table, column };
    const here = regions.flatMap((one) =>
      referencesInDatamodel([{ id: one, text: one.text, context: one.context }], target).flatMap(
        ({ references }) =>
          references.map((reference) => new vscode.Location(document.uri, one.rangeOf(reference))),
      ),
    );
    return [
      ...here,
      ...(region.model === undefined
        ? []
        : this.#findReferencesElsewhere(region.model, target, document.uri)),
    ];
  }

  /** Finds the references in the other expressions of the datamodel. */
  #findReferencesElsewhere(
    model: LoadedDatamodel,
    target: { readonly table: string; readonly column?: string },
    here: vscode.Uri,
  ): vscode.Location[] {
    const origin = getDocumentOrigin(here);
    const others = model.expressions.filter(({ resource }) => !containsExpression(origin, resource));
    const asked = others.map((id) => ({ id, text: id.text, context: createContext(id, model) }));
    return referencesInDatamodel(asked, target).flatMap(({ id, references }) => {
      const uri = this.#getDocumentUri(model, id.resource);
      const lines = new TextLineIndex(id.text);
      return references.map((reference) => new vscode.Location(uri, lines.toRange(reference)));
    });
  }

  /**
   * Finds where the datamodel defines a table or column: in the SQL of a custom one, otherwise in the JSON of the
   * table.
   */
  async #findInDatamodel(
    model: LoadedDatamodel,
    table: string,
    column: string | undefined,
  ): Promise<vscode.Location | undefined> {
    const own = model.expressions.find(
      (one) => isSameName(one.table, table) && isSameName(one.column, column),
    );
    if (own !== undefined) {
      return new vscode.Location(this.#getDocumentUri(model, own.resource), new vscode.Position(0, 0));
    }
    const query = model.expressions.find((one) => isSameName(one.table, table) && one.column === undefined);
    if (query !== undefined) {
      const named =
        column === undefined ? undefined : findOutputExtent(query.text, column, createContext(query, model));
      const range = new TextLineIndex(query.text).toRange(named ?? { start: 0, end: 0 });
      return new vscode.Location(this.#getDocumentUri(model, query.resource), range);
    }
    const resource = findTableResource(model, table);
    if (resource === undefined) {
      return undefined;
    }
    const uri = this.#getDocumentUri(model, resource);
    const document = await vscode.workspace.openTextDocument(uri);
    const { start, end } = findNameExtent(this.#regions.getJson(document), column) ?? { start: 0, end: 0 };
    return new vscode.Location(uri, new vscode.Range(document.positionAt(start), document.positionAt(end)));
  }

  /**
   * Returns the URI of a resource's document. Prefers the URI of an open document, whose path may contain an old name.
   */
  #getDocumentUri({ connectionId, datamodel }: LoadedDatamodel, resource: TableDocumentRef): vscode.Uri {
    const open = vscode.workspace.textDocuments.find(({ uri }) => {
      const origin = uri.scheme === schemes.document ? getDocumentOrigin(uri) : undefined;
      return origin?.connectionId === connectionId && isSameRef(origin.resource, resource);
    });
    if (open !== undefined) {
      return open.uri;
    }
    const tables = (datamodel.datasets ?? []).flatMap(({ schema }) => schema?.tables ?? []);
    const table = tables.find(({ oid }) => oid === resource.tableId);
    const columnId = resource.kind === 'columnExpression' ? resource.columnId : undefined;
    const column = table?.columns?.find(({ oid }) => oid === columnId);
    const connection = this.#connections.find(connectionId)?.name ?? connectionId;
    const names = [connection, datamodel.title, table === undefined ? resource.tableId : getTableName(table)];
    const [name = '', ...within] = [
      ...names,
      ...(column === undefined ? [] : [getColumnName(column)]),
    ].reverse();
    const path = createDocumentPath({ connectionId, resource, name, within: within.reverse() });
    return vscode.Uri.from({ scheme: schemes.document, path });
  }
}

/**
 * Returns whether a document contains an expression; the JSON of a table also contains the expressions of its columns.
 */
const containsExpression = (origin: DocumentOrigin | undefined, own: ModelExpression['resource']): boolean =>
  origin !== undefined &&
  (isSameRef(origin.resource, own) ||
    (origin.resource.kind === 'table' && origin.resource.tableId === own.tableId));

function createContext({ table, column }: ModelExpression, { catalog }: LoadedDatamodel): ExpressionContext {
  return column === undefined ? { kind: 'table', catalog } : { kind: 'column', table, catalog };
}
