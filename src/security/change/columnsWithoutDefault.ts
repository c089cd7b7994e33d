import type { Catalog } from '../../sql/language.ts';
import { CatalogNames } from '../catalogNames.ts';
import { readRules } from '../readRules.ts';
import type { ColumnName } from '../tableAccess.ts';
import type { RuleDifference } from './ruleDifference.ts';

/** A column that has no rule for everyone else after a change. */
export interface ColumnWithoutDefault extends ColumnName {
  /**
   * What everyone else sees. `everything`: the column's last rule is deleted, so nothing restricts it; `unclear`: the
   * column still has rules for other parties.
   */
  readonly everyoneElseSees: 'everything' | 'unclear';
  /** True if the change deletes the rule for everyone else. */
  readonly losesDefault: boolean;
}

/**
 * Finds the columns of changed rules that have no rule for everyone else after the change. The access of everyone else
 * is then undefined (platform-facts.md, 3.3), or unrestricted if the column has no rules at all. Columns that do not
 * exist are left out.
 */
export function findColumnsWithoutDefault(
  current: readonly unknown[],
  { adds, deletes }: Pick<RuleDifference, 'adds' | 'deletes'>,
  catalog?: Catalog,
): readonly ColumnWithoutDefault[] {
  const names = catalog === undefined ? undefined : new CatalogNames(catalog);
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
  const columnsLosingDefault = new Set(
    readRules([...deletedRules]).flatMap(({ table, column, parties }) =>
      parties.some(({ type }) => type === 'default') ? [JSON.stringify([table, column])] : [],
    ),
  );
  const changedColumns = readRules([...deletedRules, ...adds]).map(({ table, column }) => ({
    table,
    column,
  }));
  const columnsByKey = new Map(
    changedColumns.map((column) => [JSON.stringify([column.table, column.column]), column]),
  );
  return [...columnsByKey].flatMap(([key, column]): readonly ColumnWithoutDefault[] => {
    const hasDefault = hasDefaultByColumn.get(key);
    return hasDefault === true || names?.isMissing(column.table, column.column) === true
      ? []
      : [
          {
            ...column,
            everyoneElseSees: hasDefault === undefined ? 'everything' : 'unclear',
            losesDefault: columnsLosingDefault.has(key),
          },
        ];
  });
}
