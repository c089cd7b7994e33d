import type { PageParty } from '../protocol/access.ts';
import type {
  AppliedRule,
  ValueSetBounds,
  ColumnAccess,
  UncertaintyReason,
  Party,
} from '../../security/columnAccess.ts';
import { toCertainVerdict } from '../../security/effectiveAccess.ts';
import type { Grant, PartyRef } from '../../security/readRules.ts';
import type { RelationStep, Restriction, TableAccess } from '../../security/tableAccess.ts';
import type { ValueSet } from '../../security/valueSet.ts';
import { joinNames } from '../../base/joinNames.ts';
import type { Localize } from '../../base/localize.ts';

/** Returns the name of a user or group by type and ID. */
export type GetPartyName = (type: 'user' | 'group', id: string) => string;

export const createPartyNameLookup = (parties: readonly PageParty[]): GetPartyName => {
  const names = new Map(parties.map(({ type, id, name }) => [`${type}:${id}`, name]));
  return (type, id) => names.get(`${type}:${id}`) ?? id;
};

/** The maximum number of values to list in a sentence. */
const maxShownValues = 20;

/** The maximum number of conditions of a table, and of steps of a path, to list. */
const maxShownConditions = 10;
const maxShownSteps = 6;

/** Formats parties, access and reasons as sentences. */
export class AccessFormatter {
  readonly #t: Localize;
  readonly #getPartyName: GetPartyName;

  constructor(t: Localize, getPartyName: GetPartyName) {
    this.#t = t;
    this.#getPartyName = getPartyName;
  }

  /** Formats a party that is selected on the page. */
  formatParty({ userId, groupIds, groupsUnknown }: Party): string {
    const t = this.#t;
    const groups = this.#formatList(groupIds.map((id) => this.#getPartyName('group', id)));
    if (userId !== undefined) {
      const user = this.#getPartyName('user', userId);
      if (groupsUnknown === true) {
        return t('{0}, groups unknown', user);
      }
      return groupIds.length === 0 ? t('{0}, not in any group', user) : t('{0}, in {1}', user, groups);
    }
    return groupIds.length === 0 ? t('Everyone else') : t('Members of {0}', groups);
  }

  /** Formats a party of a rule, for use within a sentence. */
  formatNamedParty({ type, id = '' }: PartyRef): string {
    const t = this.#t;
    if (type === 'default') {
      return t('everyone else');
    }
    const name = this.#getPartyName(type, id);
    return type === 'user' ? t('user {0}', name) : t('group {0}', name);
  }

  /** Formats the access to a column; if it is uncertain, with the reason and the bounds. */
  formatColumn(
    { access, bounds }: Pick<ColumnAccess, 'access' | 'bounds'>,
    maxValues = maxShownValues,
  ): string {
    return typeof access === 'string'
      ? `${this.#formatUncertainty(access)} ${this.#formatBounds(bounds, maxValues)}`
      : this.#formatVisibleValues(toCertainVerdict(access), maxValues);
  }

