import { describe, expect, test } from 'vitest';
import { HttpError } from '../../../../src/client/errors.ts';
import { english } from '../../../../src/base/localize.ts';
import { RulesDifferError } from '../../../../src/changes/rules/ruleItems.ts';
import { RuleChangeRefusedError, type RuleChangeRefusal } from '../../../../src/changes/rules/ruleTarget.ts';
import { formatRuleProblem } from '../../../../src/changes/words/refusedRuleChange.ts';
import { BatchInDoubtError, RulesRefusedError } from '../../../../src/changes/run/problems.ts';

const rule = { table: 'Stores', column: 'Region', members: ['North'], shares: [{ type: 'default' }] };
const textOf = (error: unknown) => formatRuleProblem(english, error, () => 'the server rejected it');

describe('what keeps a change of rules from its end', () => {
  test.each([
    ['same-parties', 'Combine them into one rule.'],
    ['needs-default', 'Add a rule for Everyone else on this column first.'],
    ['party-twice', 'Combine them into one rule.'],
    ['no-identifier', 'Delete it on the platform first.'],
  ] as const satisfies readonly (readonly [RuleChangeRefusal, string])[])(
    'a refused change says what was written, where, and what would make it possible: %s',
    (code, help) => {
      const before = textOf(new RuleChangeRefusedError(code, rule)) ?? '';
      expect(before).toMatch(/^Nothing was written\. .*Stores\.Region/);
      expect(before.endsWith(help)).toBe(true);
      const later = textOf(new RuleChangeRefusedError(code, rule, true));
      expect(later).toBe(before.replace('Nothing was written. ', ''));
    },
  );

  test('rules that are not the intended ones, and those of which nobody knows, are told in words', () => {
    expect(textOf(new RulesDifferError())).toContain('Review the rules');
    expect(textOf(new BatchInDoubtError('raw'))).not.toContain('raw');
  });

  test('a refused rule says where it is and why', () => {
    const operation = { endpoint: 'extractRules.create', method: 'POST', path: '/rules' } as const;
    const error = new HttpError(operation, { status: 400 });
    expect(textOf(new RulesRefusedError([{ index: 0, error, rule }]))).toBe(
      'One rule was refused, on Stores.Region: the server rejected it',
    );
  });

  test('anything else has words of its own', () => {
    expect(textOf(new Error('x'))).toBeUndefined();
  });
});
