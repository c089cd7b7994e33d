import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { formatRuleTitle } from '../../../../src/changes/messages/formatRuleTitle.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import {
  type RuleInput,
  createBulkRuleOperation,
  createColumnRulesDeletionOperation,
  createRuleCopyOperation,
  createRuleCreationOperation,
  createRuleDeletionOperation,
  createRuleDuplicationOperation,
} from '../../../../src/changes/operations/ruleActions.ts';
import { createRuleUpdateWrite } from '../../../../src/changes/rules/ruleWrites.ts';

const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const marketing = { ...retail, elasticube: 'Marketing' } as const;
const cubeSet: RuleSubject = { kind: 'extract', server: 'set', elasticube: 'Regional Sales' };
const location = { connectionId: 'c', within: ['Retail 2.0', 'Data Security'] };
const ruleLocation = { connectionId: 'c', within: ['Retail', 'Data Security', 'Leads.Region'] };
const input: RuleInput = {
  table: 'Leads',
  column: 'Region',
  datatype: 'text',
  parties: [{ type: 'default' }],
  grant: { kind: 'nothing' },
};
const rule = {
  table: 'Leads',
  column: 'Region',
  datatype: 'text',
  members: [],
  shares: [{ type: 'default' }],
};

const save = (name: string, within: readonly string[]): Operation => ({
  connectionId: 'c',
  cause: 'save',
  subject: { name, within },
  writes: [createRuleUpdateWrite(retail, { ...rule, _id: 'r1' })],
});

test.each<readonly [operation: Operation, imperative: string, past: string]>([
  [
    createRuleCreationOperation(location, retail, input),
    'Create a rule on Leads.Region',
    'Created a rule on Leads.Region',
  ],
  [
    createRuleCreationOperation(location, retail, input, input),
    'Create rules on Leads.Region',
    'Created rules on Leads.Region',
  ],
  [
    createRuleDuplicationOperation(location, retail, rule, [{ type: 'default' }]),
    'Duplicate a rule on Leads.Region',
    'Duplicated a rule on Leads.Region',
  ],
  [
    createRuleCopyOperation(location, [retail, marketing], [rule], 'Leads.Region'),
    'Duplicate rules on Leads.Region',
    'Duplicated rules on Leads.Region',
  ],
  [
    createRuleCopyOperation(ruleLocation, [retail, marketing], [rule], 'Support'),
    'Duplicate the rule for Support on Leads.Region',
    'Duplicated the rule for Support on Leads.Region',
  ],
  [
    createRuleDeletionOperation(ruleLocation, retail, 'r1', 'Support'),
    'Delete the rule for Support on Leads.Region',
    'Deleted the rule for Support on Leads.Region',
  ],
  [
    createRuleDeletionOperation(
      { connectionId: 'c', within: ['Regional Sales', 'Leads.Region'] },
      cubeSet,
      'r1',
      'Support',
    ),
    'Delete the rule for Support on Leads.Region',
    'Deleted the rule for Support on Leads.Region',
  ],
  [
    createColumnRulesDeletionOperation(location, retail, 'Leads', 'Region'),
    'Delete the rules on Leads.Region',
    'Deleted the rules on Leads.Region',
  ],
  [
    save('Support', ruleLocation.within),
    'Change the rule for Support on Leads.Region',
    'Changed the rule for Support on Leads.Region',
  ],
  [
    save('Leads.Region', location.within),
    'Change the rules on Leads.Region',
    'Changed the rules on Leads.Region',
  ],
])(
  'the titles of an operation say whether it changes one rule or several: %#',
  (operation, imperative, past) => {
    expect(formatRuleTitle(english, operation, 'imperative')).toBe(imperative);
    expect(formatRuleTitle(english, operation, 'past')).toBe(past);
  },
);

describe('an operation has no title about rules', () => {
  const rules = createColumnRulesDeletionOperation(location, retail, 'Leads', 'Region');
  const tableWrites = rules.writes.map((write) => ({ ...write, endpoint: 'tables.delete' as const }));

  test.each<readonly [name: string, operation: Operation]>([
    ['if it changes nothing', { ...rules, writes: [] }],
    ['if it changes anything but rules', { ...rules, writes: [...rules.writes, ...tableWrites] }],
    [
      'if it is about the datamodel',
      createBulkRuleOperation(location, retail, { adds: [rule], deletes: [] }),
    ],
  ])('%s', (_name, operation) => {
    expect(formatRuleTitle(english, operation, 'imperative')).toBeUndefined();
  });
});
