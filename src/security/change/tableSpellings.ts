import type { TableRule } from '../ruleTable/tableRule.ts';
import type { ColumnName } from '../tableAccess.ts';
import { KnownValues, type OtherSpelling } from '../values/knownValues.ts';
import { ValueIndex } from '../values/valueIndex.ts';
import type { RuleDifference } from './ruleDifference.ts';

/** A value in a table of rules that other rules on its column spell differently. */
export interface TableSpelling extends ColumnName, OtherSpelling {
  /** The numbers of the rows with the value; empty if the rules come from another datamodel. */
  readonly rows: readonly number[];
}

/**
 * Finds values of a table of rules that other rules on the same column spell differently. The other rules are those
 * that the datamodel has after the change, including those of the table, and those of other datamodels.
 * @param indexes the values that other documents name
 */
export function findTableSpellings(
  tableRules: readonly TableRule[],
  current: readonly unknown[],
  { adds, deletes }: Pick<RuleDifference, 'adds' | 'deletes'>,
  indexes: readonly ValueIndex[],
): readonly TableSpelling[] {
  const knownValues = new KnownValues(
    [...indexes, ValueIndex.fromRules(current), ValueIndex.fromRules(adds)],
    [ValueIndex.fromRules(deletes.map(({ rule }) => rule))],
  );
  const spellings = new Map<string, TableSpelling & { readonly rows: number[] }>();
  for (const { table, column, grant, rows } of tableRules) {
    for (const spelling of knownValues.findOtherSpellings({ table, column, values: grant.values })) {
      const key = JSON.stringify([table, column, spelling]);
      const found = spellings.get(key) ?? { table, column, ...spelling, rows: [] };
      found.rows.push(...rows);
      spellings.set(key, found);
    }
  }
  return [...spellings.values()];
}
