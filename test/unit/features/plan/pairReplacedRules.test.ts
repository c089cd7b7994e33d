import { expect, test } from 'vitest';
import type { PlannedRule, PlanSubject } from '../../../../src/changes/model/plan.ts';
import { pairReplacedRules } from '../../../../src/features/plan/pairReplacedRules.ts';
import type { Grant } from '../../../../src/security/readRules.ts';

const createGrant = (...values: readonly string[]): Grant => ({ kind: 'only', values: new Set(values) });
const toParties = (names: readonly string[]): PlannedRule['parties'] =>
  names.map((name) => ({ type: 'group', name }));
const createRuleSubject = (name: string, grant: Grant, ...parties: readonly string[]): PlanSubject => ({
  kind: 'rule',
  name,
  within: ['Retail'],
  rule: { grant, parties: toParties(parties) },
});

test('deleted and created rules on one column become a change for each party', () => {
  const unpairedRule = createRuleSubject('Orders.Status', createGrant('Open'), 'Sales');
  const table: PlanSubject = { kind: 'table', name: 'Orders.Channel', within: ['Retail'] };
  const { changes, deleted, created } = pairReplacedRules({
    deleted: [
      createRuleSubject('Orders.Channel', createGrant('Web'), 'Sales', 'Support', 'Marketing'),
      unpairedRule,
      table,
    ],
    created: [
      createRuleSubject('Orders.Channel', createGrant('Web', 'Shop'), 'Sales'),
      createRuleSubject('Orders.Channel', createGrant('Web'), 'Support'),
      createRuleSubject('Orders.Channel', createGrant(), 'Finance'),
    ],
  });
  expect(changes.map(({ party, before, after }) => [party.name, before, after])).toEqual([
    ['Sales', [createGrant('Web')], [createGrant('Web', 'Shop')]],
    ['Marketing', [createGrant('Web')], []],
    ['Finance', [], [createGrant()]],
  ]);
  expect(changes[0]?.column).toEqual({ kind: 'rule', name: 'Orders.Channel', within: ['Retail'] });
  expect([deleted, created]).toEqual([[unpairedRule, table], []]);
});

test('rules that are a part of a change of their column are changes without a counterpart, too', () => {
  const subject = createRuleSubject('Orders.Status', createGrant('Open'), 'Sales');
  const part = { ...subject, isPartOfChange: true } as const;
  const column = { kind: 'rule', name: 'Orders.Status', within: ['Retail'] };
  const party = { type: 'group', name: 'Sales' };
  expect(pairReplacedRules({ deleted: [], created: [part] })).toEqual({
    changes: [{ column, party, before: [], after: [createGrant('Open')] }],
    deleted: [],
    created: [],
  });
  expect(pairReplacedRules({ deleted: [part], created: [] }).changes).toEqual([
    { column, party, before: [createGrant('Open')], after: [] },
  ]);
  expect(pairReplacedRules({ deleted: [], created: [subject] }).created).toEqual([subject]);
});

test('rules on columns of the same name in different datamodels or cube sets are not paired', () => {
  const deleted = [createRuleSubject('Orders.Channel', createGrant('Web'), 'Sales')];
  const created = deleted.map((subject) => ({ ...subject, within: ['Regional Sales'] }));
  expect(pairReplacedRules({ deleted, created })).toEqual({ changes: [], deleted, created });
});

test('rules that grant the same with other groupings of parties are not paired', () => {
  const deleted = [createRuleSubject('Orders.Channel', createGrant('Web'), 'Sales', 'Support')];
  const created = ['Sales', 'Support'].map((name) =>
    createRuleSubject('Orders.Channel', createGrant('Web'), name),
  );
  expect(pairReplacedRules({ deleted, created })).toEqual({ changes: [], deleted, created });
});
