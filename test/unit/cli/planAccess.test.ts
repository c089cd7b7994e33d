import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { getObjects } from '../../../src/changes/model/jsonMembers.ts';
import { createAccessOutput } from '../../../src/cli/planAccess.ts';
import { emptyLock } from '../../../src/project/pull/lock.ts';
import { createDemoContent } from '../project/apply/demoContent.ts';
import {
  type InstanceContent,
  TestInstance,
  copyForOtherInstance,
  pullNew,
} from '../project/apply/roundTripSupport.ts';
import type { PulledProject } from '../project/pull/pullSupport.ts';
import { computePlannedAccess } from './planAccessSupport.ts';

/** Returns what a plan says about access when the project is applied to an instance. */
async function planAccess(
  project: PulledProject,
  content: InstanceContent,
  profile: 'guide' | 'contract' = 'guide',
) {
  using instance = new TestInstance(profile, content);
  return await computePlannedAccess(instance, project, { lock: emptyLock });
}

async function pullDemo(): Promise<PulledProject> {
  using instance = new TestInstance('guide', createDemoContent());
  return await pullNew(instance);
}

/** Returns the demo without a table of a datamodel; its rules stay. */
function createDemoWithout(title: string, tableName: string): InstanceContent {
  const demo = createDemoContent();
  const removeTable = (dataset: JsonObject): JsonObject => {
    const schema = dataset['schema'] as JsonObject;
    return {
      ...dataset,
      schema: { ...schema, tables: getObjects(schema['tables']).filter(({ name }) => name !== tableName) },
    };
  };
  return {
    users: demo.users,
    groups: demo.groups,
    extractRules: demo.extractRules,
    liveRules: demo.liveRules,
    viewpoints: [],
    datamodels: demo.datamodels.map((model) =>
      model['title'] === title
        ? { ...model, relations: [], datasets: getObjects(model['datasets']).map(removeTable) }
        : model,
    ),
  };
}

describe('a plan', () => {
  test('shows who will see the tables of a new datamodel, where nobody had access before', async () => {
    const demo = createDemoContent();
    const { rows, summary, newTables } = await planAccess(copyForOtherInstance(await pullDemo()), {
      users: demo.users,
      groups: demo.groups,
    });
    // The viewpoints wait until rules restrict the tables that builds create the columns of.
    expect(rows).toEqual([]);
    expect(summary).toBe(
      '21 new tables: 13 restricted by rules, 3 restricted only for some users and groups, and 5 without rules in this apply, which everyone with access to the datamodel will see. Access to everything else stays the same.',
    );
    expect(newTables.find(({ item }) => item === 'table/Marketing/Leads')?.rules).toEqual([
      'Region: everyone else: all values',
      'Region: group Sales North: only "Nordics", "North"',
      'Region: group Sales South: only "Alps", "South"',
      'Region: group Support: no values',
      'rules on linked tables: Campaigns.Channel',
    ]);
    const getRules = (table: string) => newTables.find(({ item }) => item === table)?.rules;
    expect(getRules('table/Retail/Returns')).toEqual([
      'rules on linked tables: Orders.Channel, Orders.Status, Products.Category Id, and 4 more columns',
    ]);
    // Its columns, and so its relation, are created by a build.
    expect(getRules('table/Retail/Monthly Store Sales')).toEqual([
      expect.stringMatching(/^rules on linked tables: .* \(not in this apply\)$/),
    ]);
    expect(getRules('table/Retail/Store Ranking')).toEqual([]);
  });

  test('says which rules of new tables another apply has to write', async () => {
    const demo = createDemoContent();
    const { summary, newTables } = await planAccess(
      copyForOtherInstance(await pullDemo()),
      { users: demo.users, groups: demo.groups },
      'contract',
    );
    // Until an apply writes the rules, everyone sees all of these tables.
    expect(summary).toMatch(
      /^\d+ new tables: without rules in this apply, so everyone with access to the datamodel will see them\. 11 of them have rules that aren't in this apply\. /,
    );
    expect(newTables.find(({ item }) => item === 'table/Retail/Customers')?.rules).toEqual([
      'Segment: everyone else: all values (not in this apply)',
      'Segment: group Marketing: only "Club" (not in this apply)',
      expect.stringMatching(/^rules on linked tables: Orders\.Channel, .* \(not in this apply\)$/),
    ]);
  });

  test('shows who will see a restored table whose rules the instance still has', async () => {
    const project = await pullDemo();
    const content = createDemoWithout('Marketing', 'Leads');
    const rulesPath = 'datamodels/Marketing/rules/Leads.Region.rules.json';
    const {
      newTables: [table],
      summary,
    } = await planAccess(project, content);
    expect(summary).toContain(
      '1 new table: rules restrict only some users and groups, so everyone else with access to the datamodel will see it.',
    );
    expect(summary).not.toContain('No one gains or loses access.');
    // The rules are not in the project.
    project.texts.delete(rulesPath);
    const withoutFile = await planAccess(project, content);
    expect(withoutFile.newTables).toEqual([
      {
        item: 'table/Marketing/Leads',
        rules: table?.rules.map((rule) =>
          rule.startsWith('Region: ') ? `${rule} (already on the instance)` : rule,
        ),
      },
    ]);
  });
});

