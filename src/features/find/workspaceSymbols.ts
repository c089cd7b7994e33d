import * as vscode from 'vscode';
import type { ResourceKind } from '../../catalog/resourceRef.ts';
import { viewAddress } from '../../catalog/viewAddress.ts';
import { schemes } from '../../contributions.ts';
import { plainText } from '../../platform/plainText.ts';
import type { FindDeps } from './deps.ts';
import { findKnown, targetOf } from './found.ts';

const mostSymbols = 200;

const kinds: Readonly<Partial<Record<ResourceKind, vscode.SymbolKind>>> = {
  datamodel: vscode.SymbolKind.Module,
  dataset: vscode.SymbolKind.Package,
  table: vscode.SymbolKind.Class,
  column: vscode.SymbolKind.Field,
  rule: vscode.SymbolKind.Key,
  viewpoint: vscode.SymbolKind.Interface,
};

/** What is known of all instances in "Go to Symbol in Workspace…"; asks no server. */
export const workspaceSymbols = (deps: FindDeps, query: string): vscode.SymbolInformation[] =>
  findKnown(deps, query, mostSymbols).map((found) => {
    const uri = vscode.Uri.from({ scheme: schemes.view, ...viewAddress(targetOf(found)) });
    return new vscode.SymbolInformation(
      plainText(found.name),
      kinds[found.ref.kind] ?? vscode.SymbolKind.Object,
      [found.connection.name, ...found.within].map(plainText).join(' › '),
      new vscode.Location(uri, new vscode.Position(0, 0)),
    );
  });
