import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import type { WriteLocks } from '../../connections/writeLocks.ts';

/** Whether a connection allows writes now. */
export type WriteAccess =
  | { readonly kind: 'writable' | 'locked' | 'read-only' }
  /** `unlockedUntil` is in milliseconds since the epoch. */
  | { readonly kind: 'unlocked'; readonly unlockedUntil: number };

export function getWriteAccess(connection: Connection, locks: WriteLocks): WriteAccess {
  const refusal = locks.getRefusal(connection);
  if (refusal !== undefined) {
    return { kind: refusal };
  }
  const unlockedUntil = connection.role === 'production' ? locks.getUnlockedUntil(connection.id) : undefined;
  return unlockedUntil === undefined ? { kind: 'writable' } : { kind: 'unlocked', unlockedUntil };
}

/** Returns the icon for a restricted or temporary access; `undefined` if writes are simply allowed. */
export function getLockIcon(access: WriteAccess): string | undefined {
  switch (access.kind) {
    case 'writable':
      return undefined;
    case 'locked':
      return 'lock';
    case 'unlocked':
      return 'unlock';
    case 'read-only':
      return 'eye';
  }
}

export function describeWriteAccess(access: WriteAccess): string {
  switch (access.kind) {
    case 'writable':
      return vscode.l10n.t('Writes allowed.');
    case 'locked':
      return vscode.l10n.t('Locked: writes not allowed.');
    case 'unlocked':
      return vscode.l10n.t(
        'Unlocked for writing until {0}.',
        new Date(access.unlockedUntil).toLocaleTimeString(vscode.env.language, { timeStyle: 'short' }),
      );
    case 'read-only':
      return vscode.l10n.t('Read-only.');
  }
}
