import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import { describeAccess } from '../../../../src/changes/messages/describeAccess.ts';
import type { PlannedAccess } from '../../../../src/changes/model/plan.ts';
import {
  type AccessState,
  computeAccessDifference,
} from '../../../../src/security/change/accessDifference.ts';
import type { AccessDifferenceRow } from '../../../../src/security/change/accessDifferenceRow.ts';
import { allValues, noValues } from '../../../../src/security/valueSet.ts';
import { Memberships } from '../../../../src/security/membership/memberships.ts';
import { type RuleParts, everything, nothing, only, rule } from '../../security/rules.ts';

const names = ['Regions', 'Stores', 'Orders', 'Items', 'Returns', 'Calendar'];
const tables = names.map((name) => ({ name, columns: [{ name: 'Id' }, { name: 'Region' }] }));
/** The table Stores has a relation to every other table. */
const catalog: AccessState['catalog'] = {
  complete: true,
  tables,
  relations: names
    .filter((name) => name !== 'Stores')
    .map((name) => ({ columns: [name, 'Stores'].map((table) => ({ table, column: 'Id' })) })),
};
const withoutStores: AccessState['catalog'] = {
  complete: true,
  tables: tables.filter(({ name }) => name !== 'Stores'),
  relations: [],
};

const regionRules = [
  rule({ ...only('North', 'a, b'), column: 'Regions.Region' }, 'group:1'),
  rule({ ...nothing, column: 'Regions.Region' }, 'default'),
];

function describeChange(before: AccessState, after: AccessState, otherPartyCount = 0) {
  const { rows } = computeAccessDifference({ before, after });
  const partyNames = new Map([
    ['group:1', 'Sales'],
    ['user:2', 'anna'],
  ]);
  const { summary, sections, unchecked } = describeAccess(
    {
      subjects: [{ title: 'Retail', difference: { rows, otherPartyCount, hasMoreCombinations: false } }],
      partyNames,
    },
    english,
  );
  return {
    summary,
    unchecked,
    lines: sections.flatMap(({ title, items }) =>
      items.map(({ text, detail }) => `${title}: ${text} · ${detail ?? ''}`),
    ),
  };
}

