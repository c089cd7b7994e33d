import type { Catalog } from '../../sql/language.ts';
import { groupRulesByColumn } from '../columnAccess.ts';
import { readRules } from '../readRules.ts';
import { getTableAccess } from '../tableAccess.ts';
import { noValues } from '../valueSet.ts';
import type { AuditFinding } from './auditFinding.ts';

/**
 * Finds the tables that no rule reaches: neither they nor a table that relations link to them, directly or through
 * other tables, have a column with rules, so everyone sees all of their rows (rest-api.md, "What the service does"). In
 * the result, linked tables follow each other. Finds nothing while the catalog is incomplete, since a table or relation
 * that is not known may bring rules with it.
 */
export function auditTables(rules: readonly unknown[], catalog: Catalog): readonly AuditFinding[] {
  if (!catalog.complete) {
    return [];
  }
  // The content of the rules is irrelevant here, so each column is treated as if all of its values were hidden.
  const columns = groupRulesByColumn(readRules(rules)).map(({ table, column }) => ({
    table,
    column,
    access: noValues,
    bounds: { atLeast: noValues, atMost: noValues },
    appliedRules: [],
  }));
  const unreachedTables = getTableAccess(columns, catalog).filter((access) => access.columns.length === 0);
  // Linked tables share one list of columns.
  const linkedTables = Map.groupBy(unreachedTables, (access) => access.columns);
  return [...linkedTables.values()].flatMap((tables) =>
    tables.map(
      ({ table }): AuditFinding => ({
        code: 'table-unreached',
        severity: 'warning',
        args: [table, String(tables.length - 1)],
        table,
      }),
    ),
  );
}

/**
 * Reports a datamodel without rules: everyone sees everything (platform-facts.md, 3.3). A cube set without rules is
 * not confirmed: the server answers any name with an empty list.
 */
export function auditRuleCount(rules: readonly unknown[], isCubeSet: boolean): readonly AuditFinding[] {
  if (rules.length > 0) {
    return [];
  }
  return [
    isCubeSet
      ? {
          code: 'cube-set-unconfirmed',
          severity: 'warning',
          args: [],
        }
      : {
          code: 'no-rules',
          severity: 'information',
          args: [],
        },
  ];
}
