import { expect, test } from 'vitest';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { parseRuleDocuments } from '../../../../src/changes/rules/parsedRuleDocument.ts';
import { checkRequiredRules } from '../../../../src/changes/run/requiredRuleCheck.ts';
import { MissingRulesError } from '../../../../src/changes/run/writeErrors.ts';
import { expectInstance } from '../../../support/expectations.ts';
import { getFailure } from './support.ts';

const createSubject = (elasticube: string): RuleSubject => ({
  kind: 'extract',
  server: 'LocalHost',
  elasticube,
});

const createRequired = (title: string, table: string, column: string, isExposed: boolean) =>
  parseRuleDocuments([
    { table, column, datatype: 'text', members: [], allMembers: false, shares: [{ type: 'default' }] },
  ]).map((parsed) => ({ subject: createSubject(title), parsed, isExposed }));

test('the rules that are missing in any of the datamodels are named, and the columns that are exposed without them', async () => {
  const required = [
    ...createRequired('Retail', 'Orders', 'Status', false),
    ...createRequired('Retail', 'Staff', 'Role', true),
    ...createRequired('Marketing', 'Staff', 'Role', true),
  ];
  const reader = { readDocument: () => Promise.resolve([]) };
  const error = expectInstance(await getFailure(checkRequiredRules(required, reader)), MissingRulesError);
  expect(error.columns).toEqual([
    'Retail › Orders › Status',
    'Retail › Staff › Role',
    'Marketing › Staff › Role',
  ]);
  expect(error.exposedColumns).toEqual(['Retail › Staff › Role', 'Marketing › Staff › Role']);
  expect(error.ref).toMatchObject({ subject: createSubject('Retail'), table: 'Orders' });
  expect(error.otherRefs).toMatchObject([
    { subject: createSubject('Retail'), table: 'Staff' },
    { subject: createSubject('Marketing'), table: 'Staff' },
  ]);
});
