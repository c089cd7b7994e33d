import { describe, expect, test } from 'vitest';
import {
  describeChangedPart as describeDifference,
  instanceAndProjectTexts,
  listDifferenceLines,
} from '../../../../src/cli/differences/differenceTexts.ts';
import { describeParts } from '../../../../src/cli/planChanges.ts';

type Change = Parameters<typeof describeParts>[0];
type Part = Change['parts'][number];

const createUpdate = (...parts: Change['parts']): Change => ({
  action: 'update',
  item: 'table/M/A',
  changedOnServer: false,
  pin: '',
  parts,
});

/** Returns the lines that describe a part. */
const describePart = (part: Part): readonly string[] =>
  listDifferenceLines(describeParts(createUpdate(part)));

const createColumn = (title: string, members: object = {}): object => ({
  table: 'Products',
  title,
  datatype: 'text',
  ...members,
});

test.each<[string, Part, readonly string[]]>([
  ['a value', { pointer: '/description', before: 'a', after: 'b' }, ['description: "a" → "b"']],
  ['a new value', { pointer: '/description', after: 'b' }, ['description: none → "b"']],
  ['SQL', { pointer: '', before: 'SELECT 1', after: 'SELECT 2' }, ['content: "SELECT 1" → "SELECT 2"']],
  [
    'the members of a column that differ, and not those that only the instance has',
    {
      pointer: '/columns/K',
      before: { name: 'K', type: 8, hidden: true, description: 'Key' },
      after: { name: 'K', type: 18, description: 'Key', size: 20 },
    },
    ['columns/K/type: 8 → 18', 'columns/K/size: none → 20'],
  ],
  [
    'the new name of a column once',
    {
      pointer: '/columns/L',
      before: { name: 'K', type: 8 },
      after: { name: 'L', type: 8, renamedFrom: 'K' },
    },
    ['columns/L/name: "K" → "L"'],
  ],
  [
    'members of members',
    { pointer: '/a', before: { b: { c: 1, d: 2 }, e: 3 }, after: { b: { c: 1, d: 4 }, e: 3 } },
    ['a/b/d: 2 → 4'],
  ],
  [
    'a member that is removed',
    { pointer: '/buildBehavior', before: { type: 'x', config: 1 }, after: { type: 'x' } },
    ['buildBehavior/config: 1 → none'],
  ],
  ['a deleted column', { pointer: '/columns/K', before: { name: 'K' } }, ['columns/K: {"name":"K"} → none']],
  [
    'a member of an object with a strange name',
    { pointer: '/a', before: {}, after: { constructor: 1 } },
    ['a/constructor: none → 1'],
  ],
  ['short lists as a whole', { pointer: '/a', before: [1, 2], after: [1, 3] }, ['a: [1,2] → [1,3]']],
  [
    'the entries of long lists by their titles',
    {
      pointer: '/details',
      before: {
        columns: [createColumn('Brand', { sort: 'asc' }), createColumn('Name'), createColumn('Old')],
      },
      after: {
        columns: [createColumn('Name'), createColumn('New'), createColumn('Brand', { sort: 'desc' })],
      },
    },
    [
      'details/columns/New: none → {"table":"Products","title":"New","datatype":"text"}',
      'details/columns/Brand/sort: "asc" → "desc"',
      'details/columns/Old: {"table":"Products","title":"Old","datatype":"text"} → none',
      'details/columns (order): ["Brand","Name"] → ["Name","Brand"]',
    ],
  ],
  [
    'the entries of long lists without names by their places',
    {
      pointer: '/a',
      before: [{ b: 'x'.repeat(60) }, { c: 1, d: 2 }, { b: 'y'.repeat(60) }],
      after: [{ b: 'x'.repeat(60) }, { c: 1, d: 3 }, { b: 'y'.repeat(60) }, 5],
    },
    ['a/1/d: 2 → 3', 'a/3: none → 5'],
  ],
  [
    'the new title of a column, unless several columns may have it',
    {
      pointer: '/details',
      before: {
        columns: [
          createColumn('Revenue', { column: 'Revenue', agg: 'sum' }),
          createColumn('Units', { column: 'Units', agg: 'sum', sort: 'asc' }),
          createColumn('First', { column: 'Id' }),
          createColumn('Second', { column: 'Id' }),
        ],
      },
      after: {
        columns: [
          createColumn('Net', { column: 'Revenue', agg: 'sum' }),
          createColumn('Units', { column: 'Units', agg: 'sum', sort: 'desc' }),
          createColumn('Third', { column: 'Id' }),
          createColumn('Second', { column: 'Id' }),
          createColumn('First', { column: 'Code' }),
        ],
      },
    },
    [
      'details/columns/Net/title: "Revenue" → "Net"',
      'details/columns/Units/sort: "asc" → "desc"',
      'details/columns/Third: none → {"table":"Products","title":"Third","datatype":"text","column":"Id"}',
      'details/columns/First/column: "Id" → "Code"',
      'details/columns (order): ["Net","Units","First","Second"] → ["Net","Units","Second","First"]',
    ],
  ],
  [
    'the entries of lists whose titles are not unique by their places',
    {
      pointer: '/a',
      before: [createColumn('Same', { agg: 'sum' }), createColumn('Same')],
      after: [createColumn('Same', { agg: 'count' }), createColumn('Same')],
    },
    ['a/0/agg: "sum" → "count"'],
  ],
])('a change shows %s', (_name, part, lines) => {
  expect(describePart(part)).toEqual(lines);
});

