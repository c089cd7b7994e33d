import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { foldPath } from '../../../../src/project/fileNames.ts';
import type { PullPlan } from '../../../../src/project/pull/planPull.ts';
import { PulledProject, createRetailDocuments, listLeftOut, paths, rule, summarize } from './pullSupport.ts';

const areaPath = 'datamodels/Retail/rules/Customers.Area.rules.json';
const roleRule: JsonObject = { ...rule, shares: [{ type: 'role', party: 'r1' }] };
const theirs = () => 'theirs' as const;
const ours = () => 'ours' as const;

const listWrites = ({ writes }: PullPlan): readonly string[] => writes.map(({ path }) => path);

/** A project in which the column was deleted with its rules. */
function createWithoutRegion(): PulledProject {
  const project = new PulledProject();
  project.pull(createRetailDocuments());
  const { columns, ...table } = JSON.parse(project.texts.get(paths.customers) ?? '') as {
    columns: readonly { name: string }[];
  };
  project.texts.set(
    paths.customers,
    JSON.stringify({ ...table, columns: columns.filter(({ name }) => name !== 'Region') }),
  );
  project.texts.delete(paths.region);
  return project;
}

describe('a deleted column that has changed on the instance, with a rule for an unknown type of party', () => {
  const instance = createRetailDocuments([['"name":"Region"', '"name":"Region","hidden":true']], [roleRule]);

  test('is reported as a conflict of its table', () => {
    const project = createWithoutRegion();
    const plan = project.pull(instance);
    expect(summarize(plan).conflicts).toEqual(['both-changed table/Retail/Customers /columns/Region']);
    expect(listLeftOut(plan)).toEqual([]);
    expect(plan.writes).toEqual([]);
  });

  test('stays deleted if the project wins, and is not restored if the instance does', () => {
    const project = createWithoutRegion();
    const restored = project.pull(instance, { getWinner: theirs });
    expect(listLeftOut(restored)).toEqual(['party-type table/Retail/Customers Region']);
    expect(restored.writes).toEqual([]);
    expect(project.pull(instance, { getWinner: ours }).conflicts).toEqual([]);
    expect(project.texts.get(paths.customers)).not.toContain('Region');
    const plan = project.pull(instance);
    expect([plan.conflicts, plan.leftOutItems, plan.writes]).toEqual([[], [], []]);
  });

  test('is left out and not reported as a conflict if the table also has a new column with such a rule, because then the table is left out even if the project wins', () => {
    const project = createWithoutRegion();
    const plan = project.pull(
      createRetailDocuments(
        [['"name":"Region"', '"name":"Region","hidden":true},{"name":"Secret","type":18']],
        [roleRule, { ...roleRule, column: 'Secret' }],
      ),
    );
    expect(plan.conflicts).toEqual([]);
    expect(listLeftOut(plan)).toEqual(['party-type table/Retail/Customers Region Secret']);
  });
});

