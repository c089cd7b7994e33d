import * as vscode from 'vscode';
import { getRoleLabel } from '../../platform/labels.ts';
import { type DecorationKind, decorationScheme } from './nodes/node.ts';

/** Dims hidden items, and adds badges for the roles of connections and the build state of datamodels. */
export class NodeDecorationProvider implements vscode.FileDecorationProvider {
  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    return uri.scheme === decorationScheme ? createDecoration(uri.authority as DecorationKind) : undefined;
  }
}

function createDecoration(kind: DecorationKind): vscode.FileDecoration | undefined {
  switch (kind) {
    case 'hidden':
      return new vscode.FileDecoration(
        undefined,
        vscode.l10n.t('Hidden'),
        new vscode.ThemeColor('disabledForeground'),
      );
    case 'building':
      return new vscode.FileDecoration('B', vscode.l10n.t('Building'));
    case 'build-failed':
      return new vscode.FileDecoration(
        '!',
        vscode.l10n.t('Last build failed'),
        new vscode.ThemeColor('list.errorForeground'),
      );
    case 'role-staging':
      return new vscode.FileDecoration('S', getRoleLabel('staging'));
    case 'role-read-only':
      return new vscode.FileDecoration('R', vscode.l10n.t('Read-only'));
    case 'role-production':
      return new vscode.FileDecoration('P', vscode.l10n.t('Production (locked)'));
    case 'role-unlocked':
      return new vscode.FileDecoration(
        'P!',
        vscode.l10n.t('Production (unlocked for writing)'),
        new vscode.ThemeColor('list.warningForeground'),
      );
    default:
      return undefined;
  }
}
