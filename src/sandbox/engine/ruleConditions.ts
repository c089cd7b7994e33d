import { getColumnType } from '../../contract/terms.ts';
import type { Rule } from '../../contract/rule.ts';
import {
  type ColumnValues,
  resolveColumnAccess,
  type QueryListCombination,
  isUnrestricted,
  type QueryParty,
} from './columnAccess.ts';
import type { CubeMeta } from './cubeMeta.ts';
import { toSqlNameKey, quoteIdentifier, quoteText } from './sqlNames.ts';

/** Creates the SQL condition for one column; members are strings even for numeric columns (platform-facts.md, 3.2). */
function createValueCondition(column: string, type: number, { kind, values }: ColumnValues): string {
  const isNumber = getColumnType(type)?.group === 'number';
  const literals = isNumber
    ? [...values]
        .filter((value) => /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value))
        .map((value) => value.trim())
    : [...values].map(quoteText);
  const operand = isNumber ? quoteIdentifier(column) : `CAST(${quoteIdentifier(column)} AS TEXT)`;
  return kind === 'only'
    ? `${operand} IN (${literals.join(', ')})`
    : `(${quoteIdentifier(column)} IS NULL OR ${operand} NOT IN (${literals.join(', ')}))`;
}

const toColumnKey = (table: string, column: string): string => `${table}\n${column}`;

/**
 * Returns the SQL condition of the rules on each table's own columns, by table key. The conditions of several columns
 * are combined with AND (platform-facts.md, 3.3). Names in rules are case-sensitive (rest-api.md, "Data security rule"
 * 2), and a rule with names that do not exist has no effect (platform-facts.md, 3.1).
 */
export function createRuleConditions(
  meta: CubeMeta,
  rules: readonly Rule[],
  party: QueryParty,
  combination: QueryListCombination,
): ReadonlyMap<string, string> {
  const rulesByColumn = Map.groupBy(rules, (rule) => toColumnKey(rule.table, rule.column));
  const conditions = new Map<string, string>();
  for (const table of meta.tables) {
    const columnConditions = table.columns.flatMap((column) => {
      const access = resolveColumnAccess(
        rulesByColumn.get(toColumnKey(table.name, column.name)) ?? [],
        party,
        combination,
      );
      return isUnrestricted(access) ? [] : [createValueCondition(column.name, column.type, access)];
    });
    if (columnConditions.length > 0) {
      conditions.set(toSqlNameKey(table.name), columnConditions.join(' AND '));
    }
  }
  return conditions;
}
