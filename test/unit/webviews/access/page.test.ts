import { describe, expect, it } from 'vitest';
import type { SeenParty } from '../../../../src/protocol/access.ts';
import { csvReport, markdownReport } from '../../../../src/webviews/access/report.ts';
import { partyNames, Sentences } from '../../../../src/webviews/access/sentences.ts';
import { accessView, affectedParties } from '../../../../src/webviews/access/sides.ts';
import { type AccessState, initialState, readState } from '../../../../src/webviews/access/state.ts';
import { readWords } from '../../../../src/webviews/shared/words.ts';
import { allBut, everything, nothing, only, rule } from '../../security/rules.ts';

const t = readWords(undefined);
const known: readonly SeenParty[] = [
  { type: 'user', id: 'u1', name: 'Amara | <b>' },
  { type: 'group', id: 'g1', name: 'Sales' },
  { type: 'group', id: 'g2', name: 'Finance' },
];
const sentences = new Sentences(t, partyNames(known));
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
const state = (more: Partial<AccessState>): AccessState => ({ ...initialState, ...more });

/** The page as text: a line for each row, sides apart. */
function told(more: Partial<AccessState>, list: readonly unknown[] = rules): readonly string[] {
  const view = accessView({ rules: list, catalog }, state(more));
  const columns = view.columns.map(({ table, column, cells, differs, lacking }) =>
    [
      `${table}.${column}${differs ? '*' : ''}${lacking ? '?' : ''}`,
      ...cells.map((cell, index) =>
        cell === undefined
          ? '-'
          : [
              sentences.column(cell.access),
              ...cell.applied.map((each) =>
                sentences.because(each, view.sides[index]?.party ?? { groupIds: [] }),
              ),
            ].join('; '),
      ),
    ].join(' | '),
  );
  const tables = view.tables.map(({ table, cells, differs }) =>
    [
      `${table}${differs ? '*' : ''}`,
      ...cells.map((cell) =>
        [sentences.table(cell), ...cell.restrictions.map((each) => sentences.restriction(each))].join('; '),
      ),
    ].join(' | '),
  );
  return [...columns, ...tables];
}

