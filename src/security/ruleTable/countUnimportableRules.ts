import { isObject } from '../readRules.ts';
import { ruleTableColumns } from './columns.ts';
import { formatCsv } from './csvText.ts';
import { parseRuleTable } from './parseRuleTable.ts';
import { createTableRows } from './formatRuleTable.ts';

/**
 * Counts the rules that a table can't express: those for which an import of the table would report an error, and
 * entries that aren't objects, which have no rows in the table.
 */
export function countUnimportableRules(rules: readonly unknown[]): number {
  const rows = createTableRows(rules);
  const ruleLabels = parseRuleTable(formatCsv(ruleTableColumns, rows)).problems.flatMap(
    // Row numbers start at 1, and row 1 is the heading.
    ({ severity, row }) => (severity === 'error' ? [rows[row - 2]?.[0]] : []),
  );
  return new Set(ruleLabels).size + rules.filter((rule) => !isObject(rule)).length;
}