describe('a viewpoint', () => {
  const path = 'viewpoints/Revenue by Region.viewpoint.json';

  /** Returns what a plan says if the viewpoint changes from one visibility to another. */
  async function planSharing(before: JsonObject, after: JsonObject | undefined) {
    using instance = new TestInstance('guide', createDemoContent());
    const project = await pullNew(instance);
    const viewpoint = JSON.parse(project.texts.get(path) ?? '') as JsonObject;
    const write = (visibility: JsonObject): void =>
      void project.texts.set(
        path,
        JSON.stringify({ ...viewpoint, enabled: visibility['enabled'] ?? false, visibility }),
      );
    write(before);
    await instance.apply(project);
    if (after === undefined) {
      project.texts.delete(path);
    } else {
      write(after);
    }
    return await computePlannedAccess(instance, project, { prunedKinds: new Set(['viewpoint']) });
  }

  const shared = { apps: ['teams'], groups: ['Sales'], users: [], enabled: true };

  test('is shared and published: the plan names who gains it', async () => {
    const row = {
      effect: 'gains',
      party: 'Group Sales',
      text: 'viewpoint Revenue by Region: not visible → visible in teams',
      viewpoints: ['Revenue by Region'],
    };
    const summary = 'Group Sales gains the viewpoint Revenue by Region.';
    const unshared = { ...shared, apps: [], groups: [] };
    expect(await planSharing(unshared, shared)).toMatchObject({ summary, rows: [row] });
    expect(await planSharing({ ...shared, enabled: false }, shared)).toMatchObject({ summary, rows: [row] });
  });

  test('is deleted or no longer published: the plan names who loses it', async () => {
    const expected = {
      summary: 'No one gains access. Group Sales loses the viewpoint Revenue by Region.',
      rows: [
        {
          effect: 'loses',
          party: 'Group Sales',
          text: 'viewpoint Revenue by Region: visible in teams → not visible',
        },
      ],
    };
    expect(await planSharing(shared, undefined)).toMatchObject(expected);
    expect(await planSharing(shared, { ...shared, enabled: false })).toMatchObject(expected);
  });
});

