import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { type InstanceContent, TestInstance, pullNew } from '../project/apply/roundTripSupport.ts';
import type { PulledProject } from '../project/pull/pullSupport.ts';
import { computePlannedAccess } from './planAccessSupport.ts';

const createTable = (number: number, name: string, columns: readonly string[]): JsonObject => ({
  oid: `3${number}000000-0000-0000-0000-000000000000`,
  id: name,
  name,
  type: 'base',
  columns: columns.map((column, index) => ({
    oid: `3${number}000000-0000-0000-0000-00000000000${index + 1}`,
    id: column,
    name: column,
    type: 18,
  })),
});

const values = (...members: readonly string[]): JsonObject => ({ members, allMembers: null });
const everything: JsonObject = { members: [], allMembers: true };
const nothing: JsonObject = { members: [], allMembers: false };
const everyoneElse: JsonObject = { type: 'default' };
const users = ['alice', 'bob'].map((name) => ({
  _id: name.padEnd(24, 'a'),
  email: `${name}@example.com`,
  userName: name,
  firstName: name,
  lastName: '',
}));
const alice: JsonObject = { type: 'user', party: users[0]?._id ?? '' };
const bob: JsonObject = { type: 'user', party: users[1]?._id ?? '' };

const createRule = (name: string, grant: JsonObject, party: JsonObject = everyoneElse): JsonObject => {
  const [table = '', column = ''] = name.split('.');
  return { table, column, datatype: 'text', ...grant, shares: [party] };
};

/** Returns an instance with a datamodel M. */
const createContent = (tables: readonly JsonObject[], rules: readonly JsonObject[]): InstanceContent => ({
  users,
  datamodels: [
    {
      oid: '10000000-0000-0000-0000-000000000000',
      title: 'M',
      type: 'extract',
      relations: [],
      datasets: [
        {
          oid: '20000000-0000-0000-0000-000000000000',
          name: 'D',
          type: 'extract',
          connection: { provider: 'CSV' },
          schema: { tables },
        },
      ],
    },
  ],
  extractRules: rules.map((rule, index) => ({
    _id: `${index}`.padStart(24, 'b'),
    server: 'LocalHost',
    elasticube: 'M',
    cubeId: 'M',
    ...rule,
  })),
});

const folder = 'datamodels/M';

function setRules({ texts }: PulledProject, name: string, ...rules: readonly JsonObject[]): void {
  texts.set(`${folder}/rules/${name}.rules.json`, JSON.stringify(rules));
}

/** Adds a table N to a project, with a relation from its column K to that of another table. */
function addTable({ texts }: PulledProject, linkedTable?: string): void {
  const columns = ['X', 'K'].map((name) => ({ name, type: 18 }));
  texts.set(
    `${folder}/tables/N.table.json`,
    JSON.stringify({ name: 'N', id: 'N', dataset: 'D', type: 'base', columns }),
  );
  if (linkedTable !== undefined) {
    texts.set(
      `${folder}/relations/${linkedTable}.K - N.K.relation.json`,
      JSON.stringify({ columns: [linkedTable, 'N'].map((table) => ({ table, column: 'K' })) }),
    );
  }
}

const a = createTable(1, 'A', ['X', 'K']);
const b = createTable(2, 'B', ['Y', 'Z']);

test('a new table is restricted by the rules that linked tables have now, not by those of a later apply', async () => {
  /** Returns what the plan says if the rules on A.X change together with the name of B.Y and the rules on it. */
  async function plan(before: JsonObject, after: JsonObject | undefined) {
    const rules = [createRule('A.X', before), createRule('B.Y', values('North'))];
    using instance = new TestInstance('guide', createContent([a, b], rules));
    const project = await pullNew(instance);
    addTable(project, 'A');
    if (after === undefined) {
      project.texts.delete(`${folder}/rules/A.X.rules.json`);
    } else {
      setRules(project, 'A.X', createRule('A.X', after));
    }
    project.edit(`${folder}/tables/B.table.json`, '"name": "Y"', '"name": "Y2", "renamedFrom": "Y"');
    project.texts.delete(`${folder}/rules/B.Y.rules.json`);
    setRules(project, 'B.Y2', createRule('B.Y2', values('South')));
    return await computePlannedAccess(instance, project, { prunedKinds: new Set(['rules']) });
  }
  const planWithLaterRules = await plan(everything, values('a'));
  expect(planWithLaterRules.newTables).toEqual([
    { item: 'table/M/N', rules: ['rules on linked tables: A.X (not in this apply)'] },
  ]);
  expect(planWithLaterRules.summary).toContain(
    '1 new table: without rules in this apply, so everyone with access to the datamodel will see it.',
  );
  for (const after of [everything, values('b'), undefined]) {
    const planWithCurrentRules = await plan(values('a'), after);
    expect(planWithCurrentRules.newTables).toEqual([
      { item: 'table/M/N', rules: ['rules on linked tables: A.X'] },
    ]);
    expect(planWithCurrentRules.summary).toContain('1 new table: rules restrict who sees it.');
  }
});

