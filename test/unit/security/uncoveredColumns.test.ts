import { expect, test } from 'vitest';
import { findColumnsWithoutDefault } from '../../../src/security/change/columnsWithoutDefault.ts';
import { computeRuleDifference } from '../../../src/security/change/ruleDifference.ts';
import { parseRuleTable } from '../../../src/security/ruleTable/parseRuleTable.ts';
import { nothing, only, rule } from './rules.ts';

const defaultRule = rule(nothing, 'default');
const annaRule = rule(only('North'), 'user:anna');
const toDeletions = (...rules: readonly Readonly<Record<string, unknown>>[]) =>
  rules.map((each, index) => ({ rule: each, index }));
const column = { table: 'Stores', column: 'Region' };

test('a column that loses the rule for everyone else is reported, whichever rules stay', () => {
  const uncovered = findColumnsWithoutDefault([defaultRule, annaRule], {
    deletes: toDeletions(defaultRule),
    adds: [],
  });
  expect(uncovered).toEqual([{ ...column, everyoneElseSees: 'unclear', losesDefault: true }]);
});

test('a column whose last rule is deleted shows everything', () => {
  const uncovered = findColumnsWithoutDefault([defaultRule, annaRule], {
    deletes: toDeletions(defaultRule, annaRule),
    adds: [],
  });
  expect(uncovered).toEqual([{ ...column, everyoneElseSees: 'everything', losesDefault: true }]);
});

test('a column that is newly secured for some users is reported, too', () => {
  expect(findColumnsWithoutDefault([], { deletes: [], adds: [annaRule] })).toEqual([
    { ...column, everyoneElseSees: 'unclear', losesDefault: false },
  ]);
});

test('a rule table that names only users deletes the rule for everyone else, and its column is reported', () => {
  const current = [defaultRule, annaRule].map((each, index) => ({ ...each, _id: `${index}` }));
  const csv = `table,column,datatype,access,value,party type,party\nStores,Region,text,only,South,user,ben`;
  const difference = computeRuleDifference({
    tableRules: parseRuleTable(csv).rules,
    existingRules: current,
    binding: { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' },
    mode: 'columns',
    findPartyId: ({ idOrName }) => idOrName,
  });
  expect(findColumnsWithoutDefault(current, difference)).toEqual([
    { ...column, everyoneElseSees: 'unclear', losesDefault: true },
  ]);
  const withoutDeletions = { ...difference, deletes: [] };
  expect(findColumnsWithoutDefault(current, withoutDeletions)).toEqual([]);
});

test('a column that keeps or gets a rule for everyone else, or is unchanged, is not reported', () => {
  expect(findColumnsWithoutDefault([defaultRule], { deletes: [], adds: [annaRule] })).toEqual([]);
  expect(
    findColumnsWithoutDefault([annaRule], {
      deletes: toDeletions(annaRule),
      adds: [rule(nothing, 'default')],
    }),
  ).toEqual([]);
  expect(
    findColumnsWithoutDefault([defaultRule, defaultRule], {
      deletes: toDeletions({ ...defaultRule }),
      adds: [],
    }),
  ).toEqual([]);
  expect(findColumnsWithoutDefault([annaRule], { deletes: [], adds: [] })).toEqual([]);
});

test('a column that does not exist is not reported', () => {
  const catalog = { complete: true, tables: [{ name: 'Stores', columns: [{ name: 'City' }] }] };
  const change = { deletes: toDeletions(annaRule, defaultRule), adds: [] };
  expect(findColumnsWithoutDefault([defaultRule, annaRule], change, catalog)).toEqual([]);
  expect(
    findColumnsWithoutDefault([defaultRule, annaRule], change, { ...catalog, complete: false }),
  ).toHaveLength(1);
});
