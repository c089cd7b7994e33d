import * as vscode from 'vscode';
import type { ConnectionRole } from '../../connections/connection.ts';
import { schemes } from '../../contributions.ts';
import { roleLabel } from '../../platform/roleWords.ts';

/** How a node is marked besides its label and icon. */
export type Mark =
  | 'hidden'
  | 'building'
  | 'build-failed'
  | `role-${Exclude<ConnectionRole, 'development'>}`
  | 'role-unlocked';

/** The address that carries the mark of a node to the decorations; it is nothing that can be opened. */
export const markUri = (mark: Mark, nodeId: string): vscode.Uri =>
  vscode.Uri.from({ scheme: schemes.node, authority: mark, path: `/${encodeURIComponent(nodeId)}` });

/** Dims what is hidden, and marks connections by what they are for and datamodels by how their build stands. */
export class NodeDecorations implements vscode.FileDecorationProvider {
  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    return uri.scheme === schemes.node ? decorationOf(uri.authority as Mark) : undefined;
  }
}

function decorationOf(mark: Mark): vscode.FileDecoration | undefined {
  switch (mark) {
    case 'hidden':
      return new vscode.FileDecoration(
        undefined,
        vscode.l10n.t('hidden'),
        new vscode.ThemeColor('disabledForeground'),
      );
    case 'building':
      return new vscode.FileDecoration('B', vscode.l10n.t('building'));
    case 'build-failed':
      return new vscode.FileDecoration(
        '!',
        vscode.l10n.t('the last build failed'),
        new vscode.ThemeColor('list.errorForeground'),
      );
    case 'role-staging':
      return new vscode.FileDecoration('S', roleLabel('staging'));
    case 'role-read-only':
      return new vscode.FileDecoration('R', vscode.l10n.t('read-only: never written to'));
    case 'role-production':
      return new vscode.FileDecoration('P', vscode.l10n.t('production: locked for writing'));
    case 'role-unlocked':
      return new vscode.FileDecoration(
        'P!',
        vscode.l10n.t('production: unlocked for writing'),
        new vscode.ThemeColor('list.warningForeground'),
      );
    default:
      return undefined;
  }
}
