import { getTablePartyKey } from '../ruleTable/unresolvedParties.ts';
import { type Grant, type NamedParty, readRules, type ReadRule } from '../readRule.ts';
import type { RuleDifference } from './ruleDifference.ts';

/** What a change does for one party on one column. */
export interface ChangeRow {
  readonly kind: 'add' | 'change' | 'delete';
  readonly table: string;
  readonly column: string;
  readonly party: NamedParty;
  /** What the rules that go say, each on its own; none where the party had none of them. */
  readonly before: readonly Grant[];
  /** What the rules that come say. */
  readonly after: readonly Grant[];
}

interface RowSides {
  readonly rule: ReadRule;
  readonly party: NamedParty;
  readonly before: Grant[];
  readonly after: Grant[];
}

/**
 * A change of rules as people think of it: by column and party instead of by rule. What a rule that goes said of a
 * party and a rule that comes says again is no change.
 */
export function computeChangeRows({
  adds,
  deletes,
}: Pick<RuleDifference, 'adds' | 'deletes'>): readonly ChangeRow[] {
  const rows = new Map<string, RowSides>();
  const collect = (rules: readonly unknown[], side: 'before' | 'after'): void => {
    for (const rule of readRules(rules)) {
      for (const party of rule.parties) {
        const key = JSON.stringify([
          rule.table,
          rule.column,
          getTablePartyKey({ type: party.type, name: party.id ?? '' }),
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
    const { before, after } = removeCommonGrants(sides);
    if (before.length === 0 && after.length === 0) {
      return [];
    }
    const kind = before.length === 0 ? 'add' : after.length === 0 ? 'delete' : 'change';
    return [{ kind, table, column, party, before, after }];
  });
}

/** Takes away what both sides say, as often as both say it. */
function removeCommonGrants({
  before,
  after,
}: Pick<RowSides, 'before' | 'after'>): Pick<ChangeRow, 'before' | 'after'> {
  const left = after.map((grant) => ({ grant, key: getGrantKey(grant) }));
  const gone = before.filter((grant) => {
    const at = left.findIndex(({ key }) => key === getGrantKey(grant));
    if (at !== -1) {
      left.splice(at, 1);
    }
    return at === -1;
  });
  return { before: gone, after: left.map(({ grant }) => grant) };
}

const getGrantKey = (grant: Grant): string =>
  grant === 'unclear' ? grant : JSON.stringify([grant.kind, [...grant.values].sort()]);
