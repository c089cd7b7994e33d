import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { toParsedRules, fulfills } from '../../../src/changes/rules/parsedRule.ts';

function saysSame(one: JsonObject, other: JsonObject): boolean {
  const rule = { table: 'T', column: 'C', members: ['a'], allMembers: null, shares: [{ type: 'default' }] };
  const [held, wanted] = toParsedRules([one, other].map((more) => ({ ...rule, ...more })));
  return held !== undefined && wanted !== undefined && fulfills(held, wanted);
}

test('a rule whose flag is not a boolean equals no other', () => {
  expect(saysSame({ exclusionary: 'true' }, { exclusionary: 'true' })).toBe(true);
  expect(saysSame({ exclusionary: 'true' }, { exclusionary: 'false' })).toBe(false);
  expect(saysSame({ exclusionary: 'true' }, { exclusionary: true })).toBe(false);
  expect(saysSame({ members: [], exclusionary: false }, { members: [] })).toBe(true);
});
