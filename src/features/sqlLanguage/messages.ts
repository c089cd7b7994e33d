import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { CodeAction, CompletionItem, Diagnostic, Hover } from '../../sql/language.ts';

const t = vscode.l10n.t;

/** Describes a problem in the user's language. */
export function describeDiagnostic({ reason, args }: Diagnostic): string {
  const [name = '', sources = ''] = args;
  switch (reason) {
    case 'expected':
    case 'missing-from':
    case 'missing-join':
    case 'missing-on':
      return t('Expected {0}', name);
    case 'expected-expression':
      return t('Expected a value');
    case 'expected-name':
      return t('Expected a name');
    case 'expected-table':
      return t('Expected a table');
    case 'expected-select':
      return t('Expected SELECT');
    case 'missing-comma':
      return t('Expected a comma');
    case 'unclosed-quote':
      return t('Unclosed name');
    case 'unclosed-string':
      return t('Unclosed string');
    case 'unclosed-comment':
      return t('Unclosed comment');
    case 'unexpected':
      return t('Unexpected "{0}"', name);
    case 'second-value':
      return t('A column expression must return exactly one value');
    case 'from-in-column':
      return t("A column expression can't have a FROM clause: it reads the columns of its own table");
    case 'too-deep':
      return t('The expression is nested too deeply');
    case 'too-long':
      return t('Not checked: the text is longer than {0} characters', name);
    case 'no-table':
      return t('Unknown table "{0}"', name);
    case 'other-table':
      return t('A column expression can only read its own table. To read "{0}", use Lookup', name);
    case 'not-in-scope':
      return t('Table "{0}" isn\'t part of this query', name);
    case 'hidden-by-alias':
      return t('Table "{0}" has the alias "{1}" here', name, sources);
    case 'no-column':
      return sources === '' || sources.includes(', ')
        ? t('Unknown column "{0}"', name)
        : t('{0} has no column "{1}"', sources, name);
    case 'alias-too-early':
      return t('WHERE can\'t use the result column "{0}"', name);
    case 'ambiguous':
      return t('Ambiguous column "{0}": found in {1}', name, sources);
    case 'alias-twice':
      return t('Duplicate table name "{0}" in this query', name);
    case 'output-twice':
      return t('Duplicate column name "{0}" in the result', name);
    case 'cte-twice':
      return t('Duplicate WITH query name "{0}"', name);
    default:
      return assertNever(reason);
  }
}

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
