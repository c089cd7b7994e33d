import { isObject } from '../readRules.ts';
import { ruleTableColumns } from './columns.ts';
import { formatCsv } from './csvText.ts';
import { parseRuleTable } from './parseRuleTable.ts';
import { createTableRows } from './formatRuleTable.ts';

/**
 * Counts the rules that a table can't express: an import of their table reports an error in their rows, or doesn't know
 * about them.
 */
export function countUnimportableRules(rules: readonly unknown[]): number {
  const rows = createTableRows(rules);
  const ruleLabels = parseRuleTable(formatCsv(ruleTableColumns, rows)).problems.flatMap(
    // The first row of a table is its heading, and is counted from 1.
    ({ severity, row }) => (severity === 'error' ? [rows[row - 2]?.[0]] : []),
  );
  return new Set(ruleLabels).size + rules.filter((rule) => !isObject(rule)).length;
}
