import type { ShownChange, ShownGrant } from './ruleChange.ts';

/** Words of the editor's language: those of the host or of a page. */
type Words = (text: string, ...values: readonly (string | number)[]) => string;

/** Values of a rule that a line names. */
const shownValues = 12;

/** What a rule grants, short enough for a line: not all of a thousand values. */
export function shownGrant(
  grant: 'unclear' | { readonly kind: 'only' | 'except'; readonly values: ReadonlySet<string> },
): ShownGrant {
  if (grant === 'unclear') {
    return { kind: 'unclear', values: [], more: 0 };
  }
  const values = [...grant.values];
  if (values.length === 0) {
    return { kind: grant.kind === 'only' ? 'nothing' : 'everything', values, more: 0 };
  }
  return {
    kind: grant.kind,
    values: values.slice(0, shownValues),
    more: Math.max(0, values.length - shownValues),
  };
}

/** What a rule lets its party see, in words. */
export function grantText({ kind, values, more }: ShownGrant, t: Words): string {
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

/** A party within a sentence. */
export function partyText({ type, name }: ShownChange['party'], t: Words): string {
  switch (type) {
    case 'user':
      return t('user {0}', name);
    case 'group':
      return t('group {0}', name);
    case 'default':
      return t('everybody else');
  }
}
