import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { CodeAction, CompletionItem, Hover } from '../../sql/language.ts';

const t = vscode.l10n.t;

/** Describes a code action in the user's language. */
export function describeCodeAction({ code, args }: CodeAction): string {
  const [replacement = ''] = args;
  switch (code) {
    case 'did-you-mean':
      return t('Change to {0}', replacement);
    case 'use-alias':
      return t('Use the alias {0}', replacement);
    case 'qualify':
      return t('Change to {0}', replacement);
    case 'quote':
      return t('Change to {0}', replacement);
    case 'expand-star':
      return t('Expand * to all columns');
    case 'split-name':
      return t('Change to {0}', replacement);
    default:
      return assertNever(code);
  }
}

/** Returns the text shown beside a completion item. */
export function describeCompletion({ detail, kind }: CompletionItem): string | undefined {
  if (kind === 'function') {
    return detail?.replace(/ — unverified$/, () => ` — ${t('unverified')}`);
  }
  const labels: Readonly<Record<string, string>> = {
    relation: t('relation'),
    'all columns': t('all columns'),
    'expand to all columns': t('expand to all columns'),
  };
  // The name of a table or type is not translated.
  return kind === 'column' ? (labels[detail ?? ''] ?? detail) : detail;
}

/** Returns the label of what a name refers to, such as a table or column. */
export function getKindLabel(kind: Hover['kind']): string {
  switch (kind) {
    case 'table':
      return t('table');
    case 'column':
      return t('column');
    case 'alias':
      return t('alias');
    case 'cte':
      return t('WITH query');
    case 'function':
      return t('function');
    default:
      return assertNever(kind);
  }
}
