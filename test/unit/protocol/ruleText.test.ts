import { expect, test } from 'vitest';
import { grantText, partyText, shownGrant } from '../../../src/protocol/ruleText.ts';
import { readWords } from '../../../src/webviews/shared/words.ts';

const t = readWords(undefined);

const said = (kind: 'only' | 'except', ...values: readonly string[]): string =>
  grantText(shownGrant({ kind, values: new Set(values) }), t);

test('a grant is said in a few words, a long list by its first values', () => {
  expect(said('only', 'North', 'South')).toBe('only North, South');
  expect(said('except', 'North')).toBe('all but North');
  expect([said('only'), said('except')]).toEqual(['nothing', 'everything']);
  expect(grantText(shownGrant('unclear'), t)).toBe('not certain');
  const many = Array.from({ length: 1000 }, (_value, index) => `v${index}`);
  expect(said('only', ...many)).toMatch(/^only v0, .*, v11, 988 more$/);
});

test('parties are said by kind and name', () => {
  expect(
    (['user', 'group', 'default'] as const).map((type) => partyText({ type, name: '[a](b)' }, t)),
  ).toEqual(['user [a](b)', 'group [a](b)', 'everybody else']);
});
