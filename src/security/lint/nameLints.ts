import { columnType, ruleDatatype } from '../../contract/columnTypes.ts';
import type { Catalog, CatalogColumn } from '../../sql/language.ts';
import { isText, type UnknownObject } from '../readRule.ts';
import { finding, type RuleLint } from './finding.ts';

/** The names of a datamodel as rules refer to them: all string fields are case sensitive (spec). */
export interface CatalogNames {
  readonly complete: boolean;
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, CatalogColumn>>;
}

export function catalogNames(catalog: Catalog): CatalogNames {
  const tables = catalog.tables.map(
    ({ name, columns }) => [name, new Map(columns.map((column) => [column.name, column]))] as const,
  );
  return { complete: catalog.complete, tables: new Map(tables) };
}

/**
 * What is wrong with the table and the column that a rule names. The server checks neither, so that a typo makes a
 * rule that protects nothing (platform-facts 3.1). While the catalogue is not complete no name is called unknown.
 */
export function nameLints(rule: UnknownObject, index: number, names: CatalogNames): readonly RuleLint[] {
  const { table, column, datatype } = rule;
  if (!isText(table)) {
    return [];
  }
  const columns = names.tables.get(table);
  if (columns === undefined) {
    return names.complete ? [finding(index, 'unknown-table', ['table'], [table])] : [];
  }
  if (!isText(column)) {
    return [];
  }
  const known = columns.get(column);
  if (known === undefined) {
    return names.complete ? [finding(index, 'unknown-column', ['column'], [table, column])] : [];
  }
  if (columnType(known.type)?.group === 'date-time') {
    // "Date dimensions are not supported" (spec).
    return [finding(index, 'date-column', ['column'], [table, column])];
  }
  const expected = ruleDatatype(known.type);
  return expected !== undefined && isText(datatype) && datatype !== expected
    ? [finding(index, 'datatype-mismatch', ['datatype'], [expected, datatype])]
    : [];
}
