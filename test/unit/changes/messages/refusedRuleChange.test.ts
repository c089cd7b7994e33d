import { describe, expect, test } from 'vitest';
import { HttpError } from '../../../../src/client/errors.ts';
import { english } from '../../../../src/base/localize.ts';
import { RulesDifferError } from '../../../../src/changes/rules/ruleItems.ts';
import { RuleChangeRefusedError, type RuleChangeRefusal } from '../../../../src/changes/rules/ruleTarget.ts';
import { formatRuleProblem } from '../../../../src/changes/messages/refusedRuleChange.ts';
import { BatchInDoubtError, RulesRefusedError } from '../../../../src/changes/run/writeErrors.ts';

const rule = { table: 'Stores', column: 'Region', members: ['North'], shares: [{ type: 'default' }] };
const formatProblem = (error: unknown) => formatRuleProblem(english, error, () => 'the server rejected it');

describe('obstacles to a change of rules', () => {
  test.each([
    ['same-parties', 'Combine them into one rule.'],
    ['needs-default', 'Add a rule for everyone else on this column first.'],
    ['party-twice', 'Combine them into one rule.'],
    ['no-identifier', "Delete it in the platform's web interface first."],
  ] as const satisfies readonly (readonly [RuleChangeRefusal, string])[])(
    'the message says what was written, where, and how the change would become possible: %s',
    (code, advice) => {
      const messageBeforeWrites = formatProblem(new RuleChangeRefusedError(code, rule)) ?? '';
      expect(messageBeforeWrites).toMatch(/^Nothing was written\. .*Stores\.Region/);
      expect(messageBeforeWrites.endsWith(advice)).toBe(true);
      const messageAfterWrites = formatProblem(new RuleChangeRefusedError(code, rule, true));
      expect(messageAfterWrites).toBe(messageBeforeWrites.replace('Nothing was written. ', ''));
    },
  );

  test('unexpected rules and rules in doubt are described in words', () => {
    expect(formatProblem(new RulesDifferError())).toContain('Review the rules');
    expect(formatProblem(new BatchInDoubtError('raw'))).not.toContain('raw');
  });

  test('a rejected rule is reported with its location and the reason', () => {
    const operation = { endpoint: 'extractRules.create', method: 'POST', path: '/rules' } as const;
    const error = new HttpError(operation, { status: 400 });
    expect(formatProblem(new RulesRefusedError([{ index: 0, error, rule }]))).toBe(
      'A rule on Stores.Region was rejected: the server rejected it',
    );
  });

  test('only errors about rules have a text', () => {
    expect(formatProblem(new Error('x'))).toBeUndefined();
  });
});
