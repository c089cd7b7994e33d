import { expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { formatChangedRules } from '../../../../src/changes/messages/formatChangedRules.ts';
import {
  createColumnRulesDeletionOperation,
  createRuleDeletionOperation,
} from '../../../../src/changes/operations/ruleActions.ts';

const retail: RuleSubject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' };
const cubeSet: RuleSubject = { kind: 'extract', server: 'set', elasticube: 'Regional Sales' };

test.each([
  ['a rule of a datamodel', retail, ['Retail', 'Data Security', 'Leads.Region']],
  ['a rule of a cube set', cubeSet, ['Regional Sales', 'Leads.Region']],
])('%s is named after its party and column', (_case, subject, within) => {
  const operation = createRuleDeletionOperation({ connectionId: 'c', within }, subject, 'r1', 'Support');
  expect(formatChangedRules(english, operation)).toBe('Support on Leads.Region');
});

test('the rules of a column are named after it', () => {
  const location = { connectionId: 'c', within: ['Retail 2.0', 'Data Security'] };
  const operation = createColumnRulesDeletionOperation(location, retail, 'Leads', 'Region');
  expect(formatChangedRules(english, operation)).toBe('Leads.Region');
});

test('an operation that changes anything else is not about rules', () => {
  const location = { connectionId: 'c', within: ['Retail'] };
  const rules = createColumnRulesDeletionOperation(location, retail, 'Leads', 'Region');
  expect(formatChangedRules(english, { ...rules, writes: [] })).toBeUndefined();
  const others = rules.writes.map((write) => ({ ...write, endpoint: 'tables.delete' as const }));
  expect(others).toHaveLength(1);
  expect(formatChangedRules(english, { ...rules, writes: [...rules.writes, ...others] })).toBeUndefined();
});
