import { expect, test } from 'vitest';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { addRuleDatamodels } from '../../../../src/changes/rules/ruleDatamodels.ts';

const extract = (elasticube: string, server = 'LocalHost'): RuleSubject => ({
  kind: 'extract',
  server,
  elasticube,
});
const live: RuleSubject = { kind: 'live', title: 'B' };

/** Returns the datamodels that the rules of a subject may apply to. */
const link = (subject: RuleSubject, subjects: Readonly<Record<string, RuleSubject | undefined>>) =>
  addRuleDatamodels(
    [{ ref: { kind: 'rules', subject } as const, datamodels: undefined }],
    new Map(Object.entries(subjects)),
  )[0]?.datamodels;

test('rules belong to the datamodel with their title and type, however its server is spelled', () => {
  const models = { a: extract('A'), b: live };
  expect(link(extract('A'), models)).toEqual(['a']);
  expect(link(extract('A', 'localhost'), models)).toEqual(['a']);
  expect(link(live, models)).toEqual(['b']);
  expect(link(extract('B'), models)).toEqual([]);
  expect(link(extract('a'), models)).toEqual([]);
});

test('rules of a cube set may belong to each extract datamodel', () => {
  const models = { a: extract('A'), b: live, c: extract('C') };
  expect(link(extract('A', 'set'), models)).toEqual(['a', 'c']);
  expect(link(extract('A', 'Set'), models)).toEqual(['a', 'c']);
});

test('if a datamodel cannot be identified, rules of no other datamodel might belong to it', () => {
  const models = { a: extract('A'), b: undefined };
  expect(link(extract('A'), models)).toEqual(['a']);
  expect(link(extract('C'), models)).toBeUndefined();
  expect(link(extract('A', 'set'), models)).toEqual(['a', 'b']);
});

test('the datamodels of recorded rules are kept', () => {
  const document = { ref: { kind: 'rules', subject: extract('A') } as const, datamodels: ['recorded'] };
  expect(addRuleDatamodels([document], new Map([['a', extract('A')]]))).toEqual([document]);
});
