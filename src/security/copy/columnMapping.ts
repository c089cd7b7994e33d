import type { Catalog } from '../../sql/language.ts';
import type { TableRule } from '../ruleTable/tableRule.ts';
import type { ColumnName } from '../tableAccess.ts';

/** The target column for the rules of one column; without `target`, the column is not mapped. */
export interface ColumnMapping {
  readonly source: ColumnName;
  readonly target?: ColumnName;
  /** The number of rules on the source column. */
  readonly ruleCount: number;
  /** `name`: both have the same name; `case`: they differ only in letter case; `user`: chosen by the user. */
  readonly matchedBy?: 'name' | 'case' | 'user';
}

/** Target columns chosen by the user, by the {@link getColumnKey} of the source column; `null` skips a column. */
export type ChosenColumns = Readonly<Record<string, ColumnName | null>>;

export const getColumnKey = ({ table, column }: ColumnName): string => JSON.stringify([table, column]);

/**
 * Maps each column that has rules to a column of another datamodel: the one chosen by the user, else the one with the
 * same name, else the only one whose name differs in letter case alone (names are case sensitive:
 * rest-api.md, "Data security rule" 2). Other columns stay unmapped until the user chooses.
 * @param catalog the target datamodel; if it is unknown, as for a cube set, every column is mapped to the same name
 */
export function mapColumns(
  rules: readonly TableRule[],
  catalog: Catalog | undefined,
  chosenColumns: ChosenColumns = {},
): readonly ColumnMapping[] {
  const exactKeys = new Set<string>();
  const columnsByFoldedKey = new Map<string, ColumnName[]>();
  for (const { name: table, columns } of catalog?.tables ?? []) {
    for (const { name: column } of columns) {
      const targetColumn = { table, column };
      exactKeys.add(getColumnKey(targetColumn));
      columnsByFoldedKey.set(getFoldedColumnKey(targetColumn), [
        ...(columnsByFoldedKey.get(getFoldedColumnKey(targetColumn)) ?? []),
        targetColumn,
      ]);
    }
  }
  const findTarget = (source: ColumnName): Pick<ColumnMapping, 'target' | 'matchedBy'> => {
    const choice = Object.hasOwn(chosenColumns, getColumnKey(source))
      ? chosenColumns[getColumnKey(source)]
      : undefined;
    if (choice !== undefined) {
      return choice === null ? {} : { target: choice, matchedBy: 'user' };
    }
    if (catalog === undefined || exactKeys.has(getColumnKey(source))) {
      return { target: source, matchedBy: 'name' };
    }
    const [match, otherMatch] = columnsByFoldedKey.get(getFoldedColumnKey(source)) ?? [];
    return match !== undefined && otherMatch === undefined ? { target: match, matchedBy: 'case' } : {};
  };
  return [...Map.groupBy(rules, getColumnKey).values()].flatMap((columnRules) => {
    const [first] = columnRules;
    const source = first && { table: first.table, column: first.column };
    return source === undefined ? [] : [{ source, ruleCount: columnRules.length, ...findTarget(source) }];
  });
}

const getFoldedColumnKey = ({ table, column }: ColumnName): string =>
  getColumnKey({ table: table.toLowerCase(), column: column.toLowerCase() });

/** Moves the rules to their mapped columns; rules on unmapped columns are dropped. */
export function applyColumnMapping(
  rules: readonly TableRule[],
  mapping: readonly ColumnMapping[],
): readonly TableRule[] {
  const targets = new Map(mapping.map(({ source, target }) => [getColumnKey(source), target]));
  return rules.flatMap((rule) => {
    const targetColumn = targets.get(getColumnKey(rule));
    return targetColumn === undefined ? [] : [{ ...rule, ...targetColumn }];
  });
}

/**
 * Creates a function that returns all values that occur in the rules on a column. They are needed to rewrite a rule
 * that excludes values: the new rule lists all other known values.
 */
export function createRuleValueLookup(
  rules: readonly TableRule[],
): (table: string, column: string) => readonly string[] {
  const valuesByColumn = new Map<string, Set<string>>();
  for (const rule of rules) {
    const key = getColumnKey(rule);
    const values = valuesByColumn.get(key) ?? new Set<string>();
    valuesByColumn.set(key, values);
    for (const value of rule.grant.values) {
      values.add(value);
    }
  }
  return (table, column) => [...(valuesByColumn.get(getColumnKey({ table, column })) ?? [])];
}

/** Parses a key from {@link getColumnKey}; returns `null` for invalid text. */
export function parseColumnKey(key: string): ColumnName | null {
  try {
    const parts: unknown = JSON.parse(key);
    const [table, column] = Array.isArray(parts) ? (parts as readonly unknown[]) : [];
    return typeof table === 'string' && typeof column === 'string' ? { table, column } : null;
  } catch {
    return null;
  }
}
