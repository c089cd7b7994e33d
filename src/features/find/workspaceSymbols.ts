import * as vscode from 'vscode';
import type { ResourceKind, ResourceRef } from '../../catalog/resourceRef.ts';
import { createViewAddress } from '../../catalog/viewAddress.ts';
import { schemes } from '../../contributions.ts';
import { findColumnSpan } from '../../documents/findColumnSpan.ts';
import { getJsonTree } from '../../json/text/jsonTrees.ts';
import { createDocumentPath, getDocumentAddress, isDocumentRef } from '../../documents/documentAddress.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { FindDeps } from './deps.ts';
import { type FindResult, searchCatalogs, getResultTarget } from './findResult.ts';

const maxSymbols = 200;

const symbolKinds: Readonly<Partial<Record<ResourceKind, vscode.SymbolKind>>> = {
  datamodel: vscode.SymbolKind.Module,
  dataset: vscode.SymbolKind.Package,
  table: vscode.SymbolKind.Class,
  column: vscode.SymbolKind.Field,
  rule: vscode.SymbolKind.Key,
  viewpoint: vscode.SymbolKind.Interface,
};

/** A search result as a symbol; its position in the document is resolved when the user chooses it. */
class ResultSymbol extends vscode.SymbolInformation {
  readonly result: FindResult;

  constructor(result: FindResult) {
    super(
      toPlainText(result.name),
      symbolKinds[result.ref.kind] ?? vscode.SymbolKind.Object,
      // The editor shows the container names as part of the path (resourceLabelFormatters).
      '',
      // Without a range, the editor calls resolveWorkspaceSymbol; the type declarations do not allow that.
      new vscode.Location(getDocumentUri(result), undefined as unknown as vscode.Position),
    );
    this.result = result;
  }
}

/** Returns the loaded resources of all instances for "Go to Symbol in Workspace…"; sends no requests. */
export const getWorkspaceSymbols = (deps: FindDeps, query: string): vscode.SymbolInformation[] =>
  searchCatalogs(deps, query, maxSymbols).map((result) => new ResultSymbol(result));

/**
 * Resolves the position of a symbol: for a column, its position in the document of its table; otherwise the start.
 */
export async function resolveWorkspaceSymbol(
  deps: FindDeps,
  symbol: vscode.SymbolInformation,
): Promise<vscode.SymbolInformation> {
  if (symbol instanceof ResultSymbol) {
    const { uri } = symbol.location;
    const position = await findPosition(deps, symbol.result, uri);
    symbol.location = new vscode.Location(uri, position);
  }
  return symbol;
}

async function findPosition(
  { jsonTrees }: FindDeps,
  { ref }: FindResult,
  uri: vscode.Uri,
): Promise<vscode.Position> {
  if (ref.kind === 'column') {
    const document = await vscode.workspace.openTextDocument(uri);
    const span = findColumnSpan(getJsonTree(jsonTrees, document), ref.columnId);
    if (span !== undefined) {
      return document.positionAt(span.start);
    }
  }
  return new vscode.Position(0, 0);
}

/**
 * Returns the URI of a result's document: for a column, that of its table; for a resource without a document, its
 * read-only view.
 */
function getDocumentUri(result: FindResult): vscode.Uri {
  const { connection, ref, name, within } = result;
  const [displayNames, resource] =
    ref.kind === 'column'
      ? [{ name: within.at(-1) ?? name, within: within.slice(0, -1) }, toTableRef(ref)]
      : [{ name, within }, ref];
  return isDocumentRef(resource)
    ? vscode.Uri.from({
        scheme: schemes.document,
        ...getDocumentAddress(
          createDocumentPath({
            connectionId: connection.id,
            resource,
            name: displayNames.name,
            within: [connection.name, ...displayNames.within],
          }),
        ),
      })
    : vscode.Uri.from({ scheme: schemes.view, ...createViewAddress(getResultTarget(result)) });
}

const toTableRef = ({
  datamodelId,
  datasetId,
  tableId,
}: Extract<ResourceRef, { kind: 'column' }>): ResourceRef => ({
  kind: 'table',
  datamodelId,
  datasetId,
  tableId,
});