describe('the summary', () => {
  test('shows who gains the rows of which tables, and what restricts them now', () => {
    const { summary, lines } = describeChange(
      { rules: regionRules, catalog },
      { rules: regionRules, catalog: withoutStores },
    );
    expect(summary).toBe(
      'Everyone else gains all rows of Orders, Items, and 2 more tables (now: no rows, restricted by Regions.Region). ' +
        '1 more user or group gains access.',
    );
    expect(lines).toEqual([
      'Gains access: Everyone else · Orders, Items, Returns, Calendar: no rows, restricted by Regions.Region → all rows',
      'Gains access: Group Sales · Orders, Items, Returns, Calendar: some rows, restricted by Regions.Region: only "a, b", "North" → all rows',
    ]);
  });

  test('shows who gains some rows, and whether that is certain', () => {
    const orderRules = [
      rule({ ...only('a'), column: 'Orders.Id' }, 'group:1'),
      rule({ ...nothing, column: 'Orders.Id' }, 'default'),
    ];
    const withoutOrders: AccessState['catalog'] = {
      complete: true,
      tables,
      relations: (catalog?.relations ?? []).filter(({ columns }) => columns[0]?.table !== 'Orders'),
    };
    const rules = [...regionRules, ...orderRules];
    expect(describeChange({ rules, catalog }, { rules, catalog: withoutOrders }).summary).toBe(
      'Group Sales gains rows of Regions, Stores, and 3 more tables (now: some rows, restricted by Orders.Id: only "a"; ' +
        'Regions.Region: only "a, b", "North"; after: some rows, restricted by Regions.Region: only "a, b", "North").',
    );
    const userRules = [
      ...rules,
      rule({ ...only('b'), column: 'Orders.Id' }, 'user:2'),
      rule({ ...only('c'), column: 'Regions.Region' }, 'user:2'),
    ];
    const { rows } = computeAccessDifference({
      before: { rules: userRules, catalog },
      after: { rules: userRules, catalog: withoutOrders },
    });
    const userDifference = {
      rows: rows.filter(({ party }) => party.type === 'user'),
      otherPartyCount: 0,
      hasMoreCombinations: false,
    };
    const access = {
      subjects: [{ title: 'Retail', difference: userDifference }],
      partyNames: new Map([['user:2', 'anna']]),
    };
    expect(describeAccess(access, english).summary).toBe(
      'User anna might gain rows of Regions, Stores, and 3 more tables (now: some rows, restricted by Orders.Id: only "b"; ' +
        'Regions.Region: only "c"; after: some rows, restricted by Regions.Region: only "c").',
    );
  });

  test('shows who gains the values of which column', () => {
    expect(describeChange({ rules: regionRules }, { rules: [] }).summary).toBe(
      'Everyone else gains all values of Regions.Region (now: no values). 1 more user or group gains access.',
    );
    const createRules = (...values: readonly string[]) => [rule(only(...values), 'group:1')];
    expect(describeChange({ rules: createRules('a') }, { rules: createRules('a', 'b') }).summary).toBe(
      'Group Sales gains values of Stores.Region (now: only "a"; after: only "a", "b").',
    );
  });

  test('shows that a gain is uncertain', () => {
    const otherRules = [rule(only('West'), 'group:1'), rule(nothing, 'default')];
    const { summary, lines } = describeChange(
      { rules: [rule(only('North'), 'user:2'), ...otherRules] },
      { rules: [rule(everything, 'user:2'), ...otherRules] },
    );
    expect(summary).toBe('User anna might gain all values of Stores.Region (now: only "North").');
    expect(lines).toEqual([
      'Gains access: User anna · Stores.Region: only "North" → all values · uncertain: depends on the user\'s groups',
    ]);
  });

  test('shows who loses, also if others gain', () => {
    const rules = (sales: RuleParts, others: RuleParts) => [rule(sales, 'group:1'), rule(others, 'default')];
    const { summary } = describeChange(
      { rules: rules(only('a', 'b'), nothing) },
      { rules: rules(only('a'), everything) },
    );
    expect(summary).toBe(
      'Everyone else gains all values of Stores.Region (now: no values). Group Sales loses access to some data.',
    );
    const changeOfValues = describeChange(
      { rules: [rule(only('a'), 'group:1')] },
      { rules: [rule(only('b'), 'group:1')] },
    );
    expect(changeOfValues.summary).toBe(
      'Group Sales gains values of Stores.Region (now: only "a"; after: only "b"). Group Sales loses access to some data.',
    );
    const createRulesWithAnna = (parts: RuleParts) => [
      rule(parts, 'user:2'),
      rule(only('West'), 'group:1'),
      rule(nothing, 'default'),
    ];
    expect(
      describeChange(
        { rules: createRulesWithAnna(everything) },
        { rules: createRulesWithAnna(only('North')) },
      ).summary,
    ).toBe('No one gains access. User anna might lose access to some data.');
  });

  test('counts those who only might lose access apart from those who lose it', () => {
    const createRules = (parts: RuleParts) => [
      rule(parts, 'user:2'),
      rule(parts, 'group:1'),
      rule(nothing, 'default'),
    ];
    expect(
      describeChange({ rules: createRules(everything) }, { rules: createRules(only('North')) }).summary,
    ).toBe(
      'No one gains access. Group Sales loses access to some data. User anna might lose access to some data.',
    );
  });

  test('shows that no one gains', () => {
    const { summary, lines } = describeChange({ rules: [] }, { rules: regionRules });
    expect(summary).toBe('No one gains access. 2 users and groups lose access to some data.');
    expect(lines).toEqual([
      'Loses access: Everyone else · Regions.Region: all values → no values',
      'Loses access: Group Sales · Regions.Region: all values → only "a, b", "North"',
    ]);
    expect(describeChange({ rules: regionRules }, { rules: regionRules })).toEqual({
      summary: 'No one gains or loses access.',
      lines: [],
      unchecked: [],
    });
  });
});

