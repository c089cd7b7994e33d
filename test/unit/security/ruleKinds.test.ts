import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { readRuleFields } from '../../../src/security/form/readRuleFields.ts';

test.each<[JsonObject, string]>([
  [{ allMembers: true }, 'everything'],
  [{ allMembers: true, members: ['A'], exclusionary: true }, 'everything'],
  [{ allMembers: false }, 'nothing'],
  [{ allMembers: false, members: [] }, 'nothing'],
  [{ allMembers: false, members: ['A'] }, 'only'],
  [{ allMembers: false, members: ['A'], exclusionary: true }, 'except'],
  [{ allMembers: null, members: ['A'] }, 'only'],
  [{ allMembers: null, members: [] }, 'only'],
  [{ members: [], exclusionary: true }, 'except'],
  [{}, 'only'],
])('the form shows a rule with %j as "%s"', (rule, kind) => {
  expect(readRuleFields(rule).ruleKind).toBe(kind);
});
