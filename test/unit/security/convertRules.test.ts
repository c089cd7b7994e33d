import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertRules, type RuleBinding } from '../../../src/security/convert/convertRules.ts';
import { effectiveAccess, lintRules } from '../../../src/security/index.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { allBut, everything, liveRule, nothing, only, rule } from './rules.ts';
import { parties, ruleSets, values } from './ruleSets.ts';

const live: RuleBinding = { kind: 'live', title: 'Support' };
const extract: RuleBinding = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' };

describe('rules for another datamodel', () => {
  it('get the fields of a live rule (rest-api.md, "Data security rule")', () => {
    const stored = { ...rule({ id: 'r1', ...only('A') }, 'user:anna'), created: 'x', lastModified: 'y' };
    expect(convertRules([stored], live)).toEqual({
      rules: [
        {
          fullname: 'live:Support',
          live: true,
          table: 'Stores',
          column: 'Region',
          datatype: 'text',
          members: ['A'],
          allMembers: null,
          shares: [{ partyId: 'anna', type: 'user' }],
        },
      ],
      refused: [],
      rewritten: [],
    });
  });

  it('get the fields of an extract rule, of a cube set too', () => {
    const stored = [
      liveRule({ id: 'r1', ...everything }, 'group:red', 'default'),
      liveRule(nothing, 'user:anna'),
    ];
    expect(convertRules(stored, { kind: 'extract', server: 'set', elasticube: 'All' }).rules).toEqual([
      {
        server: 'set',
        elasticube: 'All',
        table: 'Stores',
        column: 'Region',
        datatype: 'text',
        members: [],
        allMembers: true,
        exclusionary: false,
        shares: [{ party: 'red', type: 'group' }, { type: 'default' }],
      },
      expect.objectContaining({ members: [], allMembers: false, shares: [{ party: 'anna', type: 'user' }] }),
    ]);
  });

  it('are rejected if they cannot be converted, with the reason', () => {
    const rules = [
      rule(allBut('A'), 'user:anna'),
      rule({ members: [] }, 'user:anna'),
      { ...rule(only('A'), 'user:anna'), table: 5 },
      rule(only('A'), 'user:'),
      rule(only('A')),
      null,
    ];
    expect(convertRules(rules, live)).toEqual({
      rules: [],
      refused: ['exclusionary-live', 'unclear', 'no-column', 'no-party', 'no-party', 'no-column'].map(
        (reason, index) => ({ index, reason }),
      ),
      rewritten: [],
    });
    expect(convertRules(rules.slice(0, 1), extract).rules).toHaveLength(1);
    expect(convertRules(rules.slice(0, 1), live, { canHideValues: true }).rules).toMatchObject([
      { live: true, exclusionary: true, members: ['A'] },
    ]);
  });

  it('list the other values instead of hiding some, if they are known', () => {
    const rules = [rule(allBut('A', 'Z'), 'user:anna'), rule(allBut('A', 'B'), 'user:ben')];
    const result = convertRules(rules, live, { getValues: () => ['A', 'B'] });
    expect(result.rules.map(({ members, allMembers }) => [members, allMembers])).toEqual([
      [['B'], null],
      [[], false],
    ]);
    expect(result.rewritten).toEqual([
      { index: 0, hidden: ['A', 'Z'], listed: ['B'] },
      { index: 1, hidden: ['A', 'B'], listed: [] },
    ]);
    expect(result.refused).toEqual([]);
  });

  it("keep everyone's access when they are converted to another kind and back", () => {
    const getAccess = (rules: readonly unknown[]) =>
      parties.flatMap((party) =>
        effectiveAccess(rules, party).map(({ because: _because, ...access }) => ({
          ...access,
          values: access.values.filter((value) => value !== 'elsewhere').toSorted((a, b) => (a < b ? -1 : 1)),
        })),
      );
    fc.assert(
      fc.property(ruleSets('Fact.Region', 'Fact.Segment'), (ruleSet) => {
        const readable = ruleSet.filter(({ shares }) => (shares ?? []).length > 0);
        const converted = convertRules(readable, live, { getValues: () => values });
        expect(converted.refused).toEqual([]);
        expect(lintRules(converted.rules).filter(({ severity }) => severity === 'error')).toEqual([]);
        const withoutExclusions = readable.filter(
          ({ exclusionary, allMembers }) => exclusionary !== true || allMembers === true,
        );
        const convertedBack = convertRules(convertRules(withoutExclusions, live).rules, extract);
        expect(getAccess(convertedBack.rules)).toEqual(getAccess(withoutExclusions));
        // A rule that hides values becomes one that lists the remaining known values.
        const rewritten = getAccess(converted.rules).map(({ verdict }) => verdict);
        expect(rewritten).not.toContain('except');
      }),
      { numRuns: getPropertyRuns(100) },
    );
  });
});
