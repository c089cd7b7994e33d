import { describe, expect, it } from 'vitest';
import {
  type RuleDifferenceInput,
  computeRuleDifference,
} from '../../../src/security/change/ruleDifference.ts';
import { parseRuleTable } from '../../../src/security/ruleTable/parseRuleTable.ts';
import { getUnresolvedParties } from '../../../src/security/ruleTable/unresolvedParties.ts';
import { writeRuleTable } from '../../../src/security/ruleTable/writeRuleTable.ts';
import { allBut, everything, liveRule, nothing, only, rule } from './rules.ts';

const place = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const createTable = (rules: readonly unknown[]) => parseRuleTable(writeRuleTable(rules)).rules;

function difference(
  wanted: readonly unknown[],
  current: readonly unknown[],
  more: Partial<RuleDifferenceInput> = {},
) {
  return computeRuleDifference({
    tableRules: createTable(wanted),
    current,
    binding: place,
    scope: 'all',
    findPartyId: ({ name }) => name,
    ...more,
  });
}

const texts = (rules: readonly unknown[]): readonly string[] =>
  rules.map((each) =>
    JSON.stringify(each).replaceAll(/"(?:server|elasticube|table|datatype)":"[^"]*",?/g, ''),
  );

describe('the changes of a table', () => {
  const north = rule({ id: 'n', ...only('North') }, 'user:anna', 'group:red');
  const rest = rule({ id: 'd', ...nothing }, 'default');

  it('keep existing rules, in any order and grouping', () => {
    const apart = [
      rule(only('North'), 'group:red'),
      rule(nothing, 'default'),
      rule(only('North'), 'user:anna'),
    ];
    expect(difference(apart, [north, rest])).toEqual({ adds: [], deletes: [], unchanged: 2, obstacles: [] });
    expect(difference([north, rest], apart)).toMatchObject({ adds: [], deletes: [], unchanged: 3 });
  });

  it('replace a rule that is right for some of its parties only', () => {
    const wanted = [rule(only('North'), 'user:anna'), rule(only('South'), 'group:red'), rest];
    const { adds, deletes, unchanged } = difference(wanted, [north, rest]);
    expect(texts(adds)).toEqual([
      '{"column":"Region","members":["North"],"allMembers":null,"exclusionary":false,"shares":[{"party":"anna","type":"user"}]}',
      '{"column":"Region","members":["South"],"allMembers":null,"exclusionary":false,"shares":[{"party":"red","type":"group"}]}',
    ]);
    expect(deletes.map(({ index, rule: { _id } }) => [index, _id])).toEqual([[0, 'n']]);
    expect(unchanged).toBe(1);
  });

  it('delete duplicates', () => {
    expect(
      difference([north], [north, { ...north, _id: 'again' }]).deletes.map(({ index }) => index),
    ).toEqual([1]);
  });

  it('delete only within their scope', () => {
    const other = rule({ id: 'o', ...nothing, column: 'Stores.Country' }, 'default');
    const wanted = [rule(only('South'), 'user:anna')];
    const deleted = (scope: RuleDifferenceInput['scope']) =>
      difference(wanted, [north, other], { scope }).deletes.map(({ rule: { _id } }) => _id);
    expect(deleted('all')).toEqual(['n', 'o']);
    expect(deleted('columns')).toEqual(['n']);
    expect(deleted('add')).toEqual([]);
  });

  it('name their obstacles', () => {
    const catalog = {
      complete: true,
      tables: [
        {
          name: 'Stores',
          columns: [
            { name: 'Region', type: 8 },
            { name: 'Opened', type: 31 },
          ],
        },
      ],
    };
    const wanted = [
      rule(allBut('1'), 'group:Sales'),
      rule({ ...nothing, column: 'Stores.region' }, 'default'),
      rule({ ...nothing, column: 'Shops.Region' }, 'default'),
      rule({ ...nothing, column: 'Stores.Opened' }, 'default'),
    ];
    const live = { kind: 'live', title: 'Support' } as const;
    // A server that shows its live rules without the flag does not accept it.
    const current = [liveRule({ id: 'l', ...only('x') }, 'user:bob')];
    expect(getUnresolvedParties(createTable(wanted), [])).toEqual([{ type: 'group', name: 'Sales' }]);
    expect(
      difference(wanted, current, { catalog, binding: live, findPartyId: () => undefined }).obstacles.map(
        ({ code, rows, args }) => [code, ...rows, ...args].join(' '),
      ),
    ).toEqual([
      'party-not-found 2 group Sales',
      'exclusionary-live 2 Stores Region',
      'unknown-column 3 Stores region',
      'unknown-table 4 Shops Region',
      'date-column 5 Stores Opened',
    ]);
    const { adds, obstacles } = difference(wanted.slice(0, 1), [], { catalog, findPartyId: () => 'g1' });
    expect(obstacles).toEqual([]);
    expect(adds).toMatchObject([{ shares: [{ type: 'group', party: 'g1' }] }]);
  });

  it('compare ten thousand rules with ten thousand', () => {
    const rules = (prefix: string) =>
      Array.from({ length: 10_000 }, (_, index) =>
        rule({ id: `${index}`, ...only(`${index % 1000 === 0 ? prefix : ''}${index}`) }, `user:u${index}`),
      );
    const { adds, deletes, unchanged } = difference(rules('new'), rules('old'));
    expect([adds.length, deletes.length, unchanged]).toEqual([10, 10, 9990]);
    expect(difference([], rules('old')).deletes).toHaveLength(10_000);
  });

  it('know the parties of existing rules', () => {
    expect(getUnresolvedParties(createTable([north, rest]), [north])).toEqual([]);
    expect(
      difference([rule(everything, 'user:anna')], [north], { findPartyId: () => undefined }).obstacles,
    ).toEqual([]);
  });
});
