import type { Catalog } from '../../sql/language.ts';
import type { RuleBinding } from '../ruleFields.ts';
import { readRules } from '../readRules.ts';
import type { TableRule } from '../ruleTable/tableRule.ts';
import { isExclusion, type ValueSet } from '../valueSet.ts';
import {
  type ChosenColumns,
  type ColumnMapping,
  getColumnKey,
  mapColumns,
  createRuleValueLookup,
  applyColumnMapping,
} from './columnMapping.ts';

export interface CopyOptions {
  /** The catalog of the target, if known. */
  readonly catalog: Catalog | undefined;
  readonly kind: RuleBinding['kind'];
  readonly columns: ChosenColumns;
  /** True if the user agreed that rules that hide values become lists of the other known values. */
  readonly rewritesExclusions: boolean;
}

/** Rules for another datamodel, and those that could not be copied. */
export interface CopiedRules {
  readonly rules: readonly TableRule[];
  readonly mapping: readonly ColumnMapping[];
  /**
   * For a live target, the number of rules on mapped columns that hide values; 0 for an extract target. A live target
   * may not support such rules (rest-api.md, "Data security rule, live datamodel": it has no `exclusionary`). `rules`
   * contains them as lists if the user agreed, otherwise unchanged.
   */
  readonly exclusionCount: number;
  /** The columns of rules with an unclear meaning, one entry per rule. */
  readonly unclearColumns: readonly string[];
}

/**
 * Converts the rules of one datamodel to rules for another, on the mapped columns. If the target is live and the user
 * agreed, a rule that hides values becomes a list of the other known values, those that occur in rules of the column.
 * Values that are added to the column later stay hidden.
 */
export function createCopiedRules(
  rules: readonly unknown[],
  { catalog, kind, columns, rewritesExclusions }: CopyOptions,
): CopiedRules {
  const unclearColumns: string[] = [];
  const tableRules = readRules(rules).flatMap((rule): readonly TableRule[] => {
    const { grant, parties } = rule;
    if (grant === 'unclear') {
      unclearColumns.push(`${rule.table}.${rule.column}`);
      return [];
    }
    return [
      {
        rows: [],
        table: rule.table,
        column: rule.column,
        datatype: readDatatype(rules[rule.index]),
        grant,
        parties: parties.map(({ type, id = '' }) => ({ type, idOrName: id })),
      },
    ];
  });
  const mapping = mapColumns(tableRules, catalog, columns);
  const mappedKeys = new Set(
    mapping.filter(({ target }) => target !== undefined).map(({ source }) => getColumnKey(source)),
  );
  const exclusionRules = tableRules.filter(
    (rule) => kind === 'live' && isExclusion(rule.grant) && mappedKeys.has(getColumnKey(rule)),
  );
  const getKnownValues = createRuleValueLookup(tableRules);
  const rewrittenRules = tableRules.map((rule) =>
    rewritesExclusions && kind === 'live' && isExclusion(rule.grant)
      ? { ...rule, grant: toListedValues(rule.grant, getKnownValues(rule.table, rule.column)) }
      : rule,
  );
  return {
    rules: applyColumnMapping(rewrittenRules, mapping),
    mapping,
    exclusionCount: exclusionRules.length,
    unclearColumns,
  };
}

function readDatatype(rule: unknown): TableRule['datatype'] {
  const { datatype } = typeof rule === 'object' && rule !== null ? (rule as Record<string, unknown>) : {};
  return datatype === 'text' || datatype === 'numeric' ? datatype : undefined;
}

const toListedValues = ({ values }: ValueSet, knownValues: readonly string[]): ValueSet => ({
  kind: 'only',
  values: new Set(knownValues).difference(values),
});