describe('rules on a column that the project gets', () => {
  test('come with the column although the project wins their conflict', () => {
    const project = new PulledProject();
    const secretRule = { ...rule, column: 'Secret' };
    const secretRulesPath = 'datamodels/Retail/rules/Customers.Secret.rules.json';
    // The rules were pulled before their column.
    project.pull(createRetailDocuments([], [rule, secretRule]));
    project.texts.delete(secretRulesPath);
    const plan = project.pull(
      createRetailDocuments(
        [['"name":"Region"', '"name":"Region"},{"name":"Secret","type":18']],
        [rule, { ...secretRule, members: ['South'] }],
      ),
      { getWinner: ours },
    );
    expect(listWrites(plan)).toEqual([secretRulesPath, paths.customers]);
    expect(project.texts.get(secretRulesPath)).toContain('South');
  });

  test.each([
    ['without a conflict', 'North', undefined],
    ['in a conflict that the project wins', 'South', ours],
    ['in a conflict that the instance wins', 'South', theirs],
  ])(
    'come with the column if the instance has renamed it and the project has deleted it, %s',
    (_name, member, getWinner) => {
      const project = createWithoutRegion();
      const plan = project.pull(
        createRetailDocuments(
          [['"name":"Region"', '"name":"Area"']],
          [{ ...rule, members: [member], column: 'Area' }],
        ),
        getWinner === undefined ? {} : { getWinner },
      );
      expect(listWrites(plan)).toEqual([areaPath, paths.customers]);
    },
  );

  test('come with the column if the instance has renamed its table and changed the column, and the project has deleted the column', () => {
    const project = createWithoutRegion();
    const instance = createRetailDocuments(
      [
        ['"name":"Customers"', '"name":"Clients"'],
        ['"name":"Region"', '"name":"Region","hidden":true'],
      ],
      [{ ...rule, table: 'Clients' }],
    );
    expect(summarize(project.pull(instance)).conflicts).toEqual([
      'both-changed table/Retail/Clients /columns/Region',
    ]);
    project.pull(instance, { getWinner: theirs });
    expect(project.texts.get(paths.customers)).toContain('"Region"');
    expect(project.texts.has('datamodels/Retail/rules/Clients.Region.rules.json')).toBe(true);
  });

  test.each([ours, theirs])(
    'come with the column if both sides have renamed it, which is a conflict',
    (getWinner) => {
      const project = new PulledProject();
      project.pull(createRetailDocuments());
      project.edit(paths.customers, '"name": "Region"', '"name": "Zone", "renamedFrom": "Region"');
      project.edit(paths.region, '"Region"', '"Zone"');
      const instance = createRetailDocuments(
        [['"name":"Region"', '"name":"Area"']],
        [{ ...rule, column: 'Area' }],
      );
      const plan = project.pull(instance);
      expect(plan.writes).toEqual([]);
      expect(summarize(plan).conflicts).toEqual([
        'both-changed table/Retail/Customers /columns/Zone /columns/Area',
      ]);
      expect(listWrites(project.pull(instance, { getWinner }))).toEqual([areaPath, paths.customers]);
      expect(project.pull(instance).conflicts).toEqual([]);
    },
  );

  test('are left out with the column if they are unread, even if the instance has renamed the column and the project has deleted it', () => {
    const project = createWithoutRegion();
    const plan = project.pull(
      createRetailDocuments([['"name":"Region"', '"name":"Area"']], [{ ...rule, column: 'Area' }]),
      { isUnknownOnInstance: ({ kind }) => kind === 'rules' },
    );
    expect(listLeftOut(plan)).toEqual(['column-rules table/Retail/Customers Area']);
    expect(plan.writes).toEqual([]);
  });
});

describe('a table in conflict', () => {
  const relationPath = 'datamodels/Retail/relations/Customers.Id - Top.Id.relation.json';
  const description = ['"description":"People"', '"description":"Theirs"'] as const;
  const createConflict = (): PulledProject => {
    const project = new PulledProject();
    project.pull(createRetailDocuments());
    project.edit(paths.customers, '"People"', '"Ours"');
    return project;
  };

  test('that was renamed on the instance keeps its name in its relations', () => {
    const project = createConflict();
    const before = new Map(project.texts);
    const instance = createRetailDocuments(
      [['"name":"Customers"', '"name":"Clients"'], description],
      [{ ...rule, table: 'Clients' }],
    );
    const plan = project.pull(instance);
    expect(summarize(plan).conflicts).toEqual(['both-changed table/Retail/Clients /description']);
    expect(listLeftOut(plan)).toEqual(['dependent relation/Retail/Clients/Id/Top/Id']);
    expect(project.texts).toEqual(before);
    const resolved = project.pull(instance, { getWinner: ours });
    expect(listLeftOut(resolved)).toEqual([]);
    expect(listWrites(resolved)).toContain(relationPath);
    expect(project.texts.get(relationPath)).toContain('Clients');
    expect(project.problems).toEqual([]);
  });

  test('does not hide the conflict of another table that refers to it', () => {
    const project = createConflict();
    project.edit(paths.topSql, 'SELECT 1', 'SELECT 2');
    const plan = project.pull(
      createRetailDocuments(
        [['"name":"Customers"', '"name":"Clients"'], description, ['SELECT 1', 'SELECT Id FROM Clients']],
        [{ ...rule, table: 'Clients' }],
      ),
    );
    expect(summarize(plan).conflicts).toEqual([
      'both-changed table/Retail/Clients /description',
      'both-changed tableExpression/Retail/Top ',
    ]);
  });
});

