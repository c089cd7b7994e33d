import type { DeletedRule } from '../change/ruleDifference.ts';
import { computeRuleDifference } from '../change/ruleDifference.ts';
import { createContentFields, type RuleBinding, createShareFields } from '../ruleFields.ts';
import { getLiveExclusionSupport } from '../liveExclusion.ts';
import { readArray, isObject, type ParsedRule, readRules, type UnknownObject } from '../readRules.ts';
import type { TableRule } from '../ruleTable/tableRule.ts';
import { isExclusion, type ValueSet } from '../valueSet.ts';
import { getValueKey } from './cellText.ts';
import type { CellChange } from './matrixDraft.ts';
import {
  getCellKey,
  getMatrixColumnKey,
  emptyCell,
  type MatrixColumn,
  type MatrixParty,
  toMatrixParty,
  getRuleParties,
  type RuleMatrix,
  createRuleMatrix,
} from './ruleMatrix.ts';

/** The rules to add and to delete so that the rules match the cells. */
export interface MatrixChange {
  readonly adds: readonly UnknownObject[];
  readonly deletes: readonly DeletedRule[];
}

/**
 * Computes the rule changes for edited cells. Only rules in a changed cell are replaced; what such a rule grants to
 * other parties is written to new rules. Parties with the same access to a column share a rule.
 * @param rules the server's current rules of the datamodel
 * @throws RangeError for a cell that can't be changed ({@link ReadOnlyReason}): then nothing may be sent
 */
export function computeMatrixChange(
  rules: readonly unknown[],
  changes: readonly CellChange[],
  binding: RuleBinding,
): MatrixChange {
  const matrix = createRuleMatrix(rules);
  const isExclusionUnsupported = binding.kind === 'live' && getLiveExclusionSupport(rules) === 'not-shown';
  const changesByCell = findEffectiveChanges(matrix, changes);
  const affectedIndexes = new Set<number>();
  for (const [key, { party, column, value }] of changesByCell) {
    const cell = matrix.cells.get(key) ?? emptyCell;
    if (cell.readOnlyReason !== undefined || (isExclusionUnsupported && value.some(isExclusion))) {
      throw new RangeError(`The cell of ${party.key} on ${column.key} cannot be changed`);
    }
    cell.ruleIndexes.forEach((index) => affectedIndexes.add(index));
  }
  const columns = new Map(matrix.columns.map((column) => [column.key, column]));
  const affectedRules = readRules(rules).filter(({ index }) => affectedIndexes.has(index));
  const isChanged = (rule: ParsedRule, party: MatrixParty): boolean =>
    changesByCell.has(getCellKey(party.key, getMatrixColumnKey(rule.table, rule.column)));
  const keptGrants = affectedRules.flatMap((rule): DesiredGrant[] => {
    const { grant } = rule;
    const column = columns.get(getMatrixColumnKey(rule.table, rule.column));
    return grant === 'unclear' || column === undefined
      ? []
      : getRuleParties(rule).flatMap((party) => (isChanged(rule, party) ? [] : [{ party, column, grant }]));
  });
  const newGrants = [...changesByCell.values()].flatMap(({ party, column, value }) =>
    value.map((grant) => ({ party, column, grant })),
  );
  const current = affectedRules.map(({ index }) => rules[index]);
  const { adds, deletes } = computeRuleDifference({
    tableRules: createTableRules([...newGrants, ...keptGrants]),
    existingRules: current,
    binding,
    mode: 'all',
    findPartyId: ({ idOrName }) => idOrName,
  });
  return {
    adds: [...adds, ...affectedRules.flatMap((rule) => copyUnclearRule(rule, rules[rule.index], isChanged))],
    deletes: deletes.map(({ index, rule }) => ({ index: affectedRules[index]?.index ?? index, rule })),
  };
}

interface DesiredGrant {
  readonly party: MatrixParty;
  readonly column: MatrixColumn;
  readonly grant: ValueSet;
}

/** Returns the changes that have an effect, by cell. If a cell has several changes, the last one wins. */
function findEffectiveChanges(
  { cells }: RuleMatrix,
  changes: readonly CellChange[],
): ReadonlyMap<string, CellChange> {
  const lastChanges = new Map(
    changes.map((change) => [getCellKey(change.party.key, change.column.key), change] as const),
  );
  return new Map(
    [...lastChanges].filter(
      ([key, { value }]) => (cells.get(key) ?? emptyCell).canonicalKey !== getValueKey(value),
    ),
  );
}

/** Creates one rule for all parties with the same access to a column, and another for parties that have it twice. */
function createTableRules(grants: readonly DesiredGrant[]): readonly TableRule[] {
  const counts = new Map<string, number>();
  const numberedGrants = grants.map((desiredGrant) => {
    const content = JSON.stringify([desiredGrant.column.key, getValueKey([desiredGrant.grant])]);
    const partyGrantKey = `${content} ${desiredGrant.party.key}`;
    const count = counts.get(partyGrantKey) ?? 0;
    counts.set(partyGrantKey, count + 1);
    return { ...desiredGrant, group: `${content} ${count}` };
  });
  return [...Map.groupBy(numberedGrants, ({ group }) => group).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) {
      return [];
    }
    const { table, column, datatype } = first.column;
    const parties = group.map(({ party: { type, id = '' } }) => ({ type, idOrName: id }));
    return [{ rows: [], table, column, datatype, grant: first.grant, parties }];
  });
}

/** Returns a copy of a rule with an unclear meaning for those of its parties whose cells were not changed. */
function copyUnclearRule(
  rule: ParsedRule,
  document: unknown,
  isChanged: (rule: ParsedRule, party: MatrixParty) => boolean,
): readonly UnknownObject[] {
  if (rule.grant !== 'unclear' || !isObject(document)) {
    return [];
  }
  const { _id, ...content } = document;
  // The parties are in the order of the shares, since cells with unreadable shares can't be changed.
  const shares = readArray(content['shares']).filter((_share, index) => {
    const party = rule.parties[index];
    return party !== undefined && !isChanged(rule, toMatrixParty(party));
  });
  return shares.length === 0 ? [] : [{ ...content, shares }];
}

/**
 * Returns the update of a rule if the whole change is replacing one rule by another for the same parties, otherwise
 * `undefined`. An update is a single request, so no temporary deny rule is needed (rest-api.md, "Data security, extract
 * datamodels": PUT of extract rules; live rules can't be updated).
 */
export function findInPlaceUpdate(
  { adds, deletes }: MatrixChange,
  { kind }: RuleBinding,
): { readonly ruleId: string; readonly rule: UnknownObject } | undefined {
  const [[addedRule, ...otherAdds], [deletedRule, ...otherDeletes]] = [adds, deletes];
  if (kind === 'live' || otherAdds.length + otherDeletes.length > 0 || !addedRule || !deletedRule) {
    return undefined;
  }
  const [newRule, oldRule] = [readRules([addedRule])[0], readRules([deletedRule.rule])[0]];
  const getTargetKey = (rule: ParsedRule | undefined) =>
    JSON.stringify([
      rule?.table,
      rule?.column,
      (rule?.parties ?? []).map((party) => toMatrixParty(party).key).sort(),
    ]);
  if (
    oldRule?.ruleId === undefined ||
    newRule === undefined ||
    newRule.grant === 'unclear' ||
    getTargetKey(oldRule) !== getTargetKey(newRule)
  ) {
    return undefined;
  }
  const shares = oldRule.parties.map((party) => createShareFields(party, kind));
  return {
    ruleId: oldRule.ruleId,
    rule: { ...deletedRule.rule, ...createContentFields(newRule.grant, kind), shares },
  };
}