test('the summary of a change that deletes data says that access to the remaining data stays the same', () => {
  const access = { subjects: [], partyNames: new Map<string, string>() };
  expect(describeAccess(access, english, { deletesData: true }).summary).toBe(
    "Access to everything that isn't deleted stays the same.",
  );
  expect(describeAccess(access, english).summary).toBe('No one gains or loses access.');
});

describe('if something becomes visible', () => {
  const newlyVisible = ['1 new table.'];
  const noChange = computeAccessDifference({ before: { rules: [] }, after: { rules: [] } });
  const summarize = (
    access: Partial<Parameters<typeof describeAccess>[0]>,
    options: Parameters<typeof describeAccess>[2] = {},
  ) =>
    describeAccess({ subjects: [], partyNames: new Map(), ...access }, english, { newlyVisible, ...options })
      .summary;
  const compareRules = (before: readonly unknown[], after: readonly unknown[]) => [
    {
      title: 'Retail',
      difference: computeAccessDifference({ before: { rules: before }, after: { rules: after } }),
    },
  ];

  test('sentences about unchanged access are about everything else', () => {
    expect(summarize({})).toBe('1 new table. Access to everything else stays the same.');
    expect(summarize({}, { deletesData: true })).toBe(
      "1 new table. Access to everything else that isn't deleted stays the same.",
    );
    expect(summarize({ subjects: compareRules([], [rule(nothing, 'default')]) })).toBe(
      '1 new table. No one gains access to anything else. Everyone else loses access to some data.',
    );
    const { rows } = computeAccessDifference({
      before: { rules: [rule(nothing, 'default')] },
      after: { rules: [] },
    });
    const untilBuild = { datamodel: 'Retail', isLive: false, rows };
    expect(summarize({ subjects: [{ title: 'Retail', difference: noChange, untilBuild }] })).toBe(
      '1 new table. After the next build, no one gains or loses access to anything else. Until the next build, more data might be visible: see "Not checked".',
    );
  });

  test('the summary names it after gained access', () => {
    expect(summarize({ subjects: compareRules([rule(nothing, 'default')], []) })).toBe(
      'Everyone else gains all values of Stores.Region (now: no values). 1 new table.',
    );
  });
});

test('the summary says that changes of access are unknown if not everything could be compared', () => {
  const summarize = (
    before: readonly unknown[],
    after: readonly unknown[],
    newlyVisible: readonly string[] = [],
  ) =>
    describeAccess(
      {
        subjects: [
          {
            title: 'Retail',
            difference: computeAccessDifference({ before: { rules: before }, after: { rules: after } }),
          },
        ],
        partyNames: new Map(),
      },
      english,
      { isPartlyUnknown: true, newlyVisible },
    ).summary;
  expect(summarize([], [])).toBe('Who gains or loses access is unknown.');
  expect(summarize([], [], ['1 new table.'])).toBe('1 new table. Who gains or loses access is unknown.');
  const loss = 'Everyone else loses access to some data.';
  expect(summarize([], [rule(nothing, 'default')])).toBe(
    `${loss} Not all rules and viewpoints could be compared.`,
  );
});

test('values are listed in the same order before and after a change', () => {
  const before = [rule(only('South', 'North'), 'group:1')];
  const after = [rule(only('West', 'North', 'South'), 'group:1')];
  expect(describeChange({ rules: before }, { rules: after }).lines).toEqual([
    'Gains access: Group Sales · Stores.Region: only "North", "South" → only "North", "South", "West"',
  ]);
});

test('an uncertain access is described by its bounds', () => {
  const before = [rule(only('North'), 'group:1')];
  expect(describeChange({ rules: [...before, rule(nothing, 'default')] }, { rules: before }).lines).toEqual([
    'Gains access: Everyone else · Stores.Region: no values → uncertain, from no values to all values',
  ]);
});

