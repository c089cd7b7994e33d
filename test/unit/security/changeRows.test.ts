import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../src/contract/rule.ts';
import { type ChangeRow, computeChangeRows } from '../../../src/security/change/changeRows.ts';
import { computeRuleDifference } from '../../../src/security/change/ruleDifference.ts';
import { parseRuleTable } from '../../../src/security/ruleTable/parseRuleTable.ts';
import { formatRuleTable } from '../../../src/security/ruleTable/formatRuleTable.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { allBut, everything, nothing, only, rule } from './rules.ts';
import { ruleSets } from './ruleSets.ts';

const formatRows = (rows: readonly ChangeRow[]): readonly string[] =>
  rows.map(({ kind, table, column, party, before, after }) => {
    const formatGrants = (list: ChangeRow['before']): string =>
      list
        .map((grant) => (grant === 'unclear' ? '?' : `${grant.kind} ${[...grant.values].join('|')}`))
        .join('+');
    return `${kind} ${table}.${column} ${party.type}:${party.id ?? ''} ${formatGrants(before)} → ${formatGrants(after)}`;
  });

const toDeletions = (...rules: readonly Readonly<Record<string, unknown>>[]) =>
  rules.map((each, index) => ({ rule: each, index }));

/** Returns what rules grant by column and party, computed without the code under test (platform-facts.md, 3.2). */
function listGrants(rules: readonly Rule[]): ReadonlyMap<string, readonly string[]> {
  const grants = new Map<string, readonly string[]>();
  for (const { column, members, allMembers, exclusionary, shares } of rules) {
    const list = (members ?? []).map(String).toSorted();
    const grant =
      allMembers === true
        ? 'everything'
        : list.length === 0
          ? 'nothing'
          : JSON.stringify([exclusionary === true, list]);
    for (const share of shares ?? []) {
      const key = `${column} ${share.type}:${share.party ?? share.partyId ?? ''}`;
      grants.set(key, [...new Set([...(grants.get(key) ?? []), grant])].toSorted());
    }
  }
  return grants;
}

describe('a change by column and party', () => {
  it('lists what is added, removed and changed', () => {
    const rows = computeChangeRows({
      deletes: toDeletions(rule(only('North'), 'user:anna', 'group:red'), rule(nothing, 'default')),
      adds: [rule(only('South'), 'user:anna'), rule(everything, 'group:blue')],
    });
    expect(formatRows(rows)).toEqual([
      'change Stores.Region user:anna only North → only South',
      'delete Stores.Region group:red only North → ',
      'delete Stores.Region default: only  → ',
      'add Stores.Region group:blue  → except ',
    ]);
  });

  it('omits parts of a regrouped rule that stay the same', () => {
    const rows = computeChangeRows({
      deletes: toDeletions(rule(only('North', 'South'), 'user:anna', 'user:ben')),
      adds: [rule(only('South', 'North'), 'user:anna'), rule(allBut('West'), 'user:ben')],
    });
    expect(formatRows(rows)).toEqual(['change Stores.Region user:ben only North|South → except West']);
  });

  it('property: there is one row for each party and column whose access changes', () => {
    const sets = ruleSets('Stores.Region', 'Stores.Segment');
    const pairs = fc.oneof(
      fc.tuple(sets, sets),
      sets.map((set): [Rule[], Rule[]] => [set, set.toReversed()]),
    );
    const counts = { rows: 0, unchanged: 0 };
    fc.assert(
      fc.property(pairs, ([current, target]) => {
        const difference = computeRuleDifference({
          tableRules: parseRuleTable(formatRuleTable(target)).rules,
          existingRules: current.map((each, index) => ({ ...each, _id: `${index}` })),
          binding: { kind: 'extract', server: 'LocalHost', elasticube: 'Cube' },
          mode: 'all',
          findPartyId: ({ idOrName }) => idOrName,
        });
        const rows = computeChangeRows(difference);
        const [before, after] = [listGrants(current), listGrants(target)];
        const allKeys = [...new Set([...before.keys(), ...after.keys()])];
        const changed = allKeys.filter((key) => before.get(key)?.join() !== after.get(key)?.join());
        counts.rows += changed.length;
        counts.unchanged += allKeys.length - changed.length;
        expect(
          rows.map(({ column, party }) => `${column} ${party.type}:${party.id ?? ''}`).toSorted(),
        ).toEqual(changed.toSorted());
        expect(rows.filter((row) => row.before.length + row.after.length === 0)).toEqual([]);
      }),
      { numRuns: getPropertyRuns(100) },
    );
    expect(Math.min(counts.rows, counts.unchanged), JSON.stringify(counts)).toBeGreaterThan(100);
  });
});
