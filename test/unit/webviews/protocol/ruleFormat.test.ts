import { expect, test } from 'vitest';
import {
  formatGrant,
  formatParty,
  formatRuleChange,
  summarizeGrant,
} from '../../../../src/webviews/protocol/ruleFormat.ts';
import { createLocalize } from '../../../../src/webviews/shared/localize.ts';

const t = createLocalize(undefined);

const formatGrantValues = (kind: 'only' | 'except', ...values: readonly string[]): string =>
  formatGrant(summarizeGrant({ kind, values: new Set(values) }), t);

test('a grant is described in a few words, a long list by its first values', () => {
  expect(formatGrantValues('only', 'North', 'South')).toBe('only "North", "South"');
  expect(formatGrantValues('except', 'North')).toBe('all but "North"');
  expect([formatGrantValues('only'), formatGrantValues('except')]).toEqual(['no values', 'all values']);
  expect(formatGrant(summarizeGrant('unclear'), t)).toBe('uncertain');
  // One value with a comma and quotes is not two values.
  expect(formatGrantValues('only', 'a", "b')).toBe('only "a"", ""b"');
  // A line break is not a blank, and not a backslash and an n.
  expect(formatGrantValues('only', 'x\ny', 'x y', 'x\\ny')).toBe('only "\\.x\\ny", "x y", "x\\ny"');
  expect(formatGrantValues('only', 'b10', 'b9', 'a')).toBe('only "a", "b9", "b10"');
  const many = Array.from({ length: 1000 }, (_value, index) => `v${index}`);
  expect(formatGrantValues('only', ...many)).toMatch(/^only "v0", .*, "v11", and 988 more$/);
});

test('parties are described by type and name', () => {
  expect(
    (['user', 'group', 'default'] as const).map((type) => formatParty({ type, name: '[a](b)' }, t)),
  ).toEqual(['user [a](b)', 'group [a](b)', 'everyone else']);
});

test('in long lists, a change shows the differences first', () => {
  const regions = Array.from({ length: 20 }, (_value, index) => `v${index}`);
  const names = Array.from({ length: 12 }, (_value, index) => `n${index}`);
  const createRule = (values: readonly string[], users: readonly string[]) => ({
    grant: { kind: 'only', values: new Set(values) } as const,
    parties: users.map((name) => ({ type: 'user', name }) as const),
  });
  const changedValues = formatRuleChange(
    createRule(regions, ['anna']),
    createRule(regions.with(15, 'new'), ['anna']),
    t,
  );
  expect(changedValues).toMatch(/^user anna: only "v15", "v0", .* 8 more → only "new", "v0", .* 8 more$/);
  const changedParties = formatRuleChange(
    createRule(['North'], names),
    createRule(['North'], names.with(10, 'bert')),
    t,
  );
  expect(changedParties).toMatch(
    /^user n10, user n0, .*: only "North" → user bert, user n0, .*: only "North"$/,
  );
  expect(formatRuleChange(createRule(['b', 'a'], ['anna']), createRule(['b', 'c'], ['anna']), t)).toBe(
    'user anna: only "a", "b" → only "b", "c"',
  );
});