test('parties that were not computed are counted', () => {
  const { unchecked } = describeChange({ rules: regionRules }, { rules: [] }, 160);
  expect(unchecked).toEqual([
    { icon: 'question', text: '160 more users and groups', detail: 'their access might also change' },
  ]);
  const singleParty = describeChange({ rules: regionRules }, { rules: [] }, 1);
  expect(singleParty.unchecked).toMatchObject([{ text: '1 more user or group' }]);
});

test('with a datamodel and a cube set, each line names its subject, and the summary names the gain first', () => {
  const createSubject = (title: string, before: readonly unknown[], after: readonly unknown[]) => ({
    title,
    difference: computeAccessDifference({ before: { rules: before }, after: { rules: after } }),
  });
  const { summary, sections } = describeAccess(
    {
      subjects: [
        createSubject('Retail', [rule(only('a'), 'default')], [rule(only('b'), 'default')]),
        {
          ...createSubject('Regional Sales', [rule(nothing, 'default')], []),
          isCubeSet: true,
          rulesWithoutEffect: ['A', 'B', 'C', 'D'].map((column) => ({ table: 'Old', column })),
        },
      ],
      partyNames: new Map(),
    },
    english,
  );
  expect(summary).toBe(
    'Everyone else gains all values of Stores.Region in the cube set Regional Sales (now: no values). ' +
      'Everyone else loses access to some data. ' +
      'Rules of the cube set Regional Sales probably have no effect, because no known datamodel has these columns: ' +
      'Old.A; Old.B; Old.C; and 1 more.',
  );
  expect(sections.flatMap(({ items }) => items.map(({ detail }) => detail))).toEqual([
    'cube set Regional Sales · Stores.Region: no values → all values',
    'Retail · Stores.Region: only "a" → only "b"',
  ]);
});

test('tables that are linked to a column with changed rules are named', () => {
  const withoutRules: AccessState = { rules: [], catalog };
  const { summary, lines } = describeChange({ rules: regionRules, catalog }, withoutRules);
  expect(summary).toBe(
    'Everyone else gains all values of Regions.Region (now: no values). ' +
      'This also affects linked tables: Stores, Orders, and 3 more tables. 1 more user or group gains access.',
  );
  expect(lines[0]).toBe(
    'Gains access: Everyone else · Regions.Region: no values → all values · ' +
      'also affects linked tables: Stores, Orders, and 3 more tables',
  );
  const changeWithoutLinks = describeChange(
    { rules: regionRules, catalog: withoutStores },
    { rules: [], catalog: withoutStores },
  );
  expect(changeWithoutLinks.lines[0]).toBe(
    'Gains access: Everyone else · Regions.Region: no values → all values',
  );
});

test('the summary says that some users or groups might gain access if some access was not computed', () => {
  expect(describeChange({ rules: [] }, { rules: [] }, 2).summary).toBe(
    'Some users or groups might gain or lose access.',
  );
  expect(describeChange({ rules: [] }, { rules: regionRules }, 2).summary).toBe(
    'Some users or groups might gain or lose access. 2 users and groups lose access to some data.',
  );
});

test('a plan says if the tables that rules affect could not be read', () => {
  const { unchecked } = describeAccess(
    {
      subjects: [
        {
          title: 'Retail',
          difference: { rows: [], otherPartyCount: 0, hasMoreCombinations: false },
          hasUnreadableTables: true,
        },
      ],
      partyNames: new Map(),
    },
    english,
  );
  expect(unchecked).toEqual([
    {
      icon: 'question',
      text: 'Other tables of Retail',
      detail: 'who gains or loses access to linked tables is unknown',
    },
  ]);
});

