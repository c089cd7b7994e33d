import { assertNever } from '../base/assertNever.ts';
import type { Localize } from '../base/localize.ts';
import type { Diagnostic } from './diagnostics.ts';

/** Formats a problem of SQL for the user: in the editor, and on the command line. */
export function formatSqlProblem(t: Localize, { reason, args }: Pick<Diagnostic, 'reason' | 'args'>): string {
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
      return t('A column expression can only read its own table: use Lookup to read "{0}"', name);
    case 'not-in-scope':
      return t('Table "{0}" isn\'t part of this query', name);
    case 'hidden-by-alias':
      return t('Table "{0}" has the alias "{1}" here', name, sources);
    case 'no-column':
      return sources === '' ? t('Unknown column "{0}"', name) : t('{0} has no column "{1}"', sources, name);
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