test('rules on a column that the same apply deletes restrict no new table', async () => {
  const custom: JsonObject = {
    ...createTable(3, 'C', ['K', 'Z']),
    type: 'custom',
    expression: 'SELECT 1 AS K',
  };
  const [columnK = {}, columnZ = {}] = custom['columns'] as readonly JsonObject[];
  const columns = [columnK, { ...columnZ, isCustom: true, expression: '1' }];
  using instance = new TestInstance(
    'guide',
    createContent([{ ...custom, columns }], [createRule('C.Z', nothing)]),
  );
  const project = await pullNew(instance);
  addTable(project, 'C');
  const path = `${folder}/tables/C.table.json`;
  const table = JSON.parse(project.texts.get(path) ?? '') as JsonObject & { columns: readonly JsonObject[] };
  project.texts.set(
    path,
    JSON.stringify({
      ...table,
      columns: [...table.columns.filter(({ name }) => name !== 'Z'), { name: 'Later' }],
      // Waits until a build has created the column.
      buildBehavior: {
        type: 'accumulativeSync',
        accumulativeConfig: { column: { $ref: { table: 'C', column: 'Later' } } },
      },
    }),
  );
  const { newTables, summary } = await computePlannedAccess(instance, project, {
    prunedKinds: new Set(['column']),
  });
  expect(newTables).toEqual([{ item: 'table/M/N', rules: [] }]);
  expect(summary).toContain(
    '1 new table: without rules, so everyone with access to the datamodel will see it.',
  );
});

test('rules on linked tables are listed by whether and when they restrict a new table', async () => {
  const c = createTable(3, 'C', ['K', 'Former', 'W']);
  const unclear = createRule('B.Y', { members: [], allMembers: null });
  /** Returns the rules that restrict the new table, which is linked to A, B, and C. */
  async function plan(change: (project: PulledProject) => void) {
    const linkedB = createTable(2, 'B', ['Y', 'K']);
    const rules = [createRule('A.X', values('a')), unclear, createRule('C.Former', everything)];
    using instance = new TestInstance('guide', createContent([a, linkedB, c], rules));
    const project = await pullNew(instance);
    for (const linkedTable of ['A', 'B', 'C']) {
      addTable(project, linkedTable);
    }
    change(project);
    return (await computePlannedAccess(instance, project, { prunedKinds: new Set(['rules']) })).newTables[0]
      ?.rules;
  }
  const restricting = 'rules on linked tables: A.X';
  const uncertain = 'rules on linked tables that might restrict it: B.Y';
  expect(await plan(() => undefined)).toEqual([restricting, uncertain]);
  // A rule that waits doesn't make the others wait.
  const withLaterRules = await plan((project) => {
    project.edit(`${folder}/tables/C.table.json`, '"name": "Former"', '"name": "V", "renamedFrom": "Former"');
    project.texts.delete(`${folder}/rules/C.Former.rules.json`);
    setRules(project, 'C.V', createRule('C.V', values('v')));
    setRules(project, 'A.X', createRule('A.X', values('b')));
  });
  expect(withLaterRules).toEqual([restricting, uncertain, 'rules on linked tables: C.V (not in this apply)']);
});