test('users in several groups are named by their groups, and counted apart', () => {
  const region = (parts: RuleParts, group: string) => rule({ ...parts, column: 'Regions.Region' }, group);
  const others = region(nothing, 'default');
  const before = [region(only('North'), 'group:1'), region(nothing, 'group:3'), others];
  const after = [region(only('North'), 'group:1'), others];
  const partyNames = new Map([
    ['group:1', 'Sales'],
    ['group:3', 'Alps'],
    ['group:4', 'Managers'],
  ]);
  const describeKnown = (groupSets: readonly (readonly string[])[] | undefined) => {
    const difference = computeAccessDifference({
      before: { rules: [...before, region(everything, 'group:4')], catalog },
      after: { rules: [...after, region(everything, 'group:4')], catalog },
      memberships: new Memberships(undefined, groupSets),
    });
    return describeAccess({ subjects: [{ title: 'Retail', difference }], partyNames }, english);
  };
  expect(describeKnown([['1'], ['3']]).summary).toBe('No one gains or loses access.');
  expect(describeKnown([['3', '1']]).summary).toMatch(
    /^Anyone in both Sales and Alps gains values of Regions\.Region \(now: no values; after: only "North"\)\./,
  );
  expect(describeKnown([['1', '3', '4']]).summary).toMatch(
    /^Anyone in all of Sales, Alps, and Managers might gain values of Regions\.Region/,
  );
  const unknown = describeKnown(undefined);
  expect(unknown.summary).toMatch(
    /^Anyone in both Alps and .* might gain .*1 more user or group might gain access\.$/,
  );
  expect(unknown.sections[0]?.items.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/uncertain: depends on who is in these groups$/),
    expect.stringMatching(/uncertain: depends on who is in these groups$/),
  ]);
});

describe('the summary counts the parties after the first:', () => {
  const gain = (id: string, column: string, isUncertain: boolean): AccessDifferenceRow => ({
    kind: 'column',
    party: { type: 'group', id },
    effect: 'gains',
    isUncertain,
    name: { table: 'Regions', column },
    tables: [],
    before: { access: noValues, bounds: { atLeast: noValues, atMost: noValues } },
    after: { access: allValues, bounds: { atLeast: allValues, atMost: allValues } },
  });
  const first = gain('1', 'Region', false);

  test.each<[string, readonly AccessDifferenceRow[], string]>([
    ['one certain gain', [gain('2', 'Region', false)], '1 more user or group gains access.'],
    ['one uncertain gain', [gain('2', 'Region', true)], '1 more user or group might gain access.'],
    [
      'several certain gains',
      [gain('2', 'Region', false), gain('3', 'Region', false)],
      '2 more users and groups gain access.',
    ],
    [
      'a certain and an uncertain gain',
      [gain('2', 'Region', false), gain('3', 'Region', true)],
      '1 more user or group gains access. 1 more user or group might gain access.',
    ],
    [
      'a party with a certain and an uncertain gain',
      [gain('2', 'Id', true), gain('2', 'Region', false)],
      '1 more user or group gains access.',
    ],
    [
      'an uncertain gain of the named party',
      [gain('1', 'Id', true), gain('2', 'Region', false)],
      '1 more user or group gains access.',
    ],
  ])('%s', (_name, others, sentence) => {
    const difference = { rows: [first, ...others], otherPartyCount: 0, hasMoreCombinations: false };
    const { summary } = describeAccess(
      { subjects: [{ title: 'Retail', difference }], partyNames: new Map([['group:1', 'Sales']]) },
      english,
    );
    expect(summary).toBe(`Group Sales gains all values of Regions.Region (now: no values). ${sentence}`);
  });
});

test('a plan says if more users in several groups might gain access', () => {
  const difference = { rows: [], otherPartyCount: 0, hasMoreCombinations: true };
  const { summary, unchecked } = describeAccess(
    { subjects: [{ title: 'Retail', difference }], partyNames: new Map() },
    english,
  );
  expect(summary).toBe('Some users or groups might gain or lose access.');
  expect(unchecked.map(({ text, detail }) => `${text}: ${detail}`)).toEqual([
    'Users affected by several rules: their access might also change',
  ]);
});

