import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChangeRow, computeChangeRows } from '../../../src/security/change/changeRows.ts';
import { computeRuleDifference } from '../../../src/security/change/ruleDifference.ts';
import { parseRuleTable } from '../../../src/security/ruleTable/parseRuleTable.ts';
import { writeRuleTable } from '../../../src/security/ruleTable/writeRuleTable.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { allBut, everything, nothing, only, rule } from './rules.ts';
import { ruleSets } from './ruleSets.ts';

const said = (rows: readonly ChangeRow[]): readonly string[] =>
  rows.map(({ kind, table, column, party, before, after }) => {
    const grants = (list: ChangeRow['before']): string =>
      list
        .map((grant) => (grant === 'unclear' ? '?' : `${grant.kind} ${[...grant.values].join('|')}`))
        .join('+');
    return `${kind} ${table}.${column} ${party.type}:${party.id ?? ''} ${grants(before)} → ${grants(after)}`;
  });

const doomed = (...rules: readonly Readonly<Record<string, unknown>>[]) =>
  rules.map((each, index) => ({ rule: each, index }));

describe('a change by column and party', () => {
  it('lists what is added, removed and changed', () => {
    const rows = computeChangeRows({
      deletes: doomed(rule(only('North'), 'user:anna', 'group:red'), rule(nothing, 'default')),
      adds: [rule(only('South'), 'user:anna'), rule(everything, 'group:blue')],
    });
    expect(said(rows)).toEqual([
      'change Stores.Region user:anna only North → only South',
      'delete Stores.Region group:red only North → ',
      'delete Stores.Region default: only  → ',
      'add Stores.Region group:blue  → except ',
    ]);
  });

  it('omits parts of a regrouped rule that stay the same', () => {
    const rows = computeChangeRows({
      deletes: doomed(rule(only('North', 'South'), 'user:anna', 'user:ben')),
      adds: [rule(only('South', 'North'), 'user:anna'), rule(allBut('West'), 'user:ben')],
    });
    expect(said(rows)).toEqual(['change Stores.Region user:ben only North|South → except West']);
  });

  it('property: there are no rows exactly if all parties keep what they had', () => {
    const sets = ruleSets('Stores.Region', 'Stores.Segment');
    fc.assert(
      fc.property(sets, sets, (current, wanted) => {
        const difference = computeRuleDifference({
          tableRules: parseRuleTable(writeRuleTable(wanted)).rules,
          current: current.map((each, index) => ({ ...each, _id: `${index}` })),
          binding: { kind: 'extract', server: 'LocalHost', elasticube: 'Cube' },
          scope: 'all',
          findPartyId: ({ name }) => name,
        });
        const rows = computeChangeRows(difference);
        expect(rows.every(({ before, after }) => before.length + after.length > 0)).toBe(true);
        const hasParties = [...difference.adds, ...difference.deletes.map(({ rule: gone }) => gone)].some(
          ({ shares }) => Array.isArray(shares) && shares.length > 0,
        );
        expect(rows.length === 0 || hasParties).toBe(true);
      }),
      { numRuns: getPropertyRuns(100) },
    );
  });
});