describe('a new table', () => {
  const customTable: JsonObject = {
    ...createTable(3, 'C', ['K']),
    type: 'custom',
    expression: 'SELECT 1 AS K',
  };
  const restrictedText = 'rules restrict who sees it';
  const openText = 'everyone with access to the datamodel will see it';
  const withoutRules = `without rules, so ${openText}`;

  /**
   * Returns what a plan says about the new table.
   * @param options.own the rules in the project on the table
   * @param options.ownOnInstance the rules on the table that only the instance has
   * @param options.linked the rules on the linked table, which the instance has
   * @param options.change changes the project
   */
  async function plan({
    own = [],
    ownOnInstance = [],
    linked = [],
    linkedTable = 'A',
    change,
  }: {
    readonly own?: readonly JsonObject[];
    readonly ownOnInstance?: readonly JsonObject[];
    readonly linked?: readonly JsonObject[];
    readonly linkedTable?: 'A' | 'C';
    readonly change?: (project: PulledProject) => void;
  }) {
    using instance = new TestInstance(
      'guide',
      createContent([a, customTable], [...ownOnInstance, ...linked]),
    );
    const project = await pullNew(instance);
    for (const path of [...project.texts.keys()].filter((name) => name.startsWith(`${folder}/rules/N.`))) {
      project.texts.delete(path);
    }
    addTable(project, linkedTable);
    if (own.length > 0) {
      setRules(project, 'N.X', ...own);
    }
    change?.(project);
    const { newTables, summary } = await computePlannedAccess(instance, project);
    return {
      rules: newTables[0]?.rules,
      summary: /1 new table: (.*?)\. (?:Access|No one) /u.exec(summary)?.[1],
    };
  }

  test('is not restricted by rules on a column that it does not have', async () => {
    const ownOnInstance = [createRule('N.Gone', nothing)];
    expect(await plan({ ownOnInstance })).toEqual({ rules: [], summary: withoutRules });
    const linked = [createRule('A.X', values('a'))];
    expect(await plan({ ownOnInstance, linked })).toEqual({
      rules: ['rules on linked tables: A.X'],
      summary: restrictedText,
    });
    expect(await plan({ ownOnInstance: [createRule('N.X', nothing)], linked })).toEqual({
      rules: ['X: everyone else: no values (already on the instance)'],
      summary: restrictedText,
    });
  });

  test('is not restricted by rules that grant everything', async () => {
    const own = [createRule('N.X', everything)];
    expect(await plan({ own })).toEqual({
      rules: ['X: everyone else: all values'],
      summary: `without rules that restrict it, so ${openText}`,
    });
    expect(await plan({ own, linked: [createRule('A.X', values('a'))] })).toEqual({
      rules: ['X: everyone else: all values', 'rules on linked tables: A.X'],
      summary: restrictedText,
    });
    expect(await plan({ linked: [createRule('A.X', everything)] })).toEqual({
      rules: [],
      summary: withoutRules,
    });
  });

  test('is not restricted by rules on a column that a linked table does not have', async () => {
    const missing = await plan({ linked: [createRule('A.Gone', values('a'))] });
    expect(missing).toEqual({ rules: [], summary: withoutRules });
    const linked = [createRule('C.Gone', values('a'))];
    expect(await plan({ linked, linkedTable: 'C' })).toEqual({ rules: [], summary: withoutRules });
    // The new SQL may generate the column.
    const newSql = await plan({
      linked,
      linkedTable: 'C',
      change: ({ texts }) => texts.set(`${folder}/tables/C.datamodel.sql`, 'SELECT 2 AS K\n'),
    });
    expect(newSql).toEqual({
      rules: ['rules on linked tables that might restrict it: C.Gone'],
      summary:
        'without rules that are certain to restrict it, so everyone with access to the datamodel might see it',
    });
    expect(await plan({ linked: [createRule('C.K', values('a'))], linkedTable: 'C' })).toEqual({
      rules: ['rules on linked tables: C.K'],
      summary: restrictedText,
    });
  });

  test('that is restricted only for some users and groups is seen by everyone else', async () => {
    const partlyRestricted =
      'rules restrict only some users and groups, so everyone else with access to the datamodel';
    const createRules = (name: string) => [
      createRule(name, everything),
      createRule(name, values('a'), alice),
    ];
    const linked = await plan({ linked: createRules('A.X') });
    expect(linked).toEqual({
      rules: ['rules on linked tables: A.X'],
      summary: `${partlyRestricted} will see it`,
    });
    const own = createRules('N.X').map((rule) => ({
      ...rule,
      shares: (rule['shares'] as readonly JsonObject[]).map((share) =>
        share === alice ? { ...share, party: 'alice@example.com' } : share,
      ),
    }));
    expect((await plan({ own })).summary).toBe(`${partlyRestricted} will see it`);
    // Without a rule for everyone else, they may see all or nothing.
    expect((await plan({ own: own.slice(1) })).summary).toBe(`${partlyRestricted} might see it`);
    // Rules on several columns apply together.
    const both = await plan({ own, linked: [createRule('A.X', values('a'))] });
    expect(both.summary).toBe(restrictedText);
  });

  test('is not said to be restricted by rules whose effect is not documented', async () => {
    const unclear = {
      rules: ['rules on linked tables that might restrict it: A.X'],
      summary:
        'without rules that are certain to restrict it, so everyone with access to the datamodel might see it',
    };
    expect(await plan({ linked: [createRule('A.X', { members: [], allMembers: null })] })).toEqual(unclear);
    // Only Alice is certain to see everything.
    expect(await plan({ linked: [createRule('A.X', everything, alice)] })).toEqual(unclear);
    const lists = [everything, values('a')].map((grant) => createRule('A.X', grant, bob));
    expect(await plan({ linked: [createRule('A.X', everything), ...lists] })).toEqual(unclear);
  });
});