describe('what might be visible until the next build', () => {
  const noChange = { rows: [], otherPartyCount: 0, hasMoreCombinations: false };
  const describeUntilBuild = (access: Omit<PlannedAccess, 'partyNames'>) =>
    describeAccess({ ...access, partyNames: new Map() }, english).untilBuild.map(
      ({ text, detail }) => `${text}: ${detail}`,
    );

  test('is one line for all viewpoints of a datamodel', () => {
    const viewpoints = (datamodel: string, ...list: readonly string[]) =>
      list.map((viewpoint) => ({ viewpoint, datamodel, isLive: datamodel === 'Desk' }));
    const asNeverBuilt = (entries: ReturnType<typeof viewpoints>) =>
      entries.map((entry) => ({ ...entry, isNeverBuilt: true as const }));
    expect(
      describeUntilBuild({
        subjects: [],
        viewpointsUntilBuild: [
          ...viewpoints('Retail', 'A', 'B', 'C', 'D'),
          ...viewpoints('Desk', 'One'),
          ...viewpoints('Retail', 'E', 'F', 'G'),
          ...asNeverBuilt(viewpoints('Store', 'Two')),
          ...asNeverBuilt(viewpoints('Desk', 'Three')),
        ],
      }),
    ).toEqual([
      '7 viewpoints (A, B, C, D, E, and 2 more): rules might not restrict linked tables until Retail is built, if queries use the schema of the last build',
      'Viewpoint One: rules might not restrict linked tables until Desk is published, if queries use the last published schema',
      'Viewpoint Two: rules might not restrict linked tables until Store is built again, if its first build is already running',
      'Viewpoint Three: rules might not restrict linked tables until Desk is published again, if its first publication is already running',
    ]);
  });

  test('is only what is deleted if the rows are gained for good', () => {
    const difference = computeAccessDifference({
      before: { rules: [rule(nothing, 'default')] },
      after: { rules: [] },
    });
    const untilBuild = { datamodel: 'Retail', isLive: false, rows: difference.rows };
    expect(describeUntilBuild({ subjects: [{ title: 'Retail', difference, untilBuild }] })).toEqual([
      'Everyone else: the additional rows also show deleted columns and tables · until Retail is built, if queries use the schema of the last build',
    ]);
  });

  test('is one line for all datamodels that a cube set may contain', () => {
    const { rows } = computeAccessDifference({
      before: { rules: [rule({ ...nothing, column: 'Regions.Area' }, 'default')] },
      after: { rules: [] },
    });
    const createSubject = (title: string, datamodel: string, isCubeSet: boolean) => ({
      title,
      ...(isCubeSet ? { isCubeSet: true as const } : {}),
      difference: noChange,
      untilBuild: { datamodel, isLive: datamodel === 'Desk', rows },
    });
    const asNeverBuilt = (subject: ReturnType<typeof createSubject>) => ({
      ...subject,
      untilBuild: { ...subject.untilBuild, isNeverBuilt: true as const },
    });
    const gain = 'Regions.Area: no values → all values';
    expect(
      describeUntilBuild({
        subjects: [
          createSubject('All', 'Retail', true),
          createSubject('All', 'Store', true),
          createSubject('Retail', 'Retail', false),
          createSubject('Store', 'Store', false),
          asNeverBuilt(createSubject('All', 'One', true)),
          asNeverBuilt(createSubject('All', 'Two', true)),
          asNeverBuilt(createSubject('One', 'One', false)),
          asNeverBuilt(createSubject('Desk', 'Desk', false)),
        ],
      }),
    ).toEqual([
      `Everyone else: cube set All · ${gain} · until Retail and Store are built, if queries use the schema of the last build`,
      `Everyone else: ${gain} · until Retail is built, if queries use the schema of the last build`,
      `Everyone else: ${gain} · until Store is built, if queries use the schema of the last build`,
      `Everyone else: cube set All · ${gain} · until One and Two are built again, if their first builds are already running`,
      `Everyone else: ${gain} · until One is built again, if its first build is already running`,
      `Everyone else: ${gain} · until Desk is published again, if its first publication is already running`,
    ]);
  });
});
