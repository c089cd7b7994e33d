import { expect, test } from 'vitest';
import { columnsLeftOpen } from '../../../src/security/change/columnsLeftOpen.ts';
import { ruleDifference } from '../../../src/security/change/ruleDifference.ts';
import { parseRuleTable } from '../../../src/security/ruleTable/parseRuleTable.ts';
import { nothing, only, rule } from './rules.ts';

const everybody = rule(nothing, 'default');
const anna = rule(only('North'), 'user:anna');
const going = (...rules: readonly Readonly<Record<string, unknown>>[]) =>
  rules.map((each, index) => ({ rule: each, index }));
const column = { table: 'Stores', column: 'Region' };

test('a column that loses the rule of everybody else is told, whoever keeps one', () => {
  const open = columnsLeftOpen([everybody, anna], { deletes: going(everybody), adds: [] });
  expect(open).toEqual([{ ...column, sees: 'unclear' }]);
});

test('a column whose last rule goes shows everything', () => {
  const open = columnsLeftOpen([everybody, anna], { deletes: going(everybody, anna), adds: [] });
  expect(open).toEqual([{ ...column, sees: 'everything' }]);
});

test('a column that is newly secured for some is told, too', () => {
  expect(columnsLeftOpen([], { deletes: [], adds: [anna] })).toEqual([{ ...column, sees: 'unclear' }]);
});

test('a table that names users and nobody else takes the rule of everybody else away, and that is told', () => {
  const current = [everybody, anna].map((each, index) => ({ ...each, _id: `${index}` }));
  const csv = `table,column,datatype,access,value,party type,party\nStores,Region,text,only,South,user,ben`;
  const difference = ruleDifference({
    table: parseRuleTable(csv).rules,
    current,
    place: { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' },
    scope: 'columns',
    identify: ({ name }) => name,
  });
  expect(columnsLeftOpen(current, difference)).toEqual([{ ...column, sees: 'unclear' }]);
  const besides = { ...difference, deletes: [] };
  expect(columnsLeftOpen(current, besides)).toEqual([]);
});

test('what keeps or gets a rule for everybody else, and what is not touched, is not', () => {
  expect(columnsLeftOpen([everybody], { deletes: [], adds: [anna] })).toEqual([]);
  expect(columnsLeftOpen([anna], { deletes: going(anna), adds: [rule(nothing, 'default')] })).toEqual([]);
  expect(columnsLeftOpen([everybody, everybody], { deletes: going({ ...everybody }), adds: [] })).toEqual([]);
  expect(columnsLeftOpen([anna], { deletes: [], adds: [] })).toEqual([]);
});
