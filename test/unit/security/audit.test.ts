import { describe, expect, it } from 'vitest';
import { auditRules } from '../../../src/security/audit/auditRules.ts';
import { auditViewpoints } from '../../../src/security/audit/auditViewpoints.ts';
import { allBut, everything, nothing, only, rule } from './rules.ts';

const defaultRule = rule(nothing, 'default');
const listFindings = (...rules: readonly unknown[]) =>
  auditRules(rules).map(({ code, index, path = [] }) => [index, code, ...path].join(' '));

describe('the audit of rules', () => {
  it('includes all lint problems', () => {
    expect(listFindings(rule(only('A'), 'user:anna'), rule({ members: [] }, 'user:ben'))).toEqual([
      '0 no-default-rule column',
      '1 ambiguous-empty members',
    ]);
  });

  it.each<[string, readonly unknown[], readonly string[]]>([
    ['Nothing beside a list', [rule(only('A'), 'user:a'), rule(nothing, 'user:a')], ['1 contradiction']],
    [
      'Everything beside a list',
      [rule(everything, 'group:g'), rule(only('A'), 'group:g')],
      ['1 contradiction'],
    ],
    [
      'a list of which an exclusion hides every value',
      [rule(only('A'), 'user:a'), rule(allBut('A', 'B'), 'user:a')],
      ['1 contradiction'],
    ],
    [
      'Nothing twice',
      [rule(nothing, 'user:a'), rule(nothing, 'user:a', 'user:b')],
      ['1 duplicate-rule shares 0'],
    ],
    [
      'Everything twice',
      [rule(everything, 'user:a'), rule(everything, 'user:a', 'user:b')],
      ['1 duplicate-rule shares 0'],
    ],
    ['the same rule for everyone else twice', [rule(nothing, 'default', 'user:b')], ['1 duplicate-rule']],
    [
      'an uncertain rule beside Nothing',
      [rule({ members: [], allMembers: null }, 'user:a'), rule(nothing, 'user:a')],
      ['0 ambiguous-empty members'],
    ],
    ['Everything beside an exclusion', [rule(everything, 'user:a'), rule(allBut('A'), 'user:a')], []],
    [
      'Everything beside an exclusion and a list',
      [rule(everything, 'user:a'), rule(allBut('A'), 'user:a'), rule(only('B'), 'user:a')],
      ['2 contradiction'],
    ],
    ['two lists', [rule(only('A'), 'user:a'), rule(only('B'), 'user:a')], []],
    [
      'a list and an exclusion of some of its values',
      [rule(only('A', 'B'), 'user:a'), rule(allBut('A'), 'user:a')],
      [],
    ],
    ['two parties', [rule(only('A'), 'user:a'), rule(nothing, 'group:a')], []],
    [
      'two columns',
      [rule(only('A'), 'user:a'), rule({ ...nothing, column: 'Stores.Region2' }, 'user:a', 'default')],
      [],
    ],
  ])('finds contradictory rules: %s', (_name, rules, expected) => {
    expect(listFindings(...rules, defaultRule)).toEqual(expected);
  });

  it('finds default rules that differ', () => {
    expect(listFindings(defaultRule, rule(everything, 'default'))).toEqual(['1 several-defaults']);
  });

  it('finds parties that the server has no name for, if it has names', () => {
    const namedUserRule = { ...rule(only('A')), shares: [{ type: 'user', partyId: 'a', partyName: 'Anna' }] };
    const goneGroupRule = { ...rule(only('A')), shares: [{ type: 'group', partyId: 'gone' }] };
    expect(listFindings(namedUserRule, goneGroupRule, defaultRule)).toEqual(['1 party-unknown shares 0']);
    expect(listFindings(goneGroupRule, defaultRule)).toEqual([]);
  });

  it('does not report a share without a party as an unknown party', () => {
    const shares = [
      { type: 'user', partyId: 'a', partyName: 'Anna' },
      { type: 'user' },
      { type: 'default', partyId: 'x' },
      'user',
      null,
    ];
    expect(listFindings({ ...rule(only('A')), shares }, defaultRule)).not.toContainEqual(
      expect.stringContaining('party-unknown'),
    );
  });

  it('accepts any input', () => {
    for (const input of [undefined, null, 5, [null, 5, { shares: [null, { type: {} }] }]]) {
      expect(auditRules(input as never)).toEqual(expect.any(Array));
    }
  });
});

it('the audit finds viewpoints that are shared with groups that see nothing', () => {
  const catalog = {
    complete: true,
    tables: [
      { name: 'Stores', columns: [{ name: 'Id' }, { name: 'Region' }] },
      { name: 'Sales', columns: [{ name: 'Store' }] },
      { name: 'Alone', columns: [{ name: 'Id' }] },
    ],
    relations: [
      {
        columns: [
          { table: 'Sales', column: 'Store' },
          { table: 'Stores', column: 'Id' },
        ],
      },
    ],
  };
  const rules = [
    { ...rule(nothing), shares: [{ type: 'group', partyId: 'g1', partyName: 'Sales' }] },
    rule(everything, 'group:g2'),
  ];
  const createViewpoint = (id: string, table: string, ...groups: readonly string[]) => ({
    id,
    name: id,
    groups,
    tables: [table],
  });
  const findings = auditViewpoints(
    [
      createViewpoint('a', 'Sales', 'Sales', 'g2'),
      createViewpoint('b', 'Stores', 'g1'),
      createViewpoint('c', 'Alone', 'g1'),
      createViewpoint('d', 'Sales', 'g2', 'g3'),
    ],
    rules,
    catalog,
  );
  expect(findings.map(({ viewpointId, args }) => [viewpointId, ...args])).toEqual([
    ['a', 'a', 'Sales', 'Sales'],
    ['b', 'b', 'g1', 'Stores'],
  ]);
  const withoutCatalog = auditViewpoints(
    [createViewpoint('a', 'Sales', 'g1'), createViewpoint('b', 'Stores', 'g1')],
    rules,
    undefined,
  );
  expect(withoutCatalog.map(({ viewpointId }) => viewpointId)).toEqual(['b']);
});
