import type { DeletedRule } from '../change/ruleDifference.ts';
import { computeRuleDifference } from '../change/ruleDifference.ts';
import { createContentFields, type RuleBinding, createShareFields } from '../convert/convertRules.ts';
import { getLiveExclusionSupport } from '../liveExclusion.ts';
import { toArray, isObject, type ReadRule, readRules, type UnknownObject } from '../readRule.ts';
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
  place: RuleBinding,
): MatrixChange {
  const matrix = createRuleMatrix(rules);
  const hidesNothing = place.kind === 'live' && getLiveExclusionSupport(rules) === 'not-shown';
  const changed = findDifferences(matrix, changes);
  const touched = new Set<number>();
  for (const [key, { party, column, value }] of changed) {
    const cell = matrix.cells.get(key) ?? emptyCell;
    if (cell.fixed !== undefined || (hidesNothing && value.some(isExclusion))) {
      throw new RangeError(`The cell of ${party.key} on ${column.key} cannot be changed`);
    }
    cell.rules.forEach((index) => touched.add(index));
  }
  const columns = new Map(matrix.columns.map((column) => [column.key, column]));
  const read = readRules(rules).filter(({ index }) => touched.has(index));
  const isChanged = (rule: ReadRule, party: MatrixParty): boolean =>
    changed.has(getCellKey(party.key, getMatrixColumnKey(rule.table, rule.column)));
  const staying = read.flatMap((rule): DesiredGrant[] => {
    const { grant } = rule;
    const column = columns.get(getMatrixColumnKey(rule.table, rule.column));
    return grant === 'unclear' || column === undefined
      ? []
      : getRuleParties(rule).flatMap((party) => (isChanged(rule, party) ? [] : [{ party, column, grant }]));
  });
  const wanted = [...changed.values()].flatMap(({ party, column, value }) =>
    value.map((grant) => ({ party, column, grant })),
  );
  const current = read.map(({ index }) => rules[index]);
  const { adds, deletes } = computeRuleDifference({
    table: createTableRules([...wanted, ...staying]),
    current,
    place,
    scope: 'all',
    identify: ({ name }) => name,
  });
  return {
    adds: [...adds, ...read.flatMap((rule) => keepUnclearRules(rule, rules[rule.index], isChanged))],
    deletes: deletes.map(({ index, rule }) => ({ index: read[index]?.index ?? index, rule })),
  };
}

interface DesiredGrant {
  readonly party: MatrixParty;
  readonly column: MatrixColumn;
  readonly grant: ValueSet;
}

/** Returns the changes that have an effect, by cell. If a cell has several changes, the last one wins. */
function findDifferences(
  { cells }: RuleMatrix,
  changes: readonly CellChange[],
): ReadonlyMap<string, CellChange> {
  const last = new Map(
    changes.map((change) => [getCellKey(change.party.key, change.column.key), change] as const),
  );
  return new Map(
    [...last].filter(([key, { value }]) => (cells.get(key) ?? emptyCell).canonicalKey !== getValueKey(value)),
  );
}

/** Creates one rule for all parties with the same access to a column, and another for parties that have it twice. */
function createTableRules(wanted: readonly DesiredGrant[]): readonly TableRule[] {
  const seen = new Map<string, number>();
  const numbered = wanted.map((each) => {
    const content = JSON.stringify([each.column.key, getValueKey([each.grant])]);
    const own = `${content} ${each.party.key}`;
    const count = seen.get(own) ?? 0;
    seen.set(own, count + 1);
    return { ...each, group: `${content} ${count}` };
  });
  return [...Map.groupBy(numbered, ({ group }) => group).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) {
      return [];
    }
    const { table, column, datatype } = first.column;
    const parties = group.map(({ party: { type, id = '' } }) => ({ type, name: id }));
    return [{ rows: [], table, column, datatype, grant: first.grant, parties }];
  });
}

/** Returns a copy of a rule with an unclear meaning for those of its parties whose cells were not changed. */
function keepUnclearRules(
  rule: ReadRule,
  raw: unknown,
  isChanged: (rule: ReadRule, party: MatrixParty) => boolean,
): readonly UnknownObject[] {
  if (rule.grant !== 'unclear' || !isObject(raw)) {
    return [];
  }
  const { _id, ...content } = raw;
  const shares = toArray(content['shares']).filter((_share, index) => {
    const party = rule.parties[index];
    return party !== undefined && !isChanged(rule, toMatrixParty(party));
  });
  return shares.length === 0 ? [] : [{ ...content, shares }];
}

/**
 * Returns the update of a rule if the whole change is replacing one rule by another for the same parties. An update is
 * a single request, so no temporary deny rule is needed (rest-api.md, "Data security, extract datamodels": PUT of
 * extract rules; live rules can't be updated).
 */
export function findInPlaceUpdate(
  { adds, deletes }: MatrixChange,
  { kind }: RuleBinding,
): { readonly ruleId: string; readonly rule: UnknownObject } | undefined {
  const [[added, ...moreAdded], [doomed, ...moreDoomed]] = [adds, deletes];
  if (kind === 'live' || moreAdded.length + moreDoomed.length > 0 || !added || !doomed) {
    return undefined;
  }
  const [next, old] = [readRules([added])[0], readRules([doomed.rule])[0]];
  const said = (rule: ReadRule | undefined) =>
    JSON.stringify([
      rule?.table,
      rule?.column,
      (rule?.parties ?? []).map((party) => toMatrixParty(party).key).sort(),
    ]);
  if (
    old?.ruleId === undefined ||
    next === undefined ||
    next.grant === 'unclear' ||
    said(old) !== said(next)
  ) {
    return undefined;
  }
  const shares = old.parties.map((party) => createShareFields(party, kind));
  return { ruleId: old.ruleId, rule: { ...doomed.rule, ...createContentFields(next.grant, kind), shares } };
}
