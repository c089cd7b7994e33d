import { getTablePartyKey } from '../ruleTable/unresolvedParties.ts';
import { type Grant, type PartyRef, readRules, type ParsedRule } from '../readRules.ts';
import type { RuleDifference } from './ruleDifference.ts';

/** The effect of a change on one party and one column. */
export interface ChangeRow {
  readonly kind: 'add' | 'change' | 'delete';
  readonly table: string;
  readonly column: string;
  readonly party: PartyRef;
  /** The grants of the deleted rules; empty if none of them named the party. */
  readonly before: readonly Grant[];
  /** The grants of the added rules. */
  readonly after: readonly Grant[];
}

interface RowGrants {
  readonly rule: ParsedRule;
  readonly party: PartyRef;
  readonly before: Grant[];
  readonly after: Grant[];
}

/**
 * Groups a change of rules by column and party instead of by rule. A grant that is both deleted and added is not a
 * change.
 * @param options.includesCommonGrants whether the rows of changed parties also list the grants that don't change: if
 *   both sides have all rules of a column, an empty side then means that the party has no rule there
 */
export function computeChangeRows(
  { adds, deletes }: Pick<RuleDifference, 'adds' | 'deletes'>,
  { includesCommonGrants = false }: { readonly includesCommonGrants?: boolean } = {},
): readonly ChangeRow[] {
  const rows = new Map<string, RowGrants>();
  const collect = (rules: readonly unknown[], side: 'before' | 'after'): void => {
    for (const rule of readRules(rules)) {
      for (const party of rule.parties) {
        const key = JSON.stringify([
          rule.table,
          rule.column,
          getTablePartyKey({ type: party.type, idOrName: party.id ?? '' }),
        ]);
        const row = rows.get(key) ?? { rule, party, before: [], after: [] };
        row[side].push(rule.grant);
        rows.set(key, row);
      }
    }
  };
  collect(
    deletes.map(({ rule }) => rule),
    'before',
  );
  collect(adds, 'after');
  return [...rows.values()].flatMap(({ rule: { table, column }, party, ...sides }): readonly ChangeRow[] => {
    const differing = removeCommonGrants(sides);
    if (differing.before.length === 0 && differing.after.length === 0) {
      return [];
    }
    const { before, after } = includesCommonGrants ? sides : differing;
    const kind = before.length === 0 ? 'add' : after.length === 0 ? 'delete' : 'change';
    return [{ kind, table, column, party, before, after }];
  });
}

/** Removes grants that occur on both sides; an occurrence on one side cancels only one on the other. */
function removeCommonGrants({
  before,
  after,
}: Pick<RowGrants, 'before' | 'after'>): Pick<ChangeRow, 'before' | 'after'> {
  const addedGrants = after.map((grant) => ({ grant, key: getGrantKey(grant) }));
  const deletedGrants = before.filter((grant) => {
    const index = addedGrants.findIndex(({ key }) => key === getGrantKey(grant));
    if (index !== -1) {
      addedGrants.splice(index, 1);
    }
    return index === -1;
  });
  return { before: deletedGrants, after: addedGrants.map(({ grant }) => grant) };
}

/** A key that is the same for equal grants. */
export const getGrantKey = (grant: Grant): string =>
  grant === 'unclear' ? grant : JSON.stringify([grant.kind, [...grant.values].sort()]);