describe('a linked table with rules', () => {
  const folder = 'datamodels/Retail';
  const paths = {
    table: `${folder}/tables/Returns Copy.table.json`,
    rules: `${folder}/rules/Returns Copy.Reason.rules.json`,
    relation: `${folder}/relations/Order Items.Order Item Id - Returns Copy.Order Item Id.relation.json`,
  } as const;
  type Part = keyof typeof paths;

  /** Adds a copy of Returns that only Sales sees some rows of, linked to most of the datamodel, or parts of it. */
  function addCopy({ texts }: PulledProject, parts: readonly Part[]): void {
    const table = texts.get(`${folder}/tables/Returns.table.json`) ?? '';
    const relation =
      texts.get(`${folder}/relations/Order Items.Order Item Id - Returns.Order Item Id.relation.json`) ?? '';
    const reason = { table: 'Returns Copy', column: 'Reason', datatype: 'text' };
    const contents: Readonly<Record<Part, string>> = {
      table: table.replace('"name": "Returns"', '"name": "Returns Copy"'),
      relation: relation.replace('"table": "Returns"', '"table": "Returns Copy"'),
      rules: JSON.stringify([
        { ...reason, members: [], allMembers: false, shares: [{ type: 'default' }] },
        {
          ...reason,
          members: ['Damaged'],
          allMembers: null,
          shares: [{ type: 'group', party: 'Sales' }],
        },
      ]),
    };
    parts.forEach((part) => texts.set(paths[part], contents[part]));
  }

  async function createInstance(parts: readonly Part[]) {
    const instance = new TestInstance('guide', createDemoContent());
    const project = await pullNew(instance);
    if (parts.length > 0) {
      addCopy(project, parts);
      await instance.apply(project);
    }
    return { instance, project };
  }

  type Access = Awaited<ReturnType<typeof computePlannedAccess>>;

  /** The parties that gain or lose, each with an effect. */
  const getParties = ({ rows }: Access): readonly string[] =>
    [...new Set(rows.map(({ party, effect }) => `${party} ${effect}`))].sort();

  test('is deleted with its rules: the same users and groups gain access as if only its relation were deleted', async () => {
    const { instance, project } = await createInstance(['table', 'rules', 'relation']);
    using _ = instance;
    project.texts.delete(paths.relation);
    const withoutRelation = await computePlannedAccess(instance, project, {
      prunedKinds: new Set(['relation']),
    });
    project.texts.delete(paths.table);
    project.texts.delete(paths.rules);
    const withoutAll = await computePlannedAccess(instance, project, {
      prunedKinds: new Set(['table', 'rules', 'relation']),
    });
    expect(getParties(withoutAll)).toEqual(getParties(withoutRelation));
    expect(getParties(withoutAll)).toContain('Group Executives gains');
  });

  test('is created with its rules: the same users and groups lose access as if only its relation were created', async () => {
    const { instance, project } = await createInstance(['table', 'rules']);
    using _ = instance;
    addCopy(project, ['relation']);
    const relation = await computePlannedAccess(instance, project);
    const { instance: other, project: otherProject } = await createInstance([]);
    using __ = other;
    addCopy(otherProject, ['table', 'rules', 'relation']);
    const all = await computePlannedAccess(other, otherProject);
    expect(getParties(all)).toEqual(getParties(relation));
    expect(all.summary).not.toContain('stays the same');
  });

  test('restricts a new table through a new relation', async () => {
    const { instance, project } = await createInstance([]);
    using _ = instance;
    addCopy(project, ['table']);
    const alone = await computePlannedAccess(instance, project);
    expect(alone.newTables).toEqual([{ item: 'table/Retail/Returns Copy', rules: [] }]);
    expect(alone.summary).toContain('1 new table: without rules, so everyone with access');
    addCopy(project, ['relation']);
    const linked = await computePlannedAccess(instance, project);
    expect(linked.newTables).toEqual([
      {
        item: 'table/Retail/Returns Copy',
        rules: [expect.stringMatching(/^rules on linked tables: Orders\.Channel, .*, and \d more columns$/)],
      },
    ]);
    expect(linked.summary).toContain('1 new table: rules restrict who sees it.');
  });

  test('gets its rules: the tables that it is linked to are named', async () => {
    const { instance, project } = await createInstance(['table', 'relation']);
    using _ = instance;
    addCopy(project, ['rules']);
    const { rows } = await computePlannedAccess(instance, project);
    const linked = 'also affects linked tables: Orders, Order Items, and 10 more tables';
    expect(rows).toEqual([
      {
        effect: 'loses',
        party: 'Everyone else',
        text: `Returns Copy.Reason: all values → no values · ${linked}`,
      },
      {
        effect: 'loses',
        party: 'Group Sales',
        text: `Returns Copy.Reason: all values → only "Damaged" · ${linked}`,
      },
    ]);
    await instance.apply(project);
    project.texts.delete(paths.rules);
    const deletion = await computePlannedAccess(instance, project, { prunedKinds: new Set(['rules']) });
    expect(deletion.summary).toBe(
      'Everyone else gains all values of Returns Copy.Reason (now: no values). ' +
        'This also affects linked tables: Orders, Order Items, and 10 more tables. 1 more user or group gains access.',
    );
  });
});

test('a plan whose changes all wait for another apply says that access stays the same until then', () => {
  const relation = {
    key: { kind: 'relation', datamodel: 'M', columns: [] },
    reason: 'relation-column',
  };
  const prepared = {
    compiled: { writes: [], problems: [], deferred: [relation] },
    comparison: { changes: [], renamer: { toProjectKey: (key: unknown) => key } },
    pulled: { items: [] },
    uncomparedItems: [],
  };
  const getSummary = (...problems: readonly object[]): string => {
    const loaded = { project: { items: [], problems }, prepared, limits: {}, reading: {} };
    return createAccessOutput(loaded as unknown as Parameters<typeof createAccessOutput>[0], undefined)
      .summary;
  };
  expect(getSummary()).toBe('None of this is in this apply. Access stays the same until the next apply.');
  // Once the file can be read, this apply may share the viewpoint.
  expect(getSummary({ path: 'viewpoints/New.viewpoint.json', code: 'syntax', severity: 'error' })).toBe(
    'Who gains or loses access is unknown.',
  );
});
