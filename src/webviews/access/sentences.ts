import type { SeenParty } from '../protocol/access.ts';
import type { AppliedRule, Bounds, ColumnAccess, Doubt, Party } from '../../security/columnAccess.ts';
import { seenOf } from '../../security/effectiveAccess.ts';
import type { Grant, NamedParty } from '../../security/readRule.ts';
import type { RelationStep, Restriction, TableAccess } from '../../security/tableAccess.ts';
import type { ValueSet } from '../../security/valueSet.ts';
import type { Words } from '../shared/words.ts';

/** Names of users and groups by type and id. */
export type PartyNames = (type: 'user' | 'group', id: string) => string;

export const partyNames = (known: readonly SeenParty[]): PartyNames => {
  const names = new Map(known.map(({ type, id, name }) => [`${type}:${id}`, name]));
  return (type, id) => names.get(`${type}:${id}`) ?? id;
};

/** How many values a sentence holds before it says how many more there are. */
const shownValues = 20;

/** How many conditions on a table, and steps of a way, are told before the rest is counted. */
const shownConditions = 10;
const shownSteps = 6;

/** Says what the page shows, in sentences that can be read out. */
export class Sentences {
  readonly #t: Words;
  readonly #names: PartyNames;

  constructor(t: Words, names: PartyNames) {
    this.#t = t;
    this.#names = names;
  }

  /** A party as it is asked for. */
  party({ userId, groupIds, groupsUnknown }: Party): string {
    const t = this.#t;
    const groups = this.#list(groupIds.map((id) => this.#names('group', id)));
    if (userId !== undefined) {
      const user = this.#names('user', userId);
      if (groupsUnknown === true) {
        return t('{0}, groups unknown', user);
      }
      return groupIds.length === 0 ? t('{0}, in no group', user) : t('{0}, in {1}', user, groups);
    }
    return groupIds.length === 0 ? t('Everyone else') : t('Members of {0}', groups);
  }

  /** A party as a rule names it. */
  named({ type, id = '' }: NamedParty): string {
    const t = this.#t;
    if (type === 'default') {
      return t('everyone else');
    }
    const name = this.#names(type, id);
    return type === 'user' ? t('user {0}', name) : t('group {0}', name);
  }

  /** What is seen of a column; where that is uncertain, why, and its bounds. */
  column({ access, bounds }: Pick<ColumnAccess, 'access' | 'bounds'>, longest = shownValues): string {
    return typeof access === 'string'
      ? `${this.#doubt(access)} ${this.#bounds(bounds, longest)}`
      : this.#sees(seenOf(access), longest);
  }

  #doubt(doubt: Doubt): string {
    const t = this.#t;
    switch (doubt) {
      case 'lists':
        return t('Uncertain: several lists apply. Choose above how they combine.');
      case 'groups-unknown':
        return t('Uncertain: groups have rules here, and the groups of this user are unknown.');
      case 'unclear-rule':
        return t('Uncertain: a rule can be read as everything or as nothing.');
      case 'no-rule':
        return t('Uncertain: no rule names this party, and the column has no default rule.');
    }
  }

  #bounds({ atLeast, atMost }: Bounds, longest: number): string {
    return this.#t('At least: {0}. At most: {1}.', this.bound(atLeast, longest), this.bound(atMost, longest));
  }

  /** What is seen at least, or at most. */
  bound(set: ValueSet, longest = shownValues): string {
    const { verdict, values } = seenOf(set);
    switch (verdict) {
      case 'all':
        return this.#t('all values');
      case 'none':
        return this.#t('no values');
      case 'only':
        return this.#list(values, longest);
      case 'except':
        return this.#t('all but {0}', this.#list(values, longest));
    }
  }

  /** What a rule says. */
  grant(grant: Grant, longest = 6): string {
    if (grant === 'unclear') {
      return this.#t('everything or nothing, it does not say');
    }
    const { verdict, values } = seenOf(grant);
    const list = this.#list(values, longest);
    switch (verdict) {
      case 'all':
        return this.#t('everything');
      case 'none':
        return this.#t('nothing');
      case 'only':
        return this.#t('only {0}', list);
      case 'except':
        return this.#t('all but {0}', list);
    }
  }

  /** A rule that a verdict comes from. */
  because({ rule, via }: AppliedRule, party: Party): string {
    const meant = rule.parties.find(
      ({ type, id = '' }) =>
        type === via &&
        (type === 'default' || (type === 'group' ? party.groupIds.includes(id) : id === party.userId)),
    );
    return this.#t('Rule for {0}: {1}', this.named(meant ?? { type: via }), this.grant(rule.grant));
  }

  /** What is seen of a table. */
  table({ verdict, columns }: TableAccess): string {
    const t = this.#t;
    switch (verdict) {
      case 'all':
        return t('All rows');
      case 'none':
        return t('No rows');
      case 'some':
        return columns.length === 1
          ? t('Only rows that meet a condition')
          : t('Only rows that meet {0} conditions together', columns.length);
      case 'ambiguous':
        return t('Uncertain, since a column that restricts it is');
    }
  }

  /** The columns that restrict a table, the nearest of them with the ways there. */
  restrictions(access: TableAccess): readonly string[] {
    const told = access.nearest(shownConditions).map((each) => this.#restriction(each));
    const more = access.columns.length - told.length;
    return more === 0 ? told : [...told, this.#t('and {0} more conditions, farther away', more)];
  }

  #restriction({ column, path }: Restriction): string {
    const t = this.#t;
    const place = `${column.table}.${column.column}`;
    const seen = this.condition(column.access);
    return path.length === 0
      ? t('{0}: {1}', place, seen)
      : t('{0}: {1}, by way of {2}', place, seen, this.#way(path));
  }

  #way(path: readonly RelationStep[]): string {
    const t = this.#t;
    const then = t(', then ');
    if (path.length <= shownSteps) {
      return path.map(step).join(then);
    }
    const first = path
      .slice(0, shownSteps - 1)
      .map(step)
      .join(then);
    const last = path.slice(-1).map(step).join(then);
    return t('{0}, then {1} more relations, then {2}', first, path.length - shownSteps, last);
  }

  /** A column's access as a condition on rows. */
  condition(access: ColumnAccess['access']): string {
    return typeof access === 'string' ? this.#t('uncertain') : this.grant(access);
  }

  #sees({ verdict, values }: ReturnType<typeof seenOf>, longest: number): string {
    const t = this.#t;
    const list = this.#list(values, longest);
    switch (verdict) {
      case 'all':
        return t('Sees all values');
      case 'none':
        return t('Sees no value');
      case 'only':
        return t('Sees only {0}', list);
      case 'except':
        return t('Sees all values but {0}', list);
    }
  }

  #list(values: readonly string[], longest = shownValues): string {
    const t = this.#t;
    const shown = values.slice(0, longest).map((value) => (value.trim() === '' ? `“${value}”` : value));
    const more = values.length - shown.length;
    if (more > 0) {
      return t('{0} and {1} more', shown.join(', '), more);
    }
    const last = shown.at(-1) ?? '';
    return shown.length < 2 ? last : t('{0} and {1}', shown.slice(0, -1).join(', '), last);
  }
}

const step = ({ from, to }: RelationStep): string =>
  `${from.table}.${from.column} → ${to.table}.${to.column}`;