test('what others have added to a column is shown if neither version is applied to the other', () => {
  const part = {
    pointer: '/columns/K',
    before: { name: 'K', description: 'Key', size: 4 },
    after: { name: 'K' },
  };
  const describeLines = (showsAdditions: boolean): readonly string[] =>
    listDifferenceLines(describeDifference(part, { ...instanceAndProjectTexts, showsAdditions }));
  expect(describeLines(false)).toEqual([]);
  expect(describeLines(true)).toEqual(['columns/K/description: "Key" on the instance, none in the project']);
});

test('no details are listed for an item that is created or deleted', () => {
  const change = createUpdate({ pointer: '', after: { name: 'A' } });
  expect(describeParts({ ...change, action: 'create' })).toEqual([]);
  expect(describeParts({ ...change, action: 'delete' })).toEqual([]);
});

describe('rules', () => {
  const createRule = (members: readonly string[] | 'all' | 'none', ...parties: readonly string[]) => ({
    table: 'Orders',
    column: 'Status',
    datatype: 'text',
    members: typeof members === 'string' ? [] : members,
    allMembers: typeof members === 'string' ? members === 'all' : null,
    shares: parties.map((party) =>
      party === 'default'
        ? { type: 'default' }
        : { type: 'group', party: party.startsWith('#') ? { bound: Number(party.slice(1)) } : party },
    ),
  });
  const describeChange = (before: readonly object[], after: readonly object[]): readonly string[] =>
    describePart({ pointer: '', before, after });

  test('are compared by party, however they are grouped', () => {
    expect(
      describeChange(
        [createRule(['North'], 'Sales', 'Finance'), createRule('none', 'default'), createRule(['A'], '#3')],
        [
          createRule(['North', 'South'], 'Sales'),
          createRule(['North'], 'Finance', 'Support'),
          createRule('all', 'default'),
        ],
      ),
    ).toEqual([
      'group Sales: only "North" → only "North", "South"',
      'everyone else: no values → all values',
      'group number 3 in the lock file: only "A" → no rule',
      'group Support: no rule → only "North"',
    ]);
  });

  test('of a party that has several are all shown, so that none seems to be its only one', () => {
    const both = [createRule(['North', 'South'], 'Sales'), createRule(['Iberia'], 'Sales')];
    const one = [createRule(['North', 'South'], 'Sales')];
    expect(describeChange(both, one)).toEqual([
      'group Sales: only "North", "South" + only "Iberia" → only "North", "South"',
    ]);
    expect(describeChange(one, both)).toEqual([
      'group Sales: only "North", "South" → only "North", "South" + only "Iberia"',
    ]);
    expect(
      describeDifference({ pointer: '', before: both, after: one }, instanceAndProjectTexts).map(
        ({ text }) => text,
      ),
    ).toEqual([
      'group Sales: only "North", "South" + only "Iberia" on the instance, only "North", "South" in the project',
    ]);
  });

  test('on a renamed column are compared under one name', () => {
    const rules = [createRule(['North'], 'Sales'), createRule('none', 'default')];
    const move = (rule: object) => ({ ...rule, table: 'Purchases', column: 'State' });
    const names = ['table: "Orders" → "Purchases"', 'column: "Status" → "State"'];
    expect(describeChange(rules, rules.map(move))).toEqual(names);
    expect(
      describeChange(rules, [createRule(['South'], 'Sales'), createRule('none', 'default')].map(move)),
    ).toEqual(['group Sales: only "North" → only "South"', ...names]);
  });

  test('that follow a rename are counted, and only their other changes are listed', () => {
    const rules = [createRule(['North'], 'Sales'), createRule('none', 'default')];
    const move = (rule: object) => ({ ...rule, table: 'Purchases', column: 'State' });
    const describeMove = (before: readonly object[], after: readonly object[], followingRules: number) =>
      listDifferenceLines(
        describeParts({
          ...createUpdate({ pointer: '', before, after }),
          item: 'rules/M/Purchases/State',
          from: 'rules/M/Orders/Status',
          followingRules,
        }),
      );
    expect(describeMove(rules, rules.map(move), 2)).toEqual(['2 rules follow the rename']);
    expect(
      describeMove(rules, [createRule(['South'], 'Sales'), createRule('none', 'default')].map(move), 1),
    ).toEqual(['1 rule follows the rename', 'group Sales: only "North" → only "South"']);
    expect(listDifferenceLines(describeParts({ ...createUpdate(), followingRules: 3 }))).toEqual([
      '3 rules follow the rename',
    ]);
  });

  test('with many values show those that differ first', () => {
    const values = Array.from({ length: 40 }, (_, index) => `V${index}`);
    const [line = ''] = describeChange([createRule(values, 'A')], [createRule([...values, 'New'], 'A')]);
    expect(line).toMatch(
      /^group A: only "V0", .*"V11", and 28 more → only "New", "V0", .*"V10", and 29 more$/,
    );
  });

  test('are shown with other members that differ', () => {
    const rules = [createRule(['1'], 'A'), createRule('none', 'default')];
    expect(
      describeChange(
        rules,
        rules.map((rule) => ({ ...rule, datatype: 'numeric' })),
      ),
    ).toEqual(['datatype: "text" → "numeric"']);
    const [first, second] = rules;
    expect(describeChange(rules, [{ ...first, datatype: 'numeric' }, { ...second }])).toEqual([
      'rules/0: none → {"table":"Orders","column":"Status","datatype":"numeric"}',
    ]);
  });

  test('that differ, but not in what any party may see, are shown with the members that differ', () => {
    const uncertain = { ...createRule([], 'A'), allMembers: null };
    expect(describeChange([uncertain], [{ ...uncertain, exclusionary: true }])).toEqual([
      'rules/0/exclusionary: none → true',
    ]);
  });

  test('are listed if they are created or deleted', () => {
    const change = createUpdate({ pointer: '', after: [createRule(['North'], 'Sales', 'Finance')] });
    expect(listDifferenceLines(describeParts({ ...change, action: 'create' }))).toEqual([
      'group Sales, group Finance: only "North"',
    ]);
    const deleted = createUpdate({ pointer: '', before: [createRule('all', 'default')] });
    expect(listDifferenceLines(describeParts({ ...deleted, action: 'delete' }))).toEqual([
      'everyone else: all values',
    ]);
  });
});

