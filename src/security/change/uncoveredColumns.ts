import { readRules } from '../readRule.ts';
import type { ColumnName } from '../tableAccess.ts';
import type { RuleDifference } from './ruleDifference.ts';

/** A column that has no rule for everyone else after a change. */
export interface UncoveredColumn extends ColumnName {
  /**
   * What everyone else sees. `everything`: the column's last rule is deleted, so nothing restricts it; `unclear`: the
   * column still has rules for other parties.
   */
  readonly sees: 'everything' | 'unclear';
}

/**
 * Finds the columns of changed rules that have no rule for everyone else after the change. The access of everyone else
 * is then undefined (platform-facts.md, 3.3), or unrestricted if the column has no rules at all.
 */
export function findUncoveredColumns(
  current: readonly unknown[],
  { adds, deletes }: Pick<RuleDifference, 'adds' | 'deletes'>,
): readonly UncoveredColumn[] {
  const deletedRules = new Set<unknown>(deletes.map(({ rule }) => rule));
  const hasDefaultByColumn = new Map<string, boolean>();
  for (const { table, column, parties } of readRules([
    ...current.filter((rule) => !deletedRules.has(rule)),
    ...adds,
  ])) {
    const key = JSON.stringify([table, column]);
    hasDefaultByColumn.set(
      key,
      hasDefaultByColumn.get(key) === true || parties.some(({ type }) => type === 'default'),
    );
  }
  const touchedColumns = readRules([...deletedRules, ...adds]).map(({ table, column }) => ({
    table,
    column,
  }));
  const columnsByKey = new Map(
    touchedColumns.map((column) => [JSON.stringify([column.table, column.column]), column]),
  );
  return [...columnsByKey].flatMap(([key, column]): readonly UncoveredColumn[] => {
    const hasDefault = hasDefaultByColumn.get(key);
    return hasDefault === true
      ? []
      : [{ ...column, sees: hasDefault === undefined ? 'everything' : 'unclear' }];
  });
}
