import type { Localize } from '../../base/localize.ts';
import type { PlannedAccess } from '../model/plan.ts';
import {
  type AccessDifferenceRow,
  type AccessEffect,
  type ColumnDifference,
  getRowParties,
  type TableDifference,
  type VisibleRows,
  type VisibleValues,
} from '../../security/change/accessDifferenceRow.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import type { ValueSet } from '../../security/valueSet.ts';
import type { PlanItem } from '../../webviews/protocol/planPage.ts';
import { formatGrantValues, summarizeGrant } from '../../webviews/protocol/ruleFormat.ts';

/** The maximum number of tables to name. */
const maxTables = { sentence: 2, item: 6 };

/** The maximum number of columns with rules without effect to name. */
const maxColumns = 3;

/** A difference, and the datamodel or cube set that it is in. */
export interface DescribedRow {
  readonly title: string;
  readonly isCubeSet: true | undefined;
  readonly row: AccessDifferenceRow;
}

const icons: Readonly<Record<AccessEffect, string>> = {
  gains: 'arrow-up',
  changes: 'arrow-swap',
  loses: 'arrow-down',
};

/** Formats differences of access. */
export class DifferenceFormatter {
  readonly #t: Localize;
  readonly #partyNames: PlannedAccess['partyNames'];

  constructor(t: Localize, partyNames: PlannedAccess['partyNames']) {
    this.#t = t;
    this.#partyNames = partyNames;
  }

  /** @param title the datamodel or cube set; that of a datamodel is only needed if there are several */
  toItem(row: AccessDifferenceRow, title?: string): PlanItem {
    const difference =
      row.kind === 'column'
        ? `${formatName(row.name)}: ${this.#formatVisibleValues(row.before)} → ${this.#formatVisibleValues(row.after)}`
        : `${this.#formatTables(row, maxTables.item)}: ${this.#formatRows(row.before)} → ${this.#formatRows(row.after)}`;
    const linkedTables = row.kind === 'column' ? this.#formatLinkedTables(row) : '';
    return {
      icon: icons[row.effect],
      text: this.#formatParty(row),
      detail: [
        ...(title === undefined ? [] : [title]),
        difference,
        ...(linkedTables === '' ? [] : [this.#t('also affects linked tables: {0}', linkedTables)]),
        ...this.#formatUncertainty(row),
      ].join(' · '),
    };
  }

  /**
   * Describes the first row that gains access, or else the first changed one; the other parties are counted. Returns
   * no sentence if no one gains access.
   * @param mightHaveMore whether users and groups whose access was not computed might gain or lose some
   */
  formatGains(rows: readonly DescribedRow[], mightHaveMore: boolean): readonly string[] {
    const t = this.#t;
    const describedGains = rows.filter(({ row: { effect } }) => effect !== 'loses');
    const gains = describedGains.map(({ row }) => row);
    // With several datamodels or cube sets, a row that gains access may come after one whose access only changes.
    const described = describedGains.find(({ row: { effect } }) => effect === 'gains') ?? describedGains[0];
    const first = described?.row;
    if (described === undefined || first === undefined) {
      return mightHaveMore ? [t('Some users or groups might gain or lose access.')] : [];
    }
    const linkedTables = first.kind === 'column' ? this.#formatLinkedTables(first) : '';
    return [
      this.#formatGain(described),
      ...(linkedTables === '' ? [] : [t('This also affects linked tables: {0}.', linkedTables)]),
      ...this.#countOtherGains(gains, first),
    ];
  }

  /**
   * Counts the parties of rows, except for one: first those that certainly gain access, with at least one certain row,
   * then the others.
   */
  #countOtherGains(gains: readonly AccessDifferenceRow[], described: AccessDifferenceRow): readonly string[] {
    const t = this.#t;
    const parties = new Set(gains.map(getPartyKey));
    parties.delete(getPartyKey(described));
    const certainParties = new Set(gains.filter((row) => !row.isUncertain).map(getPartyKey));
    const certainCount = parties.intersection(certainParties).size;
    const uncertainCount = parties.size - certainCount;
    return [
      ...(certainCount === 0 ? [] : [formatCertainGains(t, certainCount)]),
      ...(uncertainCount === 0 ? [] : [formatUncertainGains(t, uncertainCount)]),
    ];
  }

  /**
   * Names the only party that loses access for certain, or counts several; then those that might lose some. Returns no
   * sentence if no one loses any.
   */
  formatLosses(rows: readonly DescribedRow[]): readonly string[] {
    const losses = rows.map(({ row }) => row).filter(({ effect }) => effect !== 'gains');
    const certainLosses = losses.filter((row) => !row.isUncertain);
    const certainParties = new Set(certainLosses.map(getPartyKey));
    return [
      ...this.#formatLosers(certainLosses, false),
      ...this.#formatLosers(
        losses.filter((row) => !certainParties.has(getPartyKey(row))),
        true,
      ),
    ];
  }

