import * as vscode from 'vscode';
import type { ResourceKind, ResourceRef } from '../../catalog/resourceRef.ts';
import { viewAddress } from '../../catalog/viewAddress.ts';
import { schemes } from '../../contributions.ts';
import { columnSpan } from '../../documents/columnSpan.ts';
import { treeOf } from '../../json/text/jsonTrees.ts';
import { documentPath, isDocument } from '../../documents/documentAddress.ts';
import { plainText } from '../../platform/serverText.ts';
import type { FindDeps } from './deps.ts';
import { type Found, findKnown, targetOf } from './found.ts';

const mostSymbols = 200;

const kinds: Readonly<Partial<Record<ResourceKind, vscode.SymbolKind>>> = {
  datamodel: vscode.SymbolKind.Module,
  dataset: vscode.SymbolKind.Package,
  table: vscode.SymbolKind.Class,
  column: vscode.SymbolKind.Field,
  rule: vscode.SymbolKind.Key,
  viewpoint: vscode.SymbolKind.Interface,
};

/** A find as a symbol; where it stands in its document is looked for when it is chosen. */
class FoundSymbol extends vscode.SymbolInformation {
  readonly found: Found;

  constructor(found: Found) {
    super(
      plainText(found.name),
      kinds[found.ref.kind] ?? vscode.SymbolKind.Object,
      // The editor itself shows the names above the document (resourceLabelFormatters), which say the same.
      '',
      // Without a range the editor asks for the rest (API, resolveWorkspaceSymbol); the types do not say so.
      new vscode.Location(uriOf(found), undefined as unknown as vscode.Position),
    );
    this.found = found;
  }
}

/** What is known of all instances in "Go to Symbol in Workspace…"; asks no server. */
export const workspaceSymbols = (deps: FindDeps, query: string): vscode.SymbolInformation[] =>
  findKnown(deps, query, mostSymbols).map((found) => new FoundSymbol(found));

/** Where the symbol stands: a column within its table, anything else as a whole. */
export async function resolveSymbol(
  deps: FindDeps,
  symbol: vscode.SymbolInformation,
): Promise<vscode.SymbolInformation> {
  if (symbol instanceof FoundSymbol) {
    const { uri } = symbol.location;
    const position = await positionOf(deps, symbol.found, uri);
    symbol.location = new vscode.Location(uri, position);
  }
  return symbol;
}

async function positionOf(
  { jsonTrees }: FindDeps,
  { ref }: Found,
  uri: vscode.Uri,
): Promise<vscode.Position> {
  if (ref.kind === 'column') {
    const document = await vscode.workspace.openTextDocument(uri);
    const span = columnSpan(treeOf(jsonTrees, document), ref.columnId);
    if (span !== undefined) {
      return document.positionAt(span.start);
    }
  }
  return new vscode.Position(0, 0);
}

/** The document of a find: of a column that of its table; what is no document is shown in a view. */
function uriOf(found: Found): vscode.Uri {
  const { connection, ref, name, within } = found;
  const [shown, resource] =
    ref.kind === 'column'
      ? [{ name: within.at(-1) ?? name, within: within.slice(0, -1) }, tableOf(ref)]
      : [{ name, within }, ref];
  return isDocument(resource)
    ? vscode.Uri.from({
        scheme: schemes.document,
        path: documentPath({
          connectionId: connection.id,
          resource,
          name: shown.name,
          within: [connection.name, ...shown.within],
        }),
      })
    : vscode.Uri.from({ scheme: schemes.view, ...viewAddress(targetOf(found)) });
}

const tableOf = ({
  datamodelId,
  datasetId,
  tableId,
}: Extract<ResourceRef, { kind: 'column' }>): ResourceRef => ({
  kind: 'table',
  datamodelId,
  datasetId,
  tableId,
});
