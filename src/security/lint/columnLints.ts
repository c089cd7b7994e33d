import { getColumnType, getRuleDatatype } from '../../contract/terms.ts';
import type { CatalogNames } from '../catalogNames.ts';
import { isNonEmptyString, type UnknownObject } from '../readRules.ts';
import { createFinding, type RuleFinding } from './finding.ts';

/**
 * Finds problems with the table and column of a rule. The server checks neither, so a typo creates a rule that protects
 * nothing (platform-facts.md, 3.1).
 */
export function lintRuleColumn(
  rule: UnknownObject,
  index: number,
  names: CatalogNames,
): readonly RuleFinding[] {
  const { table, column, datatype } = rule;
  if (!isNonEmptyString(table)) {
    return [];
  }
  const lookupResult = names.find(table, isNonEmptyString(column) ? column : undefined);
  if (lookupResult === 'unknown-table') {
    return [createFinding(index, lookupResult, ['table'], [table])];
  }
  if (lookupResult === 'unknown-column') {
    return [createFinding(index, lookupResult, ['column'], [table, String(column)])];
  }
  if (getColumnType(lookupResult?.type)?.group === 'date-time') {
    // Columns of dates can't have rules (rest-api.md, "Data security rule" 3).
    return [createFinding(index, 'date-column', ['column'], [table, String(column)])];
  }
  const expectedDatatype = getRuleDatatype(lookupResult?.type);
  return expectedDatatype !== undefined && isNonEmptyString(datatype) && datatype !== expectedDatatype
    ? [createFinding(index, 'datatype-mismatch', ['datatype'], [expectedDatatype, datatype])]
    : [];
}
