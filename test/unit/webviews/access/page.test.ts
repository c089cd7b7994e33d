import { describe, expect, it } from 'vitest';
import type { PageParty } from '../../../../src/webviews/protocol/access.ts';
import { formatCsvReport, formatMarkdownReport } from '../../../../src/webviews/access/report.ts';
import { createPartyNameLookup, AccessFormatter } from '../../../../src/webviews/access/accessFormatter.ts';
import {
  createAccessView,
  findAffectedParties,
  type UserLookups,
  withMemberGroups,
} from '../../../../src/webviews/access/accessView.ts';
import {
  type AccessPageState,
  initialAccessPageState,
  readAccessPageState,
} from '../../../../src/webviews/access/state.ts';
import { createLocalize } from '../../../../src/webviews/shared/localize.ts';
import { allBut, everything, nothing, only, rule } from '../../security/rules.ts';
import { expectDefined } from '../../../support/expectations.ts';

const t = createLocalize(undefined);
const knownParties: readonly PageParty[] = [
  { type: 'user', id: 'u1', name: 'Amara | <b>' },
  { type: 'group', id: 'g1', name: 'Sales' },
  { type: 'group', id: 'g2', name: 'Finance' },
];
const formatter = new AccessFormatter(t, createPartyNameLookup(knownParties));
const catalog = {
  complete: true,
  tables: [
    { name: 'Stores', columns: [{ name: 'Id' }, { name: 'Region' }] },
    { name: 'Sales', columns: [{ name: 'Store' }] },
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
  rule({ id: 'a', ...only('North', 'South', '') }, 'group:g1'),
  rule({ id: 'b', ...allBut('West') }, 'user:u1'),
  rule({ id: 'c', ...nothing }, 'default'),
  rule({ ...everything, column: 'Stores.Nowhere' }, 'default'),
];
const createState = (changes: Partial<AccessPageState>): AccessPageState => ({
  ...initialAccessPageState,
  ...changes,
});

/** The page as text: one line per row, with the sides separated. */
function formatPage(changes: Partial<AccessPageState>, list: readonly unknown[] = rules): readonly string[] {
  const view = createAccessView({ rules: list, catalog }, createState(changes));
  const columns = view.columns.map(({ table, column, cells, isDifferent, isMissing }) =>
    [
      `${table}.${column}${isDifferent ? '*' : ''}${isMissing ? '?' : ''}`,
      ...cells.map((cell, index) =>
        cell === undefined
          ? '-'
          : [
              formatter.formatColumn(cell),
              ...cell.appliedRules.map((appliedRule) =>
                formatter.formatReason(appliedRule, view.sides[index]?.party ?? { groupIds: [] }),
              ),
            ].join('; '),
      ),
    ].join(' | '),
  );
  const tables = view.tables.map(({ table, cells, isDifferent }) =>
    [
      `${table}${isDifferent ? '*' : ''}`,
      ...cells.map((cell) => [formatter.formatTable(cell), ...formatter.formatRestrictions(cell)].join('; ')),
    ].join(' | '),
  );
  return [...columns, ...tables];
}

/** The initial value of the selection of how the rules of several groups combine. */
const howGroupsCombine = 'uncertain';

describe('the Effective Access page, as text', () => {
  it('shows the nearest conditions and the ends of long paths, and counts the rest', () => {
    const names = Array.from({ length: 30 }, (_none, index) => `T${index}`);
    const chain = {
      complete: true,
      tables: names.map((name) => ({ name, columns: [{ name: 'Id' }] })),
      relations: names.slice(1).map((table, index) => ({
        columns: [
          { table: `T${index}`, column: 'Id' },
          { table, column: 'Id' },
        ],
      })),
    };
    const formatFirstTable = (tablesWithRules: readonly string[]) => {
      const list = tablesWithRules.map((name) => rule({ ...only('A'), column: `${name}.Id` }, 'default'));
      const [line] = createAccessView({ rules: list, catalog: chain }, createState({})).tables;
      return line?.cells.flatMap((cell) => [
        formatter.formatTable(cell),
        ...formatter.formatRestrictions(cell),
      ]);
    };
    const formatted = formatFirstTable(names);
    expect(formatted?.slice(0, 2)).toEqual(['Only rows that match all 30 conditions', 'T0.Id: only A']);
    expect(formatted?.slice(-1)).toEqual(['and 20 more conditions on more distant tables']);
    expect(formatted).toHaveLength(12);
    expect(formatFirstTable(['T29'])?.[1]).toBe(
      'T29.Id: only A, via T0.Id → T1.Id, then T1.Id → T2.Id, then T2.Id → T3.Id, then T3.Id → T4.Id, then T4.Id → T5.Id, then 23 more relations, then T28.Id → T29.Id',
    );
  });

  it('shows what everyone else sees', () => {
    expect(formatPage({})).toEqual([
      'Stores.Region | Sees no values; Rule for everyone else: no values',
      'Stores.Nowhere? | Sees all values; Rule for everyone else: all values',
      'Stores | No rows; Stores.Region: no values',
      'Sales | No rows; Stores.Region: no values, via Sales.Store → Stores.Id',
    ]);
  });

  it('shows what a user in a group sees, by both rules', () => {
    const party = { userId: 'u1', groupIds: ['g1', 'g2'] };
    expect(formatter.formatParty(party)).toBe('Amara | <b>, in Sales and Finance');
    expect(formatPage({ party })[0]).toBe(
      'Stores.Region | Sees only North, South, and ""; Rule for user Amara | <b>: all but West; Rule for group Sales: only North, South, and ""',
    );
    expect(formatter.formatParty({ groupIds: ['g1'] })).toBe('Members of Sales');
    expect(formatter.formatParty({ userId: 'x', groupIds: [] })).toBe('x, not in any group');
  });

  it('shows uncertain results if the groups of a user are unknown, with their bounds', () => {
    const party = { userId: 'u1', groupIds: [] };
    const formatAccess = (userLookups: UserLookups): readonly (string | undefined)[] => {
      const view = createAccessView({ rules, catalog }, createState({ party }), userLookups);
      const [line] = view.columns;
      const [cell] = line?.cells ?? [];
      return [formatter.formatParty(view.sides[0]?.party ?? party), cell && formatter.formatColumn(cell)];
    };
    const unknown = [
      'Amara | <b>, groups unknown',
      "Uncertain: this column has rules for groups, and this user's groups are unknown. " +
        'At least: North, South, and "". At most: all but West.',
    ];
    expect(formatAccess(new Map())).toEqual(unknown);
    expect(formatAccess(new Map([['u1', { note: 'unknown' }]]))).toEqual(unknown);
    expect(formatAccess(new Map([['u1', { groupIds: [], source: 'instance' }]]))).toEqual([
      'Amara | <b>, not in any group',
      'Sees all values but West',
    ]);
    expect(formatAccess(new Map([['u1', { groupIds: ['g1'], source: 'rules' }]]))).toEqual([
      'Amara | <b>, in Sales',
      'Sees only North, South, and ""',
    ]);
  });

  it('groups selected on the page are added to the known ones; if none are known, they count as all', () => {
    const party = { userId: 'u1', groupIds: ['g2'] };
    expect(withMemberGroups(party, new Map())).toEqual({ ...party, groupsUnknown: false });
    expect(withMemberGroups(party, new Map([['u1', { groupIds: ['g1', 'g2'] }]]))).toEqual({
      userId: 'u1',
      groupIds: ['g1', 'g2'],
    });
    expect(withMemberGroups({ groupIds: ['g1'] }, new Map())).toEqual({ groupIds: ['g1'] });
  });

  it('names the selected user as the reason if a rule is for several users', () => {
    const rulesForTwoUsers = [rule({ id: 's', ...only('North') }, 'user:u9', 'user:u1')];
    const party = { userId: 'u1', groupIds: [] };
    expect(formatPage({ party }, rulesForTwoUsers)[0]).toBe(
      'Stores.Region | Sees only North; Rule for user Amara | <b>: only North',
    );
  });

  it('gives the reason for an uncertain result, and resolves it by the selected way to combine lists', () => {
    const rulesOfTwoGroups = [...rules, rule({ ...only('East'), column: 'Stores.Region' }, 'group:g2')];
    const party = { groupIds: ['g1', 'g2'] };
    expect(formatPage({ party }, rulesOfTwoGroups)[0]).toMatch(
      /Uncertain: several lists of values apply.*At least: no values. At most: North, South, "", and East\./,
    );
    expect(formatPage({ party, groups: 'union' }, rulesOfTwoGroups)[0]).toMatch(
      /Sees only North, South, "", and East/,
    );
    expect(formatPage({ party, groups: 'intersection' }, rulesOfTwoGroups)[0]).toMatch(/Sees no values/);
    expect(formatPage({ party: { groupIds: [] } }, rulesOfTwoGroups.slice(0, 2))[0]).toMatch(
      /no rule applies/,
    );
    expect(formatPage({}, [rule({ members: [] }, 'default')])[0]).toMatch(/all values or no values/);
  });

  it('shows differences between two parties, and between current and hypothetical rules', () => {
    const lines = formatPage({ other: { groupIds: ['g1'] } });
    expect(lines.map((line) => line.split(' | ')[0])).toEqual([
      'Stores.Region*',
      'Stores.Nowhere?',
      'Stores*',
      'Sales*',
    ]);
    const draft = {
      table: 'Stores',
      column: 'Id',
      access: 'only',
      values: ['1'],
      party: { type: 'default' },
    } as const;
    expect(formatPage({ without: ['c'], drafts: [draft] })).toEqual([
      'Stores.Region* | Sees no values; Rule for everyone else: no values | Uncertain: no rule applies, and the column has no rule for everyone else. At least: no values. At most: all values.',
      'Stores.Nowhere? | Sees all values; Rule for everyone else: all values | Sees all values; Rule for everyone else: all values',
      'Stores.Id* | - | Sees only 1; Rule for everyone else: only 1',
      'Stores* | No rows; Stores.Region: no values | Uncertain, because access to a column with rules is uncertain; Stores.Region: uncertain; Stores.Id: only 1',
      'Sales* | No rows; Stores.Region: no values, via Sales.Store → Stores.Id | Uncertain, because access to a column with rules is uncertain; Stores.Region: uncertain, via Sales.Store → Stores.Id; Stores.Id: only 1, via Sales.Store → Stores.Id',
    ]);
  });

  it('names the parties affected by a change', () => {
    const draft = {
      table: 'Stores',
      column: 'Region',
      access: 'nothing',
      values: [],
      party: { type: 'group', id: 'g1' },
    } as const;
    const userInNoGroup = { ...expectDefined(knownParties[0]), groupIds: [] };
    expect(
      findAffectedParties(rules, { without: [], drafts: [draft] }, howGroupsCombine, [
        userInNoGroup,
        ...knownParties.slice(1),
      ]),
    ).toEqual([knownParties[1]]);
    // It is unknown whether the user is in the group.
    expect(
      findAffectedParties(rules, { without: [], drafts: [draft] }, howGroupsCombine, knownParties),
    ).toEqual(knownParties.slice(0, 2));
    expect(
      findAffectedParties(rules, { without: ['c'], drafts: [] }, howGroupsCombine, knownParties),
    ).toEqual([knownParties[2], 'default']);
    expect(findAffectedParties(rules, { without: [], drafts: [] }, howGroupsCombine, knownParties)).toEqual(
      [],
    );
  });

  it('handles ten thousand rules, two hundred parties and forty columns', () => {
    const parties = Array.from(
      { length: 200 },
      (_, index): PageParty => ({ type: 'user', id: `u${index}`, name: `u${index}` }),
    );
    const manyRules = Array.from({ length: 10_000 }, (_, index) =>
      rule(
        { id: `${index}`, ...only(`${index}`), column: `Stores.C${index % 40}` },
        `user:u${Math.floor(index / 50)}`,
      ),
    );
    expect(findAffectedParties(manyRules, { without: ['0'], drafts: [] }, howGroupsCombine, parties)).toEqual(
      [parties[0]],
    );
    expect(
      createAccessView({ rules: manyRules, catalog }, createState({ party: { userId: 'u7', groupIds: [] } }))
        .columns,
    ).toHaveLength(40);
  });

  it('shortens long lists', () => {
    const manyRules = [rule(only(...Array.from({ length: 30 }, (_, index) => `v${index}`)), 'default')];
    expect(formatPage({}, manyRules)[0]).toMatch(
      /v19, and 10 more; Rule for everyone else: only v0, v1, v2, v3, v4, v5, and 24 more/,
    );
  });
});

describe('the saved report', () => {
  const party = { userId: 'u1', groupIds: [] };
  const inNoGroup: UserLookups = new Map([['u1', { groupIds: [] }]]);
  const view = createAccessView({ rules, catalog }, createState({ party }), inNoGroup);

  it('is Markdown without markup from data', () => {
    const text = formatMarkdownReport({ title: 'Retail *', view, formatter, t });
    expect(text).toContain('# Effective Access: Retail \\*');
    expect(text).toContain('- Amara \\| \\<b\\>');
    expect(text).toContain(
      '| Stores.Region | Sees all values but West | Rule for user Amara \\| \\<b\\>: all but West |',
    );
    expect(text).toContain('| Stores | Only rows that match a condition; Stores.Region: all but West |');
  });

  it('has the bounds of uncertain results', () => {
    const uncertain = createAccessView({ rules, catalog }, createState({ party }));
    expect(formatCsvReport({ view: uncertain, formatter, t }).split('\r\n')[1]).toBe(
      '"Amara | <b>, groups unknown",Stores,Region,ambiguous,,Rule for user Amara | <b>: all but West,"North, South, and """"",all but West',
    );
  });

  it('is CSV with one row per value', () => {
    const group = createAccessView({ rules, catalog }, createState({ party: { groupIds: ['g1'] } }));
    expect(formatCsvReport({ view: group, formatter, t }).split('\r\n').slice(1, 4)).toEqual([
      'Members of Sales,Stores,Region,only,North,"Rule for group Sales: only North, South, and """"",,',
      'Members of Sales,Stores,Region,only,South,"Rule for group Sales: only North, South, and """"",,',
      'Members of Sales,Stores,Region,only,,"Rule for group Sales: only North, South, and """"",,',
    ]);
  });
});

it('the persisted state is validated', () => {
  const storedState = createState({
    party: { userId: 'u', groupIds: ['g'] },
    other: { groupIds: [] },
    groups: 'union',
    without: ['a'],
  });
  expect(readAccessPageState(JSON.parse(JSON.stringify(storedState)))).toEqual(storedState);
  for (const invalidState of [
    undefined,
    null,
    5,
    'x',
    {},
    { party: 5, drafts: [null, {}, { values: [1] }], without: [1], groups: 'x' },
    // Earlier versions stored this for `uncertain`.
    { groups: 'open' },
  ]) {
    expect(readAccessPageState(invalidState)).toEqual({ ...initialAccessPageState, other: undefined });
  }
});
