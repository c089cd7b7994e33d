import { expect, test } from 'vitest';
import type { PlannedRule, PlanSubject } from '../../../../src/changes/model/plan.ts';
import { pairReplacedRules } from '../../../../src/features/plan/pairReplacedRules.ts';
import type { Grant } from '../../../../src/security/readRule.ts';

const only = (...values: readonly string[]): Grant => ({ kind: 'only', values: new Set(values) });
const toParties = (names: readonly string[]): PlannedRule['parties'] =>
  names.map((name) => ({ type: 'group', name }));
const rule = (name: string, grant: Grant, ...parties: readonly string[]): PlanSubject => ({
  kind: 'rule',
  name,
  within: ['Retail'],
  rule: { grant, parties: toParties(parties) },
});

test('deleted and created rules on one column become a change for each party', () => {
  const unpaired = rule('Orders.Status', only('Open'), 'Sales');
  const table: PlanSubject = { kind: 'table', name: 'Orders.Channel', within: ['Retail'] };
  const { changes, deleted, created } = pairReplacedRules({
    deleted: [rule('Orders.Channel', only('Web'), 'Sales', 'Support', 'Marketing'), unpaired, table],
    created: [
      rule('Orders.Channel', only('Web', 'Shop'), 'Sales'),
      rule('Orders.Channel', only('Web'), 'Support'),
      rule('Orders.Channel', only(), 'Finance'),
    ],
  });
  expect(changes.map(({ party, before, after }) => [party.name, before, after])).toEqual([
    ['Sales', [only('Web')], [only('Web', 'Shop')]],
    ['Marketing', [only('Web')], []],
    ['Finance', [], [only()]],
  ]);
  expect(changes[0]?.column).toEqual({ kind: 'rule', name: 'Orders.Channel', within: ['Retail'] });
  expect([deleted, created]).toEqual([[unpaired, table], []]);
});

test('rules on columns of the same name in different datamodels or cube sets are not paired', () => {
  const deleted = [rule('Orders.Channel', only('Web'), 'Sales')];
  const created = deleted.map((subject) => ({ ...subject, within: ['Regional Sales'] }));
  expect(pairReplacedRules({ deleted, created })).toEqual({ changes: [], deleted, created });
});

test('rules that grant the same with other groupings of parties are not paired', () => {
  const deleted = [rule('Orders.Channel', only('Web'), 'Sales', 'Support')];
  const created = ['Sales', 'Support'].map((name) => rule('Orders.Channel', only('Web'), name));
  expect(pairReplacedRules({ deleted, created })).toEqual({ changes: [], deleted, created });
});
