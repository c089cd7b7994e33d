import type { Catalog } from '../../sql/language.ts';
import { CatalogNames } from '../../security/catalogNames.ts';
import type { AccessDifference } from '../../security/change/accessDifference.ts';
import { groupRulesByColumn } from '../../security/columnAccess.ts';
import { readRules } from '../../security/readRules.ts';
import type { ColumnName } from '../../security/tableAccess.ts';

/** The rules of a cube set before and after an operation. */
interface CubeSetRules {
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

/** The tables that the rules of a cube set may be on, before and after an operation. */
interface CubeSetTables {
  readonly before: readonly Catalog[];
  readonly after: readonly Catalog[];
}

/**
 * Returns the columns whose rules in a cube set have no effect after an operation, because no known datamodel has the
 * column. Only includes rules that the operation writes, or whose column it renames or deletes.
 */
export function findRulesWithoutEffect(rules: CubeSetRules, tables: CubeSetTables): readonly ColumnName[] {
  const [oldNames, newNames] = [tables.before, tables.after].map((catalogs) =>
    catalogs.map((catalog) => new CatalogNames(catalog)),
  );
  const isMissing = (names: readonly CatalogNames[] | undefined, { table, column }: ColumnName): boolean =>
    names?.every((candidate) => candidate.isMissing(table, column)) === true;
  const isWritten = ({ table, column }: ColumnName): boolean => {
    const [before, after] = [rules.before, rules.after].map((list) =>
      readRules(list).filter((rule) => rule.table === table && rule.column === column),
    );
    return toText(before) !== toText(after);
  };
  return groupRulesByColumn(readRules(rules.after))
    .map(({ table, column }): ColumnName => ({ table, column }))
    .filter((name) => isMissing(newNames, name) && (!isMissing(oldNames, name) || isWritten(name)));
}

/** Omits the rows that `others` contain, too: a table may be in several datamodels of a cube set. */
export function omitRepeatedRows(
  difference: AccessDifference,
  others: readonly AccessDifference[],
): AccessDifference {
  const known = new Set(others.flatMap(({ rows }) => rows.map((row) => toText({ ...row, tables: [] }))));
  return { ...difference, rows: difference.rows.filter((row) => !known.has(toText({ ...row, tables: [] }))) };
}

const toText = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) => (member instanceof Set ? [...member] : member));
