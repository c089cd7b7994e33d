import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GroupCombination } from '../../../src/security/columnAccess.ts';
import { guardedChange } from '../../../src/security/change/guardedChange.ts';
import { type DifferenceInput, ruleDifference } from '../../../src/security/change/ruleDifference.ts';
import { type EffectiveAccess, effectiveAccess, lintRules } from '../../../src/security/index.ts';
import { parseRuleTable } from '../../../src/security/ruleTable/parseRuleTable.ts';
import { partiesToResolve } from '../../../src/security/ruleTable/partiesOf.ts';
import { writeRuleTable } from '../../../src/security/ruleTable/writeRuleTable.ts';
import { runs } from '../../support/soak.ts';
import { allBut, everything, nothing, only, rule } from './rules.ts';
import { parties, ruleSets, values } from './ruleSets.ts';

const place = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const tableOf = (rules: readonly unknown[]) => parseRuleTable(writeRuleTable(rules)).rules;

function difference(
  wanted: readonly unknown[],
  current: readonly unknown[],
  more: Partial<DifferenceInput> = {},
) {
  return ruleDifference({
    table: tableOf(wanted),
    current,
    place,
    scope: 'all',
    identify: ({ name }) => name,
    ...more,
  });
}

const texts = (rules: readonly unknown[]): readonly string[] =>
  rules.map((each) =>
    JSON.stringify(each).replaceAll(/"(?:server|elasticube|table|datatype)":"[^"]*",?/g, ''),
  );

describe('what a table changes', () => {
  const north = rule({ id: 'n', ...only('North') }, 'user:anna', 'group:red');
  const rest = rule({ id: 'd', ...nothing }, 'default');

  it('keeps what is already so, in any order and grouping', () => {
    const apart = [
      rule(only('North'), 'group:red'),
      rule(nothing, 'default'),
      rule(only('North'), 'user:anna'),
    ];
    expect(difference(apart, [north, rest])).toEqual({ adds: [], deletes: [], unchanged: 2, obstacles: [] });
    expect(difference([north, rest], apart)).toMatchObject({ adds: [], deletes: [], unchanged: 3 });
  });

  it('replaces a rule that is right for some of its parties only', () => {
    const wanted = [rule(only('North'), 'user:anna'), rule(only('South'), 'group:red'), rest];
    const { adds, deletes, unchanged } = difference(wanted, [north, rest]);
    expect(texts(adds)).toEqual([
      '{"column":"Region","members":["North"],"allMembers":null,"exclusionary":false,"shares":[{"party":"anna","type":"user"}]}',
      '{"column":"Region","members":["South"],"allMembers":null,"exclusionary":false,"shares":[{"party":"red","type":"group"}]}',
    ]);
    expect(deletes.map(({ index, rule: { _id } }) => [index, _id])).toEqual([[0, 'n']]);
    expect(unchanged).toBe(1);
  });

  it('deletes doubles', () => {
    expect(
      difference([north], [north, { ...north, _id: 'again' }]).deletes.map(({ index }) => index),
    ).toEqual([1]);
  });

  it('deletes as much as it is for', () => {
    const other = rule({ id: 'o', ...nothing, column: 'Stores.Country' }, 'default');
    const wanted = [rule(only('South'), 'user:anna')];
    const deleted = (scope: DifferenceInput['scope']) =>
      difference(wanted, [north, other], { scope }).deletes.map(({ rule: { _id } }) => _id);
    expect(deleted('all')).toEqual(['n', 'o']);
    expect(deleted('columns')).toEqual(['n']);
    expect(deleted('add')).toEqual([]);
  });

  it('names what stands in the way', () => {
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
    expect(partiesToResolve(tableOf(wanted), [])).toEqual([{ type: 'group', name: 'Sales' }]);
    expect(
      difference(wanted, [], { catalog, place: live, identify: () => undefined }).obstacles.map(
        ({ code, rows, args }) => [code, ...rows, ...args].join(' '),
      ),
    ).toEqual([
      'party-not-found 2 group Sales',
      'exclusionary-live 2 Stores Region',
      'unknown-column 3 Stores region',
      'unknown-table 4 Shops Region',
      'date-column 5 Stores Opened',
    ]);
    const { adds, obstacles } = difference(wanted.slice(0, 1), [], { catalog, identify: () => 'g1' });
    expect(obstacles).toEqual([]);
    expect(adds).toMatchObject([{ shares: [{ type: 'group', party: 'g1' }] }]);
  });

  it('compares ten thousand rules with ten thousand', () => {
    const rules = (prefix: string) =>
      Array.from({ length: 10_000 }, (_, index) =>
        rule({ id: `${index}`, ...only(`${index % 1000 === 0 ? prefix : ''}${index}`) }, `user:u${index}`),
      );
    const { adds, deletes, unchanged } = difference(rules('new'), rules('old'));
    expect([adds.length, deletes.length, unchanged]).toEqual([10, 10, 9990]);
    const replaced = difference([], rules('old'));
    expect(guardedChange(replaced, place, { atomic: 1 }).guards).toHaveLength(20);
  });

  it('knows the parties of the rules that are there', () => {
    expect(partiesToResolve(tableOf([north, rest]), [north])).toEqual([]);
    expect(
      difference([rule(everything, 'user:anna')], [north], { identify: () => undefined }).obstacles,
    ).toEqual([]);
  });
});