  #formatLosers(losses: readonly AccessDifferenceRow[], isUncertain: boolean): readonly string[] {
    const t = this.#t;
    const [first] = losses;
    if (first === undefined) {
      return [];
    }
    const count = new Set(losses.map(getPartyKey)).size;
    if (count === 1) {
      const party = this.#formatParty(first);
      return [
        isUncertain
          ? t('{0} might lose access to some data.', party)
          : t('{0} loses access to some data.', party),
      ];
    }
    return [
      isUncertain
        ? t('{0} users and groups might lose access to some data.', count)
        : t('{0} users and groups lose access to some data.', count),
    ];
  }

  #formatGain({ row, title, isCubeSet }: DescribedRow): string {
    const t = this.#t;
    // The rules of a cube set are separate from those of its datamodels, so the cube set is named.
    const locate = (name: string): string =>
      isCubeSet === true ? t('{0} in the cube set {1}', name, title) : name;
    const party = this.#formatParty(row);
    const isAll = row.kind === 'column' ? this.#isAllValues(row.after) : row.after.verdict === 'all';
    if (row.kind === 'column') {
      const [column, oldAccess] = [locate(formatName(row.name)), this.#formatVisibleValues(row.before)];
      const newAccess = this.#formatVisibleValues(row.after);
      if (isAll) {
        return row.isUncertain
          ? t('{0} might gain all values of {1} (now: {2}).', party, column, oldAccess)
          : t('{0} gains all values of {1} (now: {2}).', party, column, oldAccess);
      }
      return row.isUncertain
        ? t('{0} might gain values of {1} (now: {2}; after: {3}).', party, column, oldAccess, newAccess)
        : t('{0} gains values of {1} (now: {2}; after: {3}).', party, column, oldAccess, newAccess);
    }
    const [tables, oldAccess] = [
      locate(this.#formatTables(row, maxTables.sentence)),
      this.#formatRows(row.before),
    ];
    if (isAll) {
      return row.isUncertain
        ? t('{0} might gain all rows of {1} (now: {2}).', party, tables, oldAccess)
        : t('{0} gains all rows of {1} (now: {2}).', party, tables, oldAccess);
    }
    const newAccess = this.#formatRows(row.after);
    return row.isUncertain
      ? t('{0} might gain rows of {1} (now: {2}; after: {3}).', party, tables, oldAccess, newAccess)
      : t('{0} gains rows of {1} (now: {2}; after: {3}).', party, tables, oldAccess, newAccess);
  }

  #formatParty(row: AccessDifferenceRow): string {
    const [name = '', ...otherNames] = getRowParties(row).map(
      ({ type, id = '' }) => this.#partyNames.get(`${type}:${id}`) ?? id,
    );
    const lastName = otherNames.at(-1);
    if (lastName !== undefined) {
      const firstNames = [name, ...otherNames.slice(0, -1)].join(', ');
      return otherNames.length === 1
        ? this.#t('Anyone in both {0} and {1}', name, lastName)
        : this.#t('Anyone in all of {0}, and {1}', firstNames, lastName);
    }
    switch (row.party.type) {
      case 'user':
        return this.#t('User {0}', name);
      case 'group':
        return this.#t('Group {0}', name);
      case 'default':
        return this.#t('Everyone else');
    }
  }

  /**
   * Returns why the difference is uncertain. If the reason is unknown, returns that it is uncertain, unless the visible
   * values already show that.
   */
  #formatUncertainty(row: AccessDifferenceRow): readonly string[] {
    if (!row.isUncertain) {
      return [];
    }
    if (row.otherGroupIds !== undefined) {
      return this.#isShownAsUncertain(row) ? [] : [this.#t('uncertain: depends on who is in these groups')];
    }
    if (row.party.type === 'user') {
      return [this.#t("uncertain: depends on the user's groups")];
    }
    return this.#isShownAsUncertain(row) ? [] : [this.#t('uncertain')];
  }

  #isShownAsUncertain(row: AccessDifferenceRow): boolean {
    return row.kind === 'column'
      ? [row.before, row.after].some(({ access }) => typeof access === 'string')
      : [row.before, row.after].some(({ verdict }) => verdict === 'ambiguous');
  }

  #isAllValues({ access }: VisibleValues): boolean {
    return typeof access !== 'string' && summarizeGrant(access).kind === 'everything';
  }

  #formatVisibleValues({ access, bounds: { atLeast, atMost } }: VisibleValues): string {
    return typeof access === 'string'
      ? this.#t('uncertain, from {0} to {1}', this.#formatSet(atLeast), this.#formatSet(atMost))
      : this.#formatSet(access);
  }

  #formatSet(set: ValueSet): string {
    const t = this.#t;
    const summary = summarizeGrant(set);
    switch (summary.kind) {
      case 'only':
        return t('only {0}', formatGrantValues(summary, t));
      case 'except':
        return t('all but {0}', formatGrantValues(summary, t));
      case 'nothing':
        return t('no values');
      case 'everything':
        return t('all values');
      case 'unclear':
        return t('uncertain');
    }
  }

  /** Names the first columns, and counts the others. */
  formatColumns(columns: readonly ColumnName[]): string {
    return this.#formatList(columns.slice(0, maxColumns).map(formatName), columns.length);
  }

  /** Names the other tables whose rows depend on the column; empty if there are none. */
  #formatLinkedTables({ name, tables }: ColumnDifference): string {
    const names = tables
      .values()
      .filter((table) => table !== name.table)
      .take(maxTables.sentence)
      .toArray();
    return this.#formatNames(names, Math.max(0, tables.length - 1));
  }

  #formatTables({ tables }: TableDifference, maxCount: number): string {
    return this.#formatNames(tables.slice(0, maxCount), tables.length);
  }

  /** Formats the first names of tables, and counts the others. */
  #formatNames(firstNames: readonly string[], count: number): string {
    const moreCount = count - firstNames.length;
    const names = firstNames.join(', ');
    if (moreCount <= 0) {
      return names;
    }
    return moreCount === 1
      ? this.#t('{0}, and 1 more table', names)
      : this.#t('{0}, and {1} more tables', names, moreCount);
  }

  #formatRows({ verdict, conditions, conditionCount }: VisibleRows): string {
    const t = this.#t;
    const columns = this.#formatList(
      conditions.map(({ name }) => formatName(name)),
      conditionCount,
    );
    switch (verdict) {
      case 'all':
        return t('all rows');
      case 'none':
        return t('no rows, restricted by {0}', columns);
      case 'some': {
        const restrictions = conditions.map(
          (condition) => `${formatName(condition.name)}: ${this.#formatVisibleValues(condition)}`,
        );
        return t('some rows, restricted by {0}', this.#formatList(restrictions, conditionCount));
      }
      case 'ambiguous':
        return t('uncertain, restricted by {0}', columns);
    }
  }

  #formatList(conditions: readonly string[], count: number): string {
    const list = conditions.join('; ');
    return count > conditions.length ? this.#t('{0}; and {1} more', list, count - conditions.length) : list;
  }
}

const getPartyKey = (row: AccessDifferenceRow): string => JSON.stringify(getRowParties(row));

const formatName = ({ table, column }: ColumnName): string => `${table}.${column}`;

const formatCertainGains = (t: Localize, count: number): string =>
  count === 1 ? t('1 more user or group gains access.') : t('{0} more users and groups gain access.', count);

const formatUncertainGains = (t: Localize, count: number): string =>
  count === 1
    ? t('1 more user or group might gain access.')
    : t('{0} more users and groups might gain access.', count);
