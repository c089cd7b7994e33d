import { readRules } from '../readRule.ts';
import type { ColumnName } from '../tableAccess.ts';
import type { RuleDifference } from './ruleDifference.ts';

/** A column that a change leaves without a rule for everyone else. */
export interface UncoveredColumn extends ColumnName {
  /** `everything`: its last rule is deleted and nothing restricts it any more; `unclear`: others keep rules. */
  readonly sees: 'everything' | 'unclear';
}

/**
 * The columns that a change touches and leaves without a rule for everyone else. The access of everyone else is then
 * not stated anywhere (platform-facts.md, 3.3), and a column without any rule restricts no one.
 */
export function findUncoveredColumns(
  current: readonly unknown[],
  { adds, deletes }: Pick<RuleDifference, 'adds' | 'deletes'>,
): readonly UncoveredColumn[] {
  const gone = new Set<unknown>(deletes.map(({ rule }) => rule));
  const after = new Map<string, boolean>();
  for (const { table, column, parties } of readRules([
    ...current.filter((rule) => !gone.has(rule)),
    ...adds,
  ])) {
    const key = JSON.stringify([table, column]);
    after.set(key, after.get(key) === true || parties.some(({ type }) => type === 'default'));
  }
  const touched = readRules([...gone, ...adds]).map(({ table, column }) => ({ table, column }));
  const byKey = new Map(touched.map((column) => [JSON.stringify([column.table, column.column]), column]));
  return [...byKey].flatMap(([key, column]): readonly UncoveredColumn[] => {
    const hasDefault = after.get(key);
    return hasDefault === true
      ? []
      : [{ ...column, sees: hasDefault === undefined ? 'everything' : 'unclear' }];
  });
}
