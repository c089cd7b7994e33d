import type { ShownGrant } from './ruleChange.ts';

/** What a rule lets its party see, in the words of the editor's language: `t` is that of the host or of a page. */
export function grantText(
  { kind, values, more }: ShownGrant,
  t: (text: string, ...values: readonly (string | number)[]) => string,
): string {
  const list = [...values, ...(more > 0 ? [t('{0} more', more)] : [])].join(', ');
  switch (kind) {
    case 'only':
      return t('only {0}', list);
    case 'except':
      return t('all but {0}', list);
    case 'everything':
      return t('everything');
    case 'nothing':
      return t('nothing');
    case 'unclear':
      return t('not certain');
  }
}
