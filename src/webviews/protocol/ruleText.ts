import type { Words } from '../../base/words.ts';
import type { ShownChange, ShownGrant } from './ruleChange.ts';

/** Values of a rule that a line names. */
const shownValues = 12;

/** Parties that a line names; a rule can have hundreds. */
const shownParties = 8;

type Grant = 'unclear' | { readonly kind: 'only' | 'except'; readonly values: ReadonlySet<string> };

/** What a rule grants, and to whom. */
interface SaidRule {
  readonly grant: Grant;
  readonly parties: readonly ShownChange['party'][];
}

/**
 * What a rule grants, short enough for a line: not all of a thousand values.
 * @param others what it is shown beside: of a long list, what they do not have comes first
 */
export function shownGrant(grant: Grant, others: readonly Grant[] = []): ShownGrant {
  if (grant === 'unclear') {
    return { kind: 'unclear', values: [], more: 0 };
  }
  const isElsewhere = (value: string): boolean =>
    others.some((other) => other !== 'unclear' && other.values.has(value));
  const values = differingFirst([...grant.values], isElsewhere, shownValues);
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

/** The parties of a rule, the first of many; of those, the ones that the other has not come first. */
export function partiesText(parties: SaidRule['parties'], t: Words, other: SaidRule['parties'] = []): string {
  const isElsewhere = ({ type, name }: ShownChange['party']): boolean =>
    other.some((one) => one.type === type && one.name === name);
  const named = [
    ...differingFirst(parties, isElsewhere, shownParties)
      .slice(0, shownParties)
      .map((party) => partyText(party, t)),
    ...(parties.length > shownParties ? [t('{0} more', parties.length - shownParties)] : []),
  ].join(', ');
  return named === '' ? t('nobody') : named;
}

/** What a rule lets whom see before a change and after it; of long lists, what differs. */
export function ruleChangeText(before: SaidRule, after: SaidRule, t: Words): string {
  const [were, are] = [
    partiesText(before.parties, t, after.parties),
    partiesText(after.parties, t, before.parties),
  ];
  const [saw, see] = [
    grantText(shownGrant(before.grant, [after.grant]), t),
    grantText(shownGrant(after.grant, [before.grant]), t),
  ];
  return `${were}: ${saw} → ${were === are ? see : `${are}: ${see}`}`;
}

/** In their order as long as all are shown. */
const differingFirst = <T>(
  items: readonly T[],
  isElsewhere: (item: T) => boolean,
  shown: number,
): readonly T[] =>
  items.length <= shown
    ? items
    : [...items.filter((item) => !isElsewhere(item)), ...items.filter(isElsewhere)];
