import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { parseRuleDocuments, fulfills } from '../../../src/changes/rules/parsedRuleDocument.ts';

function haveSameContent(a: JsonObject, b: JsonObject): boolean {
  const rule = { table: 'T', column: 'C', members: ['a'], allMembers: null, shares: [{ type: 'default' }] };
  const [first, second] = parseRuleDocuments([a, b].map((fields) => ({ ...rule, ...fields })));
  return first !== undefined && second !== undefined && fulfills(first, second);
}

test('flags that are not booleans are compared literally', () => {
  expect(haveSameContent({ exclusionary: 'true' }, { exclusionary: 'true' })).toBe(true);
  expect(haveSameContent({ exclusionary: 'true' }, { exclusionary: 'false' })).toBe(false);
  expect(haveSameContent({ exclusionary: 'true' }, { exclusionary: true })).toBe(false);
  expect(haveSameContent({ members: [], exclusionary: false }, { members: [] })).toBe(true);
});
