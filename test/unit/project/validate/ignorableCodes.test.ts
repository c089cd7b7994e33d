import { expect, test } from 'vitest';
import { type FindingCode, isIgnorableCode } from '../../../../src/project/validate/finding.ts';

test.each<[FindingCode, boolean]>([
  ['sql/unknown-column', true],
  ['viewpoint/unknown-datamodel', true],
  ['rules/unknown-column', true],
  ['rules/datatype-mismatch', true],
  // How an instance interprets such a rule is unknown, so the rule could show more data than its file says.
  ['rules/flag-not-boolean', false],
  ['rules/members-required', false],
  ['rules/ambiguous-empty', false],
  ['rules/party-required', false],
  ['rules/member-not-string', false],
  ['reference/unknown-column', false],
  ['viewpoint/publication-conflict', false],
  ['project/schema', false],
  ['project/merge-conflict', false],
])('whether an error %s may be ignored: %s', (code, isIgnorable) => {
  expect(isIgnorableCode(code)).toBe(isIgnorable);
});
