import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { english } from '../../../../src/base/localize.ts';
import { getPullExitCode } from '../../../../src/cli/pullResult.ts';
import { type InstanceDocuments, convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { type ItemKey, formatItemKey } from '../../../../src/project/item.ts';
import { describeLeftOutItem } from '../../../../src/project/messages/pullTexts.ts';
import type { PullPlan } from '../../../../src/project/pull/planPull.ts';
import { PulledProject, createRetailDocuments, paths, rule, summarize } from './pullSupport.ts';

const idColumn = '{"oid":"30000000-0000-0000-0000-000000000001","name":"Id","type":8}';
const secretColumn = '{"oid":"30000000-0000-0000-0000-000000000004","name":"Secret","type":18}';
const secretRule: JsonObject = { ...rule, column: 'Secret' };
const roleRule: JsonObject = { ...secretRule, shares: [{ type: 'role', party: 'r1' }] };
const secretRulesPath = 'datamodels/Retail/rules/Customers.Secret.rules.json';

const withSecretColumn = [
  [idColumn, `${idColumn},${secretColumn}`],
  ['"description":"People"', '"description":"Theirs"'],
] as const;

const newTable = `,{"oid":"60000000-0000-0000-0000-000000000000","name":"New","columns":[{"oid":"60000000-0000-0000-0000-000000000001","name":"Id","type":8}]}`;
const withNewTable = [['"type":8}]}]}}]', `"type":8}]}${newTable}]}}]`]] as const;
const relate = (first: string, second: string) =>
  [
    '"relations":[',
    `"relations":[{"oid":"50000000-0000-0000-0000-000000000001","columns":[{"column":"${first}"},{"column":"${second}"}]},`,
  ] as const;

const isTop = (key: ItemKey): boolean => formatItemKey(key) === 'table/Retail/Top';
const areRulesUnread = (key: ItemKey): boolean => key.kind === 'rules';

const describeLeftOut = ({ leftOutItems }: PullPlan): readonly string[] =>
  leftOutItems.map((item) => describeLeftOutItem(english, item, formatItemKey(item.key)));
const getExitCode = (plan: PullPlan): number => {
  const pulled = convertInstance({
    datamodels: [],
    cubeSets: [],
    viewpoints: [],
    customData: [],
    users: [],
    groups: [],
    numberedReferences: [],
  });
  return getPullExitCode({ failedParts: [], pulled, project: { problems: [] }, plan });
};
const getWrittenPaths = ({ writes }: PullPlan): readonly string[] => writes.map(({ path }) => path);

function createProject(documents = createRetailDocuments()): PulledProject {
  const project = new PulledProject();
  project.pull(documents);
  return project;
}

/** Pulls, and expects that neither the file of the table nor its entry in the lock changes. */
function pullWithoutCustomers(
  project: PulledProject,
  documents: Partial<InstanceDocuments>,
  options: Parameters<PulledProject['pull']>[1] = {},
): PullPlan {
  const [text, entry] = [
    project.texts.get(paths.customers),
    project.lock.entries.get('table/Retail/Customers'),
  ];
  const plan = project.pull(documents, options);
  expect(project.texts.get(paths.customers)).toBe(text);
  expect(project.lock.entries.get('table/Retail/Customers')).toEqual(entry);
  return plan;
}

const leftOutColumn =
  'table/Retail/Customers: not pulled, because the rules on these columns are unknown: Secret.';
const describePartyType = (table: string, column: string): string =>
  `table/Retail/${table}: not pulled, because these columns have a rule for something other than users, groups, or everyone else: ${column}. To pull it, write a rules file for each of these columns, or change the rules on the instance.`;
const describeUnknown = (table: string): string =>
  `table/Retail/${table}: not pulled, because not all of its rules are known.`;
const describeDependent = (item: string): string =>
  `${item}: not pulled, because it depends on something that wasn't pulled.`;

describe('a known table with a new column whose rules are unknown', () => {
  const documents = createRetailDocuments(
    [
      ...withSecretColumn,
      relate('30000000-0000-0000-0000-000000000004', '40000000-0000-0000-0000-000000000001'),
      ['SELECT 1', 'SELECT Secret AS Id FROM Customers'],
    ],
    [rule, secretRule],
  );
  const cubeSets = [{ name: 'Sets', rules: [rule, secretRule] }];
  const getViewpoint = (column: string) => ({
    id: 'v1',
    name: 'Profit',
    details: {
      datasource: { title: 'Retail' },
      columns: [{ table: 'Customers', column, dim: `[Customers.${column}]` }],
    },
  });

  test('is left as it is with what refers to the column, until its rules are known', () => {
    const project = createProject();
    const plan = pullWithoutCustomers(
      project,
      { ...documents, cubeSets },
      { isUnknownOnInstance: areRulesUnread },
    );
    expect(describeLeftOut(plan)).toEqual([
      leftOutColumn,
      describeUnknown('Top'),
      ...['relation/Retail/Customers/Secret/Top/Id', 'cubeSetRules/Sets/Customers/Secret'].map(
        describeDependent,
      ),
    ]);
    expect(getWrittenPaths(plan)).toEqual(['cube-sets/Sets/rules/Customers.Region.rules.json']);
    expect(project.problems).toEqual([]);
    const next = project.pull({ ...documents, cubeSets });
    expect(next.leftOutItems).toEqual([]);
    expect(next.conflicts).toEqual([]);
    expect([...project.texts.keys()].toSorted()).toEqual(
      [...createProject({ ...documents, cubeSets }).texts.keys()].toSorted(),
    );
    expect(project.texts.get(paths.customers)).toContain('"Theirs"');
    expect(project.texts.has(secretRulesPath)).toBe(true);
  });

  test('does not hold back other tables and datamodels', () => {
    const project = createProject();
    const { datamodels = [] } = createRetailDocuments([
      ...withSecretColumn,
      ['"name":"Top"', '"name":"Top","description":"New"'],
    ]);
    const others = createRetailDocuments([['"title":"Retail"', '"title":"Other"']]).datamodels ?? [];
    const plan = pullWithoutCustomers(
      project,
      { datamodels: [...datamodels, ...others] },
      {
        isUnknownOnInstance: (key) => areRulesUnread(key) && 'datamodel' in key && key.datamodel === 'Retail',
      },
    );
    expect(describeLeftOut(plan)).toEqual([leftOutColumn]);
    expect(getWrittenPaths(plan)).toContain(paths.top);
    expect(getWrittenPaths(plan)).toContain('datamodels/Other/rules/Customers.Region.rules.json');
  });

  test('is pulled if only the rules of a cube set are unknown', () => {
    const plan = createProject().pull(createRetailDocuments(withSecretColumn), {
      isUnknownOnInstance: ({ kind }) => kind === 'cubeSetRules',
    });
    expect(getWrittenPaths(plan)).toEqual([paths.customers]);
    expect(plan.leftOutItems).toEqual([]);
  });

  test('is left as it is if a rule on the column has a party of an unknown type, unless the project has rules on it', () => {
    const project = createProject();
    const pulled = createRetailDocuments(withSecretColumn, [rule, secretRule, roleRule]);
    const unknown = pullWithoutCustomers(project, pulled);
    expect(describeLeftOut(unknown)).toEqual([describePartyType('Customers', 'Secret')]);
    expect(getExitCode(unknown)).toBe(3);
    project.texts.set(
      secretRulesPath,
      '[{"table": "Customers", "column": "Secret", "members": [], "allMembers": null, "shares": [{"type": "default"}]}]',
    );
    const plan = project.pull(pulled);
    expect(plan.leftOutItems).toEqual([]);
    expect(getExitCode(plan)).toBe(0);
    expect(getWrittenPaths(plan)).toEqual([paths.customers]);
  });

  test('is left as it is while a broken file might have the rules, but is pulled if the instance has no rules', () => {
    const project = createProject();
    project.texts.set(paths.region, '{');
    const pulled = createRetailDocuments(withSecretColumn, [rule, secretRule]);
    expect(describeLeftOut(pullWithoutCustomers(project, pulled))).toEqual([leftOutColumn]);
    expect(getWrittenPaths(project.pull(createRetailDocuments(withSecretColumn)))).toEqual([paths.customers]);
  });

  test('is left as it is if the instance wins a conflict', () => {
    const project = createProject();
    project.edit(paths.customers, '"People"', '"Ours"');
    const options = { isUnknownOnInstance: areRulesUnread, getWinner: () => 'theirs' as const };
    expect(describeLeftOut(pullWithoutCustomers(project, documents, options))).toContain(leftOutColumn);
  });

  test('keeps the viewpoints that refer to the column as they are', () => {
    const project = createProject({ ...createRetailDocuments(), viewpoints: [getViewpoint('Region')] });
    const pulled = {
      ...createRetailDocuments(withSecretColumn),
      viewpoints: [getViewpoint('Secret'), { ...getViewpoint('Id'), id: 'v2', name: 'Loss' }],
    };
    const plan = pullWithoutCustomers(project, pulled, { isUnknownOnInstance: areRulesUnread });
    expect(getWrittenPaths(plan)).toEqual(['viewpoints/Loss.viewpoint.json']);
  });
});

test.each([
  ['is changed', [['"description":"People"', '"description":"Theirs"']] as const],
  ['has a column with a new name', [['"name":"Region"', '"name":"Area"']] as const],
])('a known table whose rules are unknown is pulled if it only %s', (_name, replacements) => {
  const project = createProject(createRetailDocuments([], []));
  const plan = project.pull(createRetailDocuments(replacements), { isUnknownOnInstance: areRulesUnread });
  expect(getWrittenPaths(plan)).toEqual([paths.customers]);
  expect(plan.leftOutItems).toEqual([]);
});

test('a known table is left as it is if another column with unknown rules has the former name of a renamed one', () => {
  const project = createProject(createRetailDocuments([], []));
  const renamed = '"name":"Area","type":18}';
  const other = '{"oid":"30000000-0000-0000-0000-000000000004","name":"Region","type":18}';
  const pulled = createRetailDocuments(
    [['"name":"Region","type":18}', `${renamed},${other}`]],
    [{ ...roleRule, column: 'Region' }],
  );
  expect(describeLeftOut(pullWithoutCustomers(project, pulled))).toEqual([
    describePartyType('Customers', 'Region'),
  ]);
});

test('a known table is pulled even if the first rules on one of its columns are unknown', () => {
  const project = createProject(createRetailDocuments([], []));
  const pulled = createRetailDocuments(
    [['"description":"People"', '"description":"Theirs"']],
    [{ ...rule, shares: [{ type: 'role', party: 'r1' }] }],
  );
  const plan = project.pull(pulled);
  expect(getWrittenPaths(plan)).toEqual([paths.customers]);
  expect(plan.leftOutItems).toEqual([]);
  expect(plan.lock.entries.has('rules/Retail/Customers/Region')).toBe(false);
});

describe('a new table', () => {
  const [newId, topId] = ['60000000-0000-0000-0000-000000000001', '40000000-0000-0000-0000-000000000001'];
  const replacements = [...withNewTable, relate(newId, topId), ['SELECT 1', 'SELECT Id FROM New']] as const;
  const newRule = { ...rule, table: 'New', column: 'Id' };

  test.each([
    [
      'whose only rule has a party of an unknown type',
      [{ ...newRule, shares: [{ type: 'role' }] }],
      {},
      [
        describePartyType('New', 'Id'),
        ...['relation/Retail/New/Id/Top/Id', 'table/Retail/Top'].map(describeDependent),
      ],
    ],
    [
      'whose rules cannot be read',
      [newRule],
      { isUnknownOnInstance: areRulesUnread },
      [...['New', 'Top'].map(describeUnknown), describeDependent('relation/Retail/New/Id/Top/Id')],
    ],
  ])('%s is left out with what refers to it', (_name, rules, options, texts) => {
    const project = createProject();
    const before = new Map(project.texts);
    const { lockText } = project;
    const plan = project.pull(createRetailDocuments(replacements, [rule, ...rules]), options);
    expect(describeLeftOut(plan)).toEqual(texts);
    expect(getExitCode(plan)).toBe(3);
    expect(project.texts).toEqual(before);
    expect(project.lockText).toBe(lockText);
  });

  test('of a new datamodel whose rules cannot be read is left out with the datamodel and its viewpoints', () => {
    const project = new PulledProject();
    const viewpoint = { id: 'v1', name: 'Empty', details: { datasource: { title: 'Retail' }, columns: [] } };
    const pulled = { ...createRetailDocuments(), viewpoints: [viewpoint] };
    const plan = project.pull(pulled, { isUnknownOnInstance: areRulesUnread });
    expect(describeLeftOut(plan)).toEqual([
      'datamodel/Retail: not pulled, because not all of its rules are known.',
      describeDependent('viewpoint/Empty'),
    ]);
    expect(project.texts.size).toBe(0);
    expect(project.lock.entries.size).toBe(0);
  });

  test('that was deleted in the project is restored only with its rules', () => {
    const project = createProject();
    [paths.customers, paths.fullName, paths.region].forEach((path) => project.texts.delete(path));
    const pulled = createRetailDocuments([['"description":"People"', '"description":"Theirs"']]);
    const options = { isUnknownOnInstance: areRulesUnread, getWinner: () => 'theirs' as const };
    expect(describeLeftOut(project.pull(pulled, options))).toEqual([describeUnknown('Customers')]);
    expect(project.texts.has(paths.customers)).toBe(false);
  });

  test('that was deleted in the project is restored with its rules, even if these have not changed', () => {
    const project = createProject();
    [paths.customers, paths.fullName, paths.region].forEach((path) => project.texts.delete(path));
    const pulled = createRetailDocuments([['"description":"People"', '"description":"Theirs"']]);
    const plan = project.pull(pulled, { getWinner: () => 'theirs' });
    expect(getWrittenPaths(plan)).toEqual([paths.fullName, paths.region, paths.customers]);
    expect(project.pull(pulled).localChanges).toEqual([]);
  });
});

describe('a datamodel that refers to a column whose rule has a party of an unknown type', () => {
  const pulled = {
    ...createRetailDocuments(
      [
        ...withSecretColumn,
        ['"type":"extract"', '"type":"extract","main":"30000000-0000-0000-0000-000000000004"'],
      ],
      [rule, roleRule],
    ),
    viewpoints: [
      {
        id: 'v1',
        name: 'Profit',
        details: {
          datasource: { title: 'Retail' },
          columns: [{ table: 'Top', column: 'Id', dim: '[Top.Id]' }],
        },
      },
    ],
  };

  test('is left out together with the cause', () => {
    const plan = pullWithoutCustomers(createProject(), pulled);
    expect(describeLeftOut(plan)).toEqual([
      describePartyType('Customers', 'Secret'),
      describeDependent('datamodel/Retail'),
    ]);
    expect(getWrittenPaths(plan)).toEqual(['viewpoints/Profit.viewpoint.json']);
  });

  test('is left out as a whole together with the cause and its viewpoints if it is new', () => {
    const project = new PulledProject();
    const plan = project.pull(pulled);
    expect(describeLeftOut(plan)).toEqual([
      describePartyType('Customers', 'Secret'),
      describeDependent('datamodel/Retail'),
      describeDependent('viewpoint/Profit'),
    ]);
    expect(project.texts.size).toBe(0);
    expect(project.lock.entries.size).toBe(0);
  });
});

describe('a conflict of a deleted item with its rules', () => {
  const changes = [
    ['"description":"People"', '"description":"Theirs"'],
    ['"name":"Region"', '"name":"Region","hidden":true'],
  ] as const;
  const changedRule = { ...rule, members: ['South'] };
  const tableConflict = 'deleted-here table/Retail/Customers ';
  const rulesConflict = 'deleted-here rules/Retail/Customers/Region ';
  const createDeleted = (): PulledProject => {
    const project = createProject();
    [paths.customers, paths.fullName, paths.region].forEach((path) => project.texts.delete(path));
    return project;
  };

  test('is reported for the table and its rules, and resolved for both', () => {
    const pulled = createRetailDocuments(changes, [changedRule]);
    const project = createDeleted();
    const plan = project.pull(pulled);
    expect(summarize(plan).conflicts).toEqual([tableConflict, rulesConflict]);
    expect(plan.leftOutItems).toEqual([]);
    expect(getExitCode(plan)).toBe(2);
    const resolved = project.pull(pulled, {
      getWinner: () => 'theirs',
      isSelected: ({ kind }) => kind === 'table',
    });
    expect(getWrittenPaths(resolved)).toEqual([paths.fullName, paths.region, paths.customers]);
  });

  test('is reported for the table and the rules of a deleted column', () => {
    const project = createProject();
    const text = project.texts.get(paths.customers) ?? '';
    const { columns, ...table } = JSON.parse(text) as { columns: readonly { name: string }[] };
    project.texts.set(
      paths.customers,
      JSON.stringify({ ...table, columns: columns.filter(({ name }) => name !== 'Region') }),
    );
    project.texts.delete(paths.region);
    const plan = project.pull(createRetailDocuments(changes, [changedRule]));
    expect(summarize(plan).conflicts.map((conflict) => conflict.split(' ')[1])).toEqual([
      'table/Retail/Customers',
      'rules/Retail/Customers/Region',
    ]);
    expect(plan.leftOutItems).toEqual([]);
    expect(getExitCode(plan)).toBe(2);
  });

  test('is reported for the table if a rule has a party of an unknown type, but the table is not restored', () => {
    const pulled = createRetailDocuments(changes, [{ ...rule, shares: [{ type: 'role' }] }]);
    const project = createDeleted();
    const plan = project.pull(pulled);
    expect(summarize(plan).conflicts).toEqual([tableConflict]);
    expect(plan.leftOutItems).toEqual([]);
    expect(getExitCode(plan)).toBe(2);
    const restored = project.pull(pulled, { getWinner: () => 'theirs' });
    expect(restored.writes).toEqual([]);
    expect(describeLeftOut(restored)).toEqual([describePartyType('Customers', 'Region')]);
    expect(project.pull(pulled, { getWinner: () => 'ours' }).conflicts).toEqual([]);
    expect(project.pull(pulled).conflicts).toEqual([]);
  });

  test('keeps a new column out while only its rules are in conflict', () => {
    const project = createProject(createRetailDocuments(withSecretColumn, [rule, secretRule]));
    const { customers } = paths;
    project.pull(createRetailDocuments([], [rule, secretRule]));
    project.texts.delete(secretRulesPath);
    const pulled = createRetailDocuments(
      [[idColumn, `${idColumn},${secretColumn}`]],
      [rule, { ...secretRule, members: ['South'] }],
    );
    const plan = pullWithoutCustomers(project, pulled);
    expect(summarize(plan).conflicts).toEqual(['deleted-here rules/Retail/Customers/Secret ']);
    expect(describeLeftOut(plan)).toEqual([
      'table/Retail/Customers: not pulled, because it has new columns whose rules are in conflict: Secret. Resolve these conflicts, and then pull again.',
    ]);
    expect(getExitCode(plan)).toBe(2);
    expect(getWrittenPaths(project.pull(pulled, { getWinner: () => 'theirs' }))).toEqual([
      secretRulesPath,
      customers,
    ]);
  });
});

describe('a conflict of a table with a new column', () => {
  const createConflict = (): PulledProject => {
    const project = createProject();
    project.edit(paths.customers, '"People"', '"Ours"');
    return project;
  };
  const pulled = createRetailDocuments(withSecretColumn, [rule, secretRule]);

  test('is resolved with the rules on the column, although only the table is selected', () => {
    const project = createConflict();
    const plan = project.pull(pulled, {
      getWinner: () => 'ours',
      isSelected: ({ kind }) => kind === 'table',
    });
    expect(getWrittenPaths(plan)).toEqual([secretRulesPath, paths.customers]);
  });

  test('is not reported before the rules on the column are known', () => {
    const project = createConflict();
    const plan = pullWithoutCustomers(project, pulled, { isUnknownOnInstance: areRulesUnread });
    expect(describeLeftOut(plan)).toEqual([leftOutColumn]);
    expect(plan.conflicts).toEqual([]);
    expect(project.pull(pulled).conflicts).toHaveLength(1);
  });
});

describe('a custom table before its build', () => {
  const unbuilt = [
    [',"columns":[{"oid":"40000000-0000-0000-0000-000000000001","name":"Id","type":8}]', ',"columns":[]'],
    [
      '{"oid":"50000000-0000-0000-0000-000000000000","columns":[{"column":"30000000-0000-0000-0000-000000000001"},{"column":"40000000-0000-0000-0000-000000000001"}]}',
      '',
    ],
  ] as const;
  const changed = [...unbuilt, ['SELECT 1', 'SELECT Secret FROM Customers']] as const;
  const topRule = { ...secretRule, table: 'Top' };
  const topRules = 'datamodels/Retail/rules/Top.Secret.rules.json';
  const partyRule = { ...topRule, shares: [{ type: 'role' }] };

  test('is restored with its rules', () => {
    const project = createProject(createRetailDocuments(unbuilt, [rule, topRule]));
    [paths.top, paths.topSql, topRules].forEach((path) => project.texts.delete(path));
    const plan = project.pull(createRetailDocuments(changed, [rule, topRule]), {
      getWinner: () => 'theirs',
    });
    expect(getWrittenPaths(plan)).toEqual([paths.topSql, topRules, paths.top]);
  });

  test('is left out if a rule on a future column has a party of an unknown type', () => {
    const project = new PulledProject();
    const plan = project.pull(createRetailDocuments(unbuilt, [rule, partyRule]));
    expect(describeLeftOut(plan)).toEqual([describePartyType('Top', 'Secret')]);
    expect(getExitCode(plan)).toBe(3);
    expect(project.texts.has(paths.top)).toBe(false);
  });

  test.each([
    ['are unread', topRule, { isUnknownOnInstance: areRulesUnread }, describeUnknown('Top')],
    ['have a party of an unknown type', partyRule, {}, describePartyType('Top', 'Secret')],
  ])('does not get new SQL if the rules on its future columns %s', (_name, otherRule, options, text) => {
    const project = createProject(createRetailDocuments(unbuilt, [rule]));
    const plan = project.pull(createRetailDocuments(changed, [rule, otherRule]), options);
    expect(describeLeftOut(plan)).toEqual([text]);
    expect(plan.writes).toEqual([]);
  });

  test.each([
    [
      'its SQL is the same',
      [...unbuilt, ['"name":"Top"', '"name":"Top","hidden":true']] as const,
      areRulesUnread,
    ],
    ['its rules are known', changed, () => false],
  ])('is pulled if %s', (_name, replacements, isUnknownOnInstance) => {
    const project = createProject(createRetailDocuments(unbuilt, [rule]));
    const plan = project.pull(createRetailDocuments(replacements, [rule]), { isUnknownOnInstance });
    expect(plan.writes).toHaveLength(1);
    expect(plan.leftOutItems).toEqual([]);
  });
});

describe('a relation of a new table', () => {
  const relationPath = 'datamodels/Retail/relations/Customers.Id - Top.Id.relation.json';
  const orders = `,{"oid":"70000000-0000-0000-0000-000000000000","name":"Orders","columns":[{"oid":"70000000-0000-0000-0000-000000000001","name":"New Id","type":8}]}`;
  const related = [
    ['"type":8}]}]}}]', `"type":8}]}${newTable}${orders}]}}]`],
    relate('60000000-0000-0000-0000-000000000001', '70000000-0000-0000-0000-000000000001'),
  ] as const;
  const pulled = createRetailDocuments(related, [
    rule,
    { ...rule, table: 'New', column: 'Id', shares: [{ type: 'role' }] },
  ]);
  const leftOutTables = [
    describePartyType('New', 'Id'),
    ...['relation/Retail/New/Id/Orders/New Id', 'table/Retail/Orders'].map(describeDependent),
  ];

  test.each([
    ['known', createProject()],
    ['new', new PulledProject()],
  ])('to one that is left out leaves the new table of a %s datamodel out, too', (_name, project) => {
    const plan = project.pull(pulled);
    expect(describeLeftOut(plan)).toEqual(leftOutTables);
    expect(getWrittenPaths(plan).filter((path) => /New|Orders/.test(path))).toEqual([]);
    expect(project.problems).toEqual([]);
  });

  test('that a broken file might have leaves the table out', () => {
    const project = createProject();
    project.texts.set(relationPath, '{');
    expect(describeLeftOut(project.pull(createRetailDocuments(related)))).toEqual(
      ['table/Retail/New', 'table/Retail/Orders'].map(describeDependent),
    );
  });

  const changed = createRetailDocuments([['SELECT 1', 'SELECT 2']]);
  const createWithoutTop = (...others: readonly string[]): PulledProject => {
    const project = createProject();
    [paths.top, paths.topSql, relationPath, ...others].forEach((path) => project.texts.delete(path));
    return project;
  };

  test.each([
    ['', {}],
    [', even if only the table is selected', { isSelected: ({ kind }: ItemKey) => kind === 'table' }],
  ])('comes with a table that the instance restores%s', (_name, options) => {
    const project = createWithoutTop();
    const plan = project.pull(changed, { ...options, getWinner: () => 'theirs' });
    expect(getWrittenPaths(plan)).toEqual([paths.topSql, relationPath, paths.top]);
    expect(project.pull(changed).localChanges).toEqual([]);
  });

  test.each([
    ['', {}],
    [', even if only the restored table is selected', { isSelected: isTop }],
  ])('does not come with the restored table if the other table was deleted, too%s', (_name, options) => {
    const project = createWithoutTop(paths.customers, paths.fullName, paths.region);
    const plan = project.pull(changed, { ...options, getWinner: () => 'theirs' });
    expect(getWrittenPaths(plan)).toEqual([paths.topSql, paths.top]);
    expect(plan.leftOutItems).toEqual([]);
  });
});