describe('a text of several lines', () => {
  const createLines = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `line ${index + 1}`);
  const describeChange = (before: string | undefined, after: string): readonly string[] =>
    describePart({ pointer: '', before, after });

  test('is shown as a unified diff', () => {
    const lines = createLines(30);
    expect(
      describeChange(
        lines.join('\n'),
        lines.toSpliced(20, 1).toSpliced(5, 1, 'line six', 'line six and a half').join('\n'),
      ),
    ).toEqual([
      'content:',
      '  @@ -3,7 +3,8 @@',
      '   line 3',
      '   line 4',
      '   line 5',
      '  -line 6',
      '  +line six',
      '  +line six and a half',
      '   line 7',
      '   line 8',
      '   line 9',
      '  @@ -18,7 +19,6 @@',
      '   line 18',
      '   line 19',
      '   line 20',
      '  -line 21',
      '   line 22',
      '   line 23',
      '   line 24',
    ]);
  });

  test('shows differences that are close together in one section', () => {
    const lines = createLines(9);
    expect(
      describeChange(lines.join('\n'), lines.toSpliced(7, 1, 'b').toSpliced(0, 1, 'a').join('\n')),
    ).toEqual([
      'content:',
      '  @@ -1,9 +1,9 @@',
      '  -line 1',
      '  +a',
      ...lines.slice(1, 7).map((line) => `   ${line}`),
      '  -line 8',
      '  +b',
      '   line 9',
    ]);
  });

  test('is shown as added lines if there was no text before', () => {
    expect(describePart({ pointer: '/description', after: 'a\nb' })).toEqual([
      'description:',
      '  @@ -0,0 +1,2 @@',
      '  +a',
      '  +b',
    ]);
  });

  test('shows the difference of long lines', () => {
    const createSql = (value: number): string =>
      `SELECT 1,\n${'column, '.repeat(40)}WHERE a = ${value} ${'x'.repeat(200)}`;
    const [, , , removed = '', added = ''] = describeChange(createSql(1), createSql(22));
    expect(removed).toMatch(/^ {2}-….{0,20}WHERE a = 1 x+…$/);
    expect(added).toMatch(/^ {2}\+….{0,20}WHERE a = 22 x+…$/);
  });

  test('is shown in part if it is too long, and what is left out is counted', () => {
    const lines = createLines(400);
    const shown = describeChange('SELECT 1', lines.join('\n'));
    expect(shown).toHaveLength(151);
    expect(shown.at(-1)).toBe('  … and 253 more lines');
  });
});

