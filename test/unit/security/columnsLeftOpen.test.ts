import { expect, test } from 'vitest';
import { findUncoveredColumns } from '../../../src/security/change/uncoveredColumns.ts';
import { computeRuleDifference } from '../../../src/security/change/ruleDifference.ts';
import { parseRuleTable } from '../../../src/security/ruleTable/parseRuleTable.ts';
import { nothing, only, rule } from './rules.ts';

const everyone = rule(nothing, 'default');
const anna = rule(only('North'), 'user:anna');
const going = (...rules: readonly Readonly<Record<string, unknown>>[]) =>
  rules.map((each, index) => ({ rule: each, index }));
const column = { table: 'Stores', column: 'Region' };

test('a column that loses the rule for everyone else is reported, whichever rules stay', () => {
  const open = findUncoveredColumns([everyone, anna], { deletes: going(everyone), adds: [] });
  expect(open).toEqual([{ ...column, sees: 'unclear' }]);
});

test('a column whose last rule is deleted shows everything', () => {
  const open = findUncoveredColumns([everyone, anna], { deletes: going(everyone, anna), adds: [] });
  expect(open).toEqual([{ ...column, sees: 'everything' }]);
});

test('a column that is newly secured for some users is reported, too', () => {
  expect(findUncoveredColumns([], { deletes: [], adds: [anna] })).toEqual([{ ...column, sees: 'unclear' }]);
});

test('a table that names only users deletes the rule for everyone else, and that is reported', () => {
  const current = [everyone, anna].map((each, index) => ({ ...each, _id: `${index}` }));
  const csv = `table,column,datatype,access,value,party type,party\nStores,Region,text,only,South,user,ben`;
  const difference = computeRuleDifference({
    tableRules: parseRuleTable(csv).rules,
    current,
    binding: { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' },
    scope: 'columns',
    findPartyId: ({ name }) => name,
  });
  expect(findUncoveredColumns(current, difference)).toEqual([{ ...column, sees: 'unclear' }]);
  const besides = { ...difference, deletes: [] };
  expect(findUncoveredColumns(current, besides)).toEqual([]);
});

test('a column that keeps or gets a rule for everyone else, or is unchanged, is not reported', () => {
  expect(findUncoveredColumns([everyone], { deletes: [], adds: [anna] })).toEqual([]);
  expect(findUncoveredColumns([anna], { deletes: going(anna), adds: [rule(nothing, 'default')] })).toEqual(
    [],
  );
  expect(findUncoveredColumns([everyone, everyone], { deletes: going({ ...everyone }), adds: [] })).toEqual(
    [],
  );
  expect(findUncoveredColumns([anna], { deletes: [], adds: [] })).toEqual([]);
});
