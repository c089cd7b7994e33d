import * as vscode from 'vscode';
import { getRoleLabel } from '../../platform/roleLabels.ts';
import type { DecorationKind } from './nodes/node.ts';

/** Creates the decoration of a kind, which dims hidden items and adds badges for roles and the state of builds. */
export function createDecoration(kind: string): vscode.FileDecoration | undefined {
  switch (kind as DecorationKind) {
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
