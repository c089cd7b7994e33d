import * as vscode from 'vscode';
import type { AuditFinding, AuditSpecificCode } from '../../security/audit/auditFinding.ts';
import type { DiagnosticSeverity } from '../../sql/language.ts';

/** Formats the message of a finding in the user's language. */
export function describeFinding({ code, args, message }: AuditFinding): string {
  const formatMessage = Object.hasOwn(findingMessages, code)
    ? findingMessages[code as AuditSpecificCode]
    : undefined;
  return formatMessage === undefined ? message : formatMessage(args);
}

const t = vscode.l10n.t;

const findingMessages: Readonly<Record<AuditSpecificCode, (args: readonly string[]) => string>> = {
  contradiction: ([table = '', column = '', type = '', id = '']) =>
    type === 'user'
      ? t(
          'The rules for user {0} on {1}.{2} contradict each other: one makes the others pointless',
          id,
          table,
          column,
        )
      : t(
          'The rules for group {0} on {1}.{2} contradict each other: one makes the others pointless',
          id,
          table,
          column,
        ),
  'several-defaults': ([table = '', column = '']) =>
    t('{0}.{1} has several default rules that differ', table, column),
  'party-unknown': ([type = '', id = '']) =>
    type === 'user'
      ? t('The server has no name for user {0}: it may no longer exist', id)
      : t('The server has no name for group {0}: it may no longer exist', id),
  'viewpoint-sees-nothing': ([name = '', group = '', table = '']) =>
    t('The viewpoint {0} is shared with group {1}, which sees no row of {2}', name, group, table),
};

export function getSeverityLabel(severity: DiagnosticSeverity): string {
  switch (severity) {
    case 'error':
      return vscode.l10n.t('Error');
    case 'warning':
      return vscode.l10n.t('Warning');
    case 'information':
      return vscode.l10n.t('Information');
  }
}