  #formatUncertainty(reason: UncertaintyReason): string {
    const t = this.#t;
    switch (reason) {
      case 'lists':
        return t(
          'Uncertain: several lists of values apply. To combine them, change "When groups overlap" in Effective Access.',
        );
      case 'groups-unknown':
        return t("Uncertain: this column has rules for groups, and this user's groups are unknown.");
      case 'unclear-rule':
        return t('Uncertain: a rule can mean all values or no values.');
      case 'no-rule':
        return t('Uncertain: no rule applies, and the column has no rule for everyone else.');
    }
  }

  #formatBounds({ atLeast, atMost }: ValueSetBounds, maxValues: number): string {
    return this.#t(
      'At least: {0}. At most: {1}.',
      this.formatBound(atLeast, maxValues),
      this.formatBound(atMost, maxValues),
    );
  }

  /** Formats a lower or upper bound of the visible values. */
  formatBound(set: ValueSet, maxValues = maxShownValues): string {
    const { verdict, values } = toCertainVerdict(set);
    switch (verdict) {
      case 'all':
        return this.#t('all values');
      case 'none':
        return this.#t('no values');
      case 'only':
        return this.#formatList(values, maxValues);
      case 'except':
        return this.#t('all but {0}', this.#formatList(values, maxValues));
    }
  }

  formatGrant(grant: Grant, maxValues = 6): string {
    if (grant === 'unclear') {
      return this.#t('uncertain (all values or no values)');
    }
    const { verdict, values } = toCertainVerdict(grant);
    const list = this.#formatList(values, maxValues);
    switch (verdict) {
      case 'all':
        return this.#t('all values');
      case 'none':
        return this.#t('no values');
      case 'only':
        return this.#t('only {0}', list);
      case 'except':
        return this.#t('all but {0}', list);
    }
  }

  /** Formats a rule that applies to a party: the party that it names, and the access that it grants. */
  formatReason({ rule, matchedType }: AppliedRule, party: Party): string {
    const appliedParty = rule.parties.find(
      ({ type, id = '' }) =>
        type === matchedType &&
        (type === 'default' || (type === 'group' ? party.groupIds.includes(id) : id === party.userId)),
    );
    return this.#t(
      'Rule for {0}: {1}',
      this.formatNamedParty(appliedParty ?? { type: matchedType }),
      this.formatGrant(rule.grant),
    );
  }

  /** Formats the access to a table. */
  formatTable({ verdict, columns }: TableAccess): string {
    const t = this.#t;
    switch (verdict) {
      case 'all':
        return t('All rows');
      case 'none':
        return t('No rows');
      case 'some':
        return columns.length === 1
          ? t('Only rows that match a condition')
          : t('Only rows that match all {0} conditions', columns.length);
      case 'ambiguous':
        return t('Uncertain, because access to a column with rules is uncertain');
    }
  }

  /**
   * Formats the conditions that restrict a table: the nearest ones with their paths, and the number of further ones.
   */
  formatRestrictions(access: TableAccess): readonly string[] {
    const restrictions = access
      .getNearestRestrictions(maxShownConditions)
      .map((restriction) => this.#formatRestriction(restriction));
    const hiddenCount = access.columns.length - restrictions.length;
    return hiddenCount === 0
      ? restrictions
      : [
          ...restrictions,
          hiddenCount === 1
            ? this.#t('and 1 more condition on a more distant table')
            : this.#t('and {0} more conditions on more distant tables', hiddenCount),
        ];
  }

  #formatRestriction({ column, path }: Restriction): string {
    const t = this.#t;
    const columnName = `${column.table}.${column.column}`;
    const condition = this.formatCondition(column.access);
    return path.length === 0
      ? t('{0}: {1}', columnName, condition)
      : t('{0}: {1}, via {2}', columnName, condition, this.#formatPath(path));
  }

  #formatPath(path: readonly RelationStep[]): string {
    const t = this.#t;
    const separator = t(', then ');
    if (path.length <= maxShownSteps) {
      return path.map(formatStep).join(separator);
    }
    const first = path
      .slice(0, maxShownSteps - 1)
      .map(formatStep)
      .join(separator);
    const last = path.slice(-1).map(formatStep).join(separator);
    const hiddenCount = path.length - maxShownSteps;
    return hiddenCount === 1
      ? t('{0}, then 1 more relation, then {1}', first, last)
      : t('{0}, then {1} more relations, then {2}', first, hiddenCount, last);
  }

  /** Formats the access to a column as a condition on the rows of a table. */
  formatCondition(access: ColumnAccess['access']): string {
    return typeof access === 'string' ? this.#t('uncertain') : this.formatGrant(access);
  }

  #formatVisibleValues({ verdict, values }: ReturnType<typeof toCertainVerdict>, maxValues: number): string {
    const t = this.#t;
    const list = this.#formatList(values, maxValues);
    switch (verdict) {
      case 'all':
        return t('Sees all values');
      case 'none':
        return t('Sees no values');
      case 'only':
        return t('Sees only {0}', list);
      case 'except':
        return t('Sees all values but {0}', list);
    }
  }

  #formatList(values: readonly string[], maxValues = maxShownValues): string {
    return joinNames(
      values.map((value) => (value.trim() === '' ? `"${value}"` : value)),
      this.#t,
      maxValues,
    );
  }
}

const formatStep = ({ from, to }: RelationStep): string =>
  `${from.table}.${from.column} → ${to.table}.${to.column}`;
