import * as vscode from 'vscode';
import type { ConnectionRole } from '../connections/connection.ts';

/** The display name of a role. */
export function getRoleLabel(role: ConnectionRole): string {
  switch (role) {
    case 'development':
      return vscode.l10n.t('development');
    case 'staging':
      return vscode.l10n.t('staging');
    case 'production':
      return vscode.l10n.t('production');
    case 'read-only':
      return vscode.l10n.t('read-only');
  }
}