test('of long texts, the part that differs is shown', () => {
  const describeChange = (before: unknown, after: unknown): string =>
    describePart({ pointer: '', before, after }).join('\n').slice('content: '.length);
  const createSql = (condition: string) =>
    `SELECT ${'column, '.repeat(40)}1 FROM t WHERE ${condition} ${'x'.repeat(200)}`;
  const [before = '', after = '', ...rest] = describeChange(createSql('a = 1'), createSql('a = 22')).split(
    ' → ',
  );
  expect(rest).toEqual([]);
  expect(before).toMatch(/^….{0,20}WHERE a = 1 x+…$/);
  expect(after).toMatch(/^….{0,20}WHERE a = 22 x+…$/);
  expect(Math.max(before.length, after.length)).toBeLessThanOrEqual(102);
  // What follows a long common text is shown even if it's the end.
  expect(describeChange('x'.repeat(200), `${'x'.repeat(200)}y`)).toBe(
    `…${'x'.repeat(20)}" → …${'x'.repeat(20)}y"`,
  );
  // A long new value is shortened, too.
  expect(describeChange(undefined, 'x'.repeat(200))).toBe(`none → "${'x'.repeat(99)}…`);
});

test('only 150 differences of an item are shown, and the others are counted', () => {
  const part = (count: number): Part => ({
    pointer: '/a',
    before: {},
    after: Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, index])),
  });
  expect(describePart(part(150)).at(-1)).toBe('a/m149: none → 149');
  expect(describePart(part(151)).at(-1)).toBe('… and 1 more difference');
  expect(describePart(part(160)).at(-1)).toBe('… and 10 more differences');
});