describe('the access explorer, in words', () => {
  it('says what everybody else sees', () => {
    expect(told({})).toEqual([
      'Stores.Region | Sees no value; Rule for everybody else: nothing',
      'Stores.Nowhere? | Sees all values; Rule for everybody else: everything',
      'Stores | No rows; Stores.Region: nothing',
      'Sales | No rows; Stores.Region: nothing, by way of Sales.Store → Stores.Id',
    ]);
  });

  it('says what a user in a group sees, by both rules', () => {
    const party = { userId: 'u1', groupIds: ['g1', 'g2'] };
    expect(sentences.party(party)).toBe('Amara | <b>, in Sales and Finance');
    expect(told({ party })[0]).toBe(
      'Stores.Region | Sees only North, South and “”; Rule for user Amara | <b>: all but West; Rule for group Sales: only North, South and “”',
    );
    expect(sentences.party({ groupIds: ['g1'] })).toBe('Whoever is in Sales');
    expect(sentences.party({ userId: 'x', groupIds: [] })).toBe('x');
  });

  it('says why it cannot say, and takes a choice', () => {
    const two = [...rules, rule({ ...only('East'), column: 'Stores.Region' }, 'group:g2')];
    const party = { groupIds: ['g1', 'g2'] };
    expect(told({ party }, two)[0]).toMatch(/Not decided/);
    expect(told({ party, groups: 'union' }, two)[0]).toMatch(/Sees only North, South, “” and East/);
    expect(told({ party, groups: 'intersection' }, two)[0]).toMatch(/Sees no value/);
    expect(told({ party: { groupIds: [] } }, two.slice(0, 2))[0]).toMatch(/no rule names this party/);
    expect(told({}, [rule({ members: [] }, 'default')])[0]).toMatch(/everything or as nothing/);
  });

  it('shows what differs between two parties, and between now and then', () => {
    const lines = told({ other: { groupIds: ['g1'] } });
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
    expect(told({ without: ['c'], drafts: [draft] })).toEqual([
      'Stores.Region* | Sees no value; Rule for everybody else: nothing | Not certain: no rule names this party, and the column has no default rule.',
      'Stores.Nowhere? | Sees all values; Rule for everybody else: everything | Sees all values; Rule for everybody else: everything',
      'Stores.Id* | - | Sees only 1; Rule for everybody else: only 1',
      'Stores* | No rows; Stores.Region: nothing | Not certain, since a column that restricts it is not; Stores.Region: not certain; Stores.Id: only 1',
      'Sales* | No rows; Stores.Region: nothing, by way of Sales.Store → Stores.Id | Not certain, since a column that restricts it is not; Stores.Region: not certain, by way of Sales.Store → Stores.Id; Stores.Id: only 1, by way of Sales.Store → Stores.Id',
    ]);
  });

  it('names those for whom something would change', () => {
    const draft = {
      table: 'Stores',
      column: 'Region',
      access: 'nothing',
      values: [],
      party: { type: 'group', id: 'g1' },
    } as const;
    expect(affectedParties(rules, { without: [], drafts: [draft] }, 'open', known)).toEqual([known[1]]);
    expect(affectedParties(rules, { without: ['c'], drafts: [] }, 'open', known)).toEqual([
      known[2],
      'default',
    ]);
    expect(affectedParties(rules, { without: [], drafts: [] }, 'open', known)).toEqual([]);
  });

  it('bears ten thousand rules, two hundred parties and forty columns', () => {
    const parties = Array.from(
      { length: 200 },
      (_, index): SeenParty => ({ type: 'user', id: `u${index}`, name: `u${index}` }),
    );
    const many = Array.from({ length: 10_000 }, (_, index) =>
      rule(
        { id: `${index}`, ...only(`${index}`), column: `Stores.C${index % 40}` },
        `user:u${Math.floor(index / 50)}`,
      ),
    );
    expect(affectedParties(many, { without: ['0'], drafts: [] }, 'open', parties)).toEqual([parties[0]]);
    expect(
      accessView({ rules: many, catalog }, state({ party: { userId: 'u7', groupIds: [] } })).columns,
    ).toHaveLength(40);
  });

  it('shortens long lists', () => {
    const many = [rule(only(...Array.from({ length: 30 }, (_, index) => `v${index}`)), 'default')];
    expect(told({}, many)[0]).toMatch(
      /v19 and 10 more; Rule for everybody else: only v0, v1, v2, v3, v4, v5 and 24 more/,
    );
  });
});

describe('what is saved of it', () => {
  const view = accessView({ rules, catalog }, state({ party: { userId: 'u1', groupIds: [] } }));

  it('is Markdown that holds no markup of a stranger', () => {
    const text = markdownReport({ title: 'Retail *', view, sentences, t });
    expect(text).toContain('# Who sees what of Retail \\*');
    expect(text).toContain('- Amara \\| \\<b\\>');
    expect(text).toContain(
      '| Stores.Region | Sees all values but West | Rule for user Amara \\| \\<b\\>: all but West |',
    );
    expect(text).toContain('| Stores | Only rows that meet a condition; Stores.Region: all but West |');
  });

  it('is CSV with a row for each value', () => {
    const group = accessView({ rules, catalog }, state({ party: { groupIds: ['g1'] } }));
    expect(csvReport({ view: group, sentences, t }).split('\r\n').slice(1, 4)).toEqual([
      'Whoever is in Sales,Stores,Region,only,North,"Rule for group Sales: only North, South and “”"',
      'Whoever is in Sales,Stores,Region,only,South,"Rule for group Sales: only North, South and “”"',
      'Whoever is in Sales,Stores,Region,only,,"Rule for group Sales: only North, South and “”"',
    ]);
  });
});

it('reads what was kept with care', () => {
  const kept = state({
    party: { userId: 'u', groupIds: ['g'] },
    other: { groupIds: [] },
    groups: 'union',
    without: ['a'],
  });
  expect(readState(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  for (const odd of [
    undefined,
    null,
    5,
    'x',
    {},
    { party: 5, drafts: [null, {}, { values: [1] }], without: [1], groups: 'x' },
  ]) {
    expect(readState(odd)).toEqual({ ...initialState, other: undefined });
  }
});
