import { expect, test } from 'vitest';
import { applyEdits } from '../../../../src/base/textEdit.ts';
import { UserDirectory } from '../../../../src/catalog/people/userDirectory.ts';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import { createNameFixes } from '../../../../src/project/files/misspelledName.ts';
import { findMisspelledParty } from '../../../../src/project/language/misspelledParty.ts';

const users = [{ id: 'u1', name: 'Anna Berg', aliases: ['anna@example.com'] }];
const groups = [
  { id: 'g1', name: 'Sales' },
  { id: 'g2', name: 'Sales North' },
];
const directory = new UserDirectory({
  users: { items: users, isComplete: true },
  groups: { items: groups, isComplete: true },
});

/** The text with the first fix at the position marked by `|`, which is never preferred. */
function fix(marked: string, people = directory): string | undefined {
  const text = marked.replace('|', '');
  const document = parseJsonTree(text);
  const misspelled = findMisspelledParty(document, marked.indexOf('|'), people);
  const [first] = misspelled === undefined ? [] : createNameFixes(document, misspelled);
  expect(first?.isPreferred ?? false).toBe(false);
  return first && applyEdits(text, [first.edit]);
}

test.each([
  [
    '[{"shares": [{"type": "group", "party": "Sla|es"}]}]',
    '[{"shares": [{"type": "group", "party": "Sales"}]}]',
  ],
  [
    '[{"shares": [{"party": "|anna@exmaple.com", "type": "user"},]},]',
    '[{"shares": [{"party": "anna@example.com", "type": "user"},]},]',
  ],
  [
    '{"visibility": {"groups": ["Sales", "Sales Nroth|"]}}',
    '{"visibility": {"groups": ["Sales", "Sales North"]}}',
  ],
  ['{"visibility": {"users": ["Ana| Berg"]}}', '{"visibility": {"users": ["Anna Berg"]}}'],
])('%s has a fix', (marked, fixed) => {
  expect(fix(marked)).toBe(fixed);
});

test.each([
  '[{"shares": [{"type": "group", "party": "Sa|les"}]}]',
  '[{"shares": [{"type": "default", "party": "Sla|es"}]}]',
  '[{"shares": [{"type": "user", "party": "Sla|es"}]}]',
  '[{"shares": [{"type": "group", "party": {"bound": |1}}]}]',
  '[{"shares": [{"type": "group", "name": "Sla|es"}]}]',
  '{"visibility": {"apps": ["Sla|es"]}}',
  '{"details": {"groups": ["Sla|es"]}}',
  '["Sla|es"]',
  '|',
])('%s has no fix', (marked) => {
  expect(fix(marked)).toBeUndefined();
});

test('no name counts as misspelled unless the instance lists all users or groups', () => {
  const marked = '{"visibility": {"groups": ["Sla|es"]}}';
  expect(fix(marked, new UserDirectory({ groups: { items: groups, isComplete: false } }))).toBeUndefined();
  expect(fix(marked, new UserDirectory({}))).toBeUndefined();
});