describe('a change in steps', () => {
  const steps = (wanted: readonly unknown[], current: readonly unknown[], atomic = 100) =>
    guardedChange(difference(wanted, current), place, { atomic });

  it('needs no guard for one request', () => {
    const rules = ['a', 'b'].map((name) => rule({ id: name, ...only(name) }, `user:${name}`));
    expect(steps(rules, []).guards).toEqual([]);
    expect(steps([], rules.slice(0, 1)).guards).toEqual([]);
    expect(steps(rules, [], 1).guards).toHaveLength(1);
    expect(steps([], rules)).toMatchObject({
      guards: [{ shares: [{ party: 'a' }, { party: 'b' }] }],
      deletes: ['a', 'b'],
    });
  });

  it('writes guards that are good rules, few parties in each', () => {
    const rules = Array.from({ length: 5 }, (_, index) =>
      rule({ id: `${index}`, ...only('x') }, `user:${index}`),
    );
    const { guards } = guardedChange(difference([], rules), place, { atomic: 1, sharesPerGuard: 2 });
    expect(guards.map(({ shares }) => (shares as unknown[]).length)).toEqual([2, 2, 1]);
    expect(lintRules(guards).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('cannot delete what has no identifier', () => {
    expect(() => steps([], [rule(only('A'), 'user:anna')])).toThrow(RangeError);
  });

  const cells = [...values, null];

  /** Rows that are visible, where doubt is read as everything or as nothing. */
  function visible(
    rules: readonly unknown[],
    party: (typeof parties)[number],
    groups: GroupCombination,
    doubt: boolean,
  ) {
    const access = effectiveAccess(rules, party, { groups });
    const shown = (column: string) =>
      cells.map((value) =>
        access.filter((each) => each.column === column).every((each) => lets(each, value, doubt)),
      );
    const [regions, segments] = [shown('Region'), shown('Segment')];
    return regions.flatMap((region) => segments.map((segment) => region && segment));
  }

  function lets({ verdict, values: listed }: EffectiveAccess, value: string | null, doubt: boolean): boolean {
    if (verdict === 'only' || verdict === 'except') {
      return (value !== null && listed.includes(value)) === (verdict === 'only');
    }
    return verdict === 'ambiguous' ? doubt : verdict === 'all';
  }

  it('shows nobody what neither the old nor the new rules show, however requests are split', () => {
    let moments = 0;
    const sets = ruleSets('Fact.Region', 'Fact.Segment');
    const named = (rules: readonly object[], prefix: string) =>
      rules.map((each, index) => ({ ...each, _id: `${prefix}${index}` }));
    fc.assert(
      fc.property(sets, sets, fc.boolean(), (before, after, doubt) => {
        const old = named(before, 'old');
        const wanted = after.filter(({ shares }) => (shares ?? []).length > 0);
        const change = guardedChange(difference(wanted, old), place, { atomic: 1 });
        const guards = named(change.guards, 'guard');
        const writes = [
          ...guards.map((each) => (rules: readonly { _id: string }[]) => [...rules, each]),
          ...named(change.adds, 'new').map((each) => (rules: readonly { _id: string }[]) => [...rules, each]),
          ...[...change.deletes, ...guards.map(({ _id }) => _id)].map(
            (id) => (rules: readonly { _id: string }[]) => rules.filter(({ _id }) => _id !== id),
          ),
        ];
        const states: (readonly { _id: string }[])[] = [old];
        for (const write of writes) {
          states.push(write(states.at(-1) ?? []));
        }
        for (const party of parties) {
          for (const groups of ['union', 'intersection'] as const) {
            const seen = states.map((rules) => visible(rules, party, groups, doubt));
            const [first = [], last = []] = [seen[0], seen.at(-1)];
            expect(last).toEqual(visible(wanted, party, groups, doubt));
            for (const moment of seen) {
              expect(moment.every((shown, row) => !shown || first[row] === true || last[row] === true)).toBe(
                true,
              );
              moments += 1;
            }
          }
        }
      }),
      { numRuns: runs(60) },
    );
    expect(moments).toBeGreaterThan(runs(60) * parties.length);
  });
});
