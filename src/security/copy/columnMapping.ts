import type { Catalog } from '../../sql/language.ts';
import type { TableRule } from '../ruleTable/tableRule.ts';
import type { ColumnName } from '../tableAccess.ts';

/** Where the rules of one column go; nowhere without `to`. */
export interface ColumnMapping {
  readonly from: ColumnName;
  readonly to?: ColumnName;
  /** How many rules are on it. */
  readonly rules: number;
  /** `name`: both are called the same; `case`: but for capitals; `person`: a person has said so. */
  readonly by?: 'name' | 'case' | 'person';
}

/** Columns that a person chose, by {@link getColumnKey}; `null` leaves a column out. */
export type ChosenColumns = Readonly<Record<string, ColumnName | null>>;

export const getColumnKey = ({ table, column }: ColumnName): string => JSON.stringify([table, column]);

/**
 * Which column of another datamodel stands for each column that has rules: the one of the same name, else the only
 * one that is spelled so but for capitals (names are case sensitive: spec), else nobody but a person knows.
 * @param catalog the other datamodel; where it is not known, as for a cube set, every name is taken as it is
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

/** The rules on the columns that stand for theirs; those of columns that go nowhere are left out. */
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

/** All values that rules name on each column: those that a list instead of an exception would hold. */
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

/** The column of a {@link getColumnKey}; `null` for a text that is none. */
export function parseColumnKey(key: string): ColumnName | null {
  try {
    const parts: unknown = JSON.parse(key);
    const [table, column] = Array.isArray(parts) ? (parts as readonly unknown[]) : [];
    return typeof table === 'string' && typeof column === 'string' ? { table, column } : null;
  } catch {
    return null;
  }
}
