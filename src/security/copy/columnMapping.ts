import type { Catalog } from '../../sql/language.ts';
import type { TableRule } from '../ruleTable/tableRule.ts';
import type { ColumnName } from '../tableAccess.ts';

/** The target column for the rules of one column; unmapped without `to`. */
export interface ColumnMapping {
  readonly from: ColumnName;
  readonly to?: ColumnName;
  /** The number of rules on it. */
  readonly rules: number;
  /** `name`: both have the same name; `case`: they differ only in letter case; `person`: chosen by the user. */
  readonly by?: 'name' | 'case' | 'person';
}

/** Columns chosen by the user, by {@link getColumnKey}; `null` leaves a column out. */
export type ChosenColumns = Readonly<Record<string, ColumnName | null>>;

export const getColumnKey = ({ table, column }: ColumnName): string => JSON.stringify([table, column]);

/**
 * Maps each column that has rules to a column of another datamodel: the one of the same name, else the only one that
 * differs only in letter case (names are case sensitive: rest-api.md, "Data security rule" 2), else only the user can
 * decide.
 * @param catalog the other datamodel; if it is unknown, as for a cube set, every name is kept as it is
 */
export function mapColumns(
  rules: readonly TableRule[],
  catalog: Catalog | undefined,
  chosen: ChosenColumns = {},
): readonly ColumnMapping[] {
  const exact = new Set<string>();
  const folded = new Map<string, ColumnName[]>();
  for (const { name: table, columns } of catalog?.tables ?? []) {
    for (const { name: column } of columns) {
      const there = { table, column };
      exact.add(getColumnKey(there));
      folded.set(getFoldedColumnKey(there), [...(folded.get(getFoldedColumnKey(there)) ?? []), there]);
    }
  }
  const target = (from: ColumnName): Pick<ColumnMapping, 'to' | 'by'> => {
    const choice = Object.hasOwn(chosen, getColumnKey(from)) ? chosen[getColumnKey(from)] : undefined;
    if (choice !== undefined) {
      return choice === null ? {} : { to: choice, by: 'person' };
    }
    if (catalog === undefined || exact.has(getColumnKey(from))) {
      return { to: from, by: 'name' };
    }
    const [alike, other] = folded.get(getFoldedColumnKey(from)) ?? [];
    return alike !== undefined && other === undefined ? { to: alike, by: 'case' } : {};
  };
  return [...Map.groupBy(rules, getColumnKey).values()].flatMap((ofColumn) => {
    const [first] = ofColumn;
    const from = first && { table: first.table, column: first.column };
    return from === undefined ? [] : [{ from, rules: ofColumn.length, ...target(from) }];
  });
}

const getFoldedColumnKey = ({ table, column }: ColumnName): string =>
  getColumnKey({ table: table.toLowerCase(), column: column.toLowerCase() });

/** The rules on their mapped columns; those of unmapped columns are left out. */
export function applyColumnMapping(
  rules: readonly TableRule[],
  mapping: readonly ColumnMapping[],
): readonly TableRule[] {
  const targets = new Map(mapping.map(({ from, to }) => [getColumnKey(from), to]));
  return rules.flatMap((rule) => {
    const to = targets.get(getColumnKey(rule));
    return to === undefined ? [] : [{ ...rule, ...to }];
  });
}

/** All values in the rules on each column: the content of a list that replaces an exception. */
export function collectRuleValues(
  rules: readonly TableRule[],
): (table: string, column: string) => readonly string[] {
  const seen = new Map<string, Set<string>>();
  for (const rule of rules) {
    const key = getColumnKey(rule);
    seen.set(key, (seen.get(key) ?? new Set<string>()).union(rule.grant.values));
  }
  return (table, column) => [...(seen.get(getColumnKey({ table, column })) ?? [])];
}

/** The column of a {@link getColumnKey}; `null` for invalid text. */
export function parseColumnKey(key: string): ColumnName | null {
  try {
    const parts: unknown = JSON.parse(key);
    const [table, column] = Array.isArray(parts) ? (parts as readonly unknown[]) : [];
    return typeof table === 'string' && typeof column === 'string' ? { table, column } : null;
  } catch {
    return null;
  }
}
