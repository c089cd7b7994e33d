import { expect, test } from 'vitest';
import { extractRuleSchema } from '../../../../src/contract/rule.ts';
import { collectPartyNames, createRulePlanSubject } from '../../../../src/changes/model/planSubjects.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const columnFields = { table: 'Regions', column: 'Region', datatype: 'text' };

test('a plan shows what a rule grants and to whom, using the party names found in other rules', () => {
  const rule = extractRuleSchema.parse({
    ...columnFields,
    members: ['North'],
    allMembers: null,
    exclusionary: false,
    shares: [{ type: 'group', party: 'g1' }, { type: 'user', party: 'u1' }, { type: 'default' }],
  });
  const otherRules = [{ ...columnFields, shares: [{ type: 'group', partyId: 'g1', partyName: 'Sales' }] }];
  expect(createRulePlanSubject(rule, subject, collectPartyNames(otherRules)).rule).toEqual({
    grant: { kind: 'only', values: new Set(['North']) },
    parties: [
      { type: 'group', name: 'Sales' },
      { type: 'user', name: 'u1' },
      { type: 'default', name: '' },
    ],
  });
});

test('a rule with an unclear meaning is marked as unclear', () => {
  const rule = extractRuleSchema.parse({ ...columnFields, members: [], allMembers: null, shares: [] });
  expect(createRulePlanSubject(rule, subject).rule).toEqual({ grant: 'unclear', parties: [] });
});
