import { getColumnType, getRuleDatatype } from '../../contract/terms.ts';
import type { CatalogNames } from '../catalogNames.ts';
import { isText, type UnknownObject } from '../readRule.ts';
import { createFinding, type RuleLint } from './finding.ts';

/**
 * Finds problems with the table and column of a rule. The server checks neither, so a typo creates a rule that protects
 * nothing (platform-facts.md, 3.1).
 */
export function lintNames(rule: UnknownObject, index: number, names: CatalogNames): readonly RuleLint[] {
  const { table, column, datatype } = rule;
  if (!isText(table)) {
    return [];
  }
  const known = names.find(table, isText(column) ? column : undefined);
  if (known === 'unknown-table') {
    return [createFinding(index, known, ['table'], [table])];
  }
  if (known === 'unknown-column') {
    return [createFinding(index, known, ['column'], [table, String(column)])];
  }
  if (getColumnType(known?.type)?.group === 'date-time') {
    // Columns of dates can't have rules (rest-api.md, "Data security rule" 3).
    return [createFinding(index, 'date-column', ['column'], [table, String(column)])];
  }
  const expected = getRuleDatatype(known?.type);
  return expected !== undefined && isText(datatype) && datatype !== expected
    ? [createFinding(index, 'datatype-mismatch', ['datatype'], [expected, datatype])]
    : [];
}