describe('if another file has the path of a new item, what refers to the item is not pulled', () => {
  const newTable =
    ',{"oid":"60000000-0000-0000-0000-000000000000","name":"New","columns":[{"oid":"60000000-0000-0000-0000-000000000001","name":"Id","type":8}]}';
  const relation =
    '"relations":[{"oid":"50000000-0000-0000-0000-000000000001","columns":[{"column":"60000000-0000-0000-0000-000000000001"},{"column":"30000000-0000-0000-0000-000000000001"}]},';
  const newRule: JsonObject = { ...rule, table: 'New', column: 'Id' };
  const instance = createRetailDocuments(
    [
      ['"type":8}]}]}}]', `"type":8}]}${newTable}]}}]`],
      ['"relations":[', relation],
      ['"expression":"SELECT 1"', '"expression":"SELECT [Id] FROM [New]"'],
    ],
    [rule, newRule],
  );
  const newPaths = [
    'datamodels/Retail/relations/Customers.Id - New.Id.relation.json',
    'datamodels/Retail/rules/New.Id.rules.json',
    paths.topSql,
  ];

  /** The options of a pull while an editor has a new file with a path. */
  const withNewFile = (path: string) => ({ unsavedPaths: new Set([foldPath(path)]) });

  test('a table', () => {
    const project = new PulledProject();
    project.pull(createRetailDocuments());
    const tablePath = 'datamodels/Retail/tables/New.table.json';
    const plan = project.pull(instance, withNewFile(tablePath));
    expect(summarize(plan).conflicts).toEqual(['path-taken table/Retail/New ']);
    expect(listWrites(plan)).toEqual([]);
    expect(listLeftOut(plan).toSorted()).toEqual([
      'dependent relation/Retail/Customers/Id/New/Id',
      'dependent rules/Retail/New/Id',
      'dependent table/Retail/Top',
    ]);
    expect(listWrites(project.pull(instance)).toSorted()).toEqual([...newPaths, tablePath].toSorted());
  });

  test('a datamodel', () => {
    const { datamodels = [] } = createRetailDocuments();
    const details = { datasource: { title: 'Retail', modelType: 'extract' } };
    const plan = new PulledProject().pull(
      { datamodels, viewpoints: [{ id: 'v', name: 'V', details }] },
      withNewFile(paths.retail),
    );
    expect(summarize(plan).conflicts).toEqual(['path-taken datamodel/Retail ']);
    expect(listWrites(plan)).toEqual([]);
    expect(listLeftOut(plan)).toEqual(['dependent viewpoint/V']);
  });

  test('a dataset', () => {
    const project = new PulledProject();
    const path = 'datamodels/Retail/datasets/Sales.dataset.json';
    const plan = project.pull(createRetailDocuments(), withNewFile(path));
    expect(summarize(plan).conflicts).toEqual(['path-taken dataset/Retail/Sales ']);
    expect(listWrites(plan)).toEqual([paths.retail]);
    expect(listLeftOut(plan)).toEqual(
      expect.arrayContaining(['dependent table/Retail/Customers', 'dependent table/Retail/Top']),
    );
    expect(project.problems).toEqual([]);
  });
});
