import { describe, expect, test } from 'vitest';
import { parseLossless, isJsonObject, type JsonObject, stringify } from '../../../../src/base/json.ts';
import { formatItemKey } from '../../../../src/project/item.ts';
import { emptyLock } from '../../../../src/project/pull/lock.ts';
import { isAnyRenamePending } from '../../../../src/project/pull/leftOutItem.ts';
import type { PullPlan } from '../../../../src/project/pull/planPull.ts';
import { compare, summarize as summarizeComparison } from '../plan/planSupport.ts';
import {
  createRetailDocuments,
  listLeftOut,
  nothing,
  paths,
  PulledProject,
  rule,
  summarize,
} from './pullSupport.ts';

const salesPath = 'viewpoints/Sales.viewpoint.json';
const relationPath = 'datamodels/Retail/relations/Customers.Id - Top.Id.relation.json';
const columnRule = { ...rule, column: 'Region' };
const sales = {
  id: '1',
  name: 'Sales',
  description: 'By region',
  details: {
    datasource: { title: 'Retail' },
    columns: [{ table: 'Customers', column: 'Region', dim: '[Customers.Region]' }],
  },
};
const sqlReplacements = [
  ['SELECT 1', 'SELECT c.Region FROM Customers c'],
  ['First\\n+ Last', "Region + '!'"],
  ['"type":"custom"', '"type":"custom","buildBehavior":{"column":"30000000-0000-0000-0000-000000000002"}'],
] as const;

/** Returns an instance whose SQL, viewpoint, and reference use the table and column that the project renames. */
const createDocuments = (
  replacements: readonly (readonly [string, string])[] = [],
  rules: readonly JsonObject[] = [columnRule],
  viewpoints: readonly JsonObject[] = [sales],
) => ({ ...createRetailDocuments([...sqlReplacements, ...replacements], rules), viewpoints });

/** Creates a project that was pulled, and in which a table, a column, and a viewpoint were then renamed. */
function createProject(): PulledProject {
  const project = new PulledProject();
  project.pull(createDocuments());
  for (const [path, text] of project.texts) {
    project.texts.set(
      path,
      text
        .replaceAll('"Customers"', '"Clients"')
        .replaceAll('"Region"', '"Area"')
        .replaceAll('[Customers.Region]', '[Clients.Area]'),
    );
  }
  project.edit(paths.customers, '"name": "Clients"', '"name": "Clients",\n  "renamedFrom": "Customers"');
  project.edit(paths.customers, '"name": "Area"', '"name": "Area",\n      "renamedFrom": "Region"');
  project.edit(paths.topSql, 'c.Region FROM Customers', 'c.Area AS Region FROM Clients');
  project.edit(paths.fullName, 'Region', 'Area');
  project.edit(salesPath, '"name": "Sales"', '"name": "Turnover",\n  "renamedFrom": "Sales"');
  return project;
}

/** Creates a project with renames that has never pulled from the instance. */
function createNewProject(): PulledProject {
  const project = createProject();
  project.lock = emptyLock;
  return project;
}

const describeChanges = ({ localChanges }: PullPlan) =>
  localChanges.map(({ key, state }) => `${state} ${formatItemKey(key)}`);

/** Returns the lines with former names, except for `renamedFrom` and the paths of SQL. */
const findFormerNames = ({ texts }: PulledProject): readonly string[] =>
  [...texts.values()]
    .flatMap((text) => text.split('\n'))
    .filter((line) => /Customers|Region/.test(line) && !/renamedFrom|\$file/.test(line));

const sqlWithAliasRegion = 'SELECT c.Area AS Region FROM Clients c';
const renameChanges = ['changed table/Retail/Clients', 'changed viewpoint/Turnover'];
const winners = [undefined, 'ours', 'theirs'] as const;

describe('a first pull from an instance with the former names', () => {
  test.each(winners)('has no conflict if only the names differ, and records what is there (%s)', (winner) => {
    const project = createNewProject();
    const texts = new Map(project.texts);
    const plan = project.pull(createDocuments(), { getWinner: () => winner });
    expect(summarize(plan)).toEqual(nothing);
    expect(describeChanges(plan)).toEqual(renameChanges);
    expect(project.texts).toEqual(texts);
    const pulledBefore = createProject();
    expect(project.lockText).toBe(pulledBefore.lockText);
    const secondPlan = project.pull(createDocuments(), { getWinner: () => winner });
    expect([summarize(secondPlan), describeChanges(secondPlan)]).toEqual([nothing, renameChanges]);
    expect(secondPlan.counts).toEqual(plan.counts);
    expect(project.texts).toEqual(texts);
    expect(project.lockText).toBe(pulledBefore.lockText);
  });

  test('is followed by a plan that has the renames, and in which nothing counts as changed on the instance', () => {
    const project = createNewProject();
    project.pull(createDocuments());
    const comparison = compare(project, createDocuments());
    expect(comparison.renamer.columnRenames).toEqual([
      { datamodel: 'Retail', table: 'Customers', from: 'Region', to: 'Area' },
    ]);
    const { changes, extras } = summarizeComparison(comparison);
    expect(extras).toEqual([]);
    expect(changes).toContain('update table/Retail/Customers -> table/Retail/Clients [/columns/Area]');
    expect(changes.filter((change) => /create|delete|never pulled|changed/.test(change))).toEqual([]);
    expect(summarizeComparison(compare(createProject(), createDocuments())).changes).toEqual(changes);
  });
});

describe('other differences from an instance with the former names', () => {
  const changed = createDocuments(
    [
      ['People', 'Persons'],
      ['"Region","type":18', '"Region","type":4'],
      ['c.Region FROM Customers c', 'c.Region FROM Customers AS c'],
      ['"relations":[{', '"relations":[{"isActive":false,'],
    ],
    [{ ...columnRule, members: ['South'] }],
    [{ ...sales, description: 'By area' }],
  );
  const conflicts = [
    `never-seen ${paths.region} `,
    `never-seen ${paths.customers} /description /columns/Area`,
    `never-seen ${paths.topSql} `,
    `never-seen viewpoints/Sales.viewpoint.json /description`,
  ];
  const describeConflicts = (plan: PullPlan) =>
    plan.conflicts.map(({ path, reason, pointers }) => `${reason} ${path} ${pointers.join(' ')}`);

  test('are conflicts in the files of the project', () => {
    const project = createNewProject();
    const texts = new Map(project.texts);
    const plan = project.pull(changed);
    // What only the instance has is no conflict.
    expect(plan.writes.map(({ path }) => path)).toEqual([relationPath]);
    texts.set(relationPath, project.texts.get(relationPath) ?? '');
    expect(describeConflicts(plan).toSorted()).toEqual(conflicts.toSorted());
    expect(plan.conflicts.map(({ key }) => formatItemKey(key))).toContain('rules/Retail/Clients/Area');
    expect({ ...summarize(plan), writes: [], conflicts: [] }).toEqual(nothing);
    expect(project.texts).toEqual(texts);
    expect(describeConflicts(project.pull(changed))).toEqual(describeConflicts(plan));
  });

  test('count as seen if the files win', () => {
    const project = createNewProject();
    const texts = new Map(project.texts);
    expect(summarize(project.pull(changed, { getWinner: () => 'ours' }))).toEqual({
      ...nothing,
      writes: [relationPath],
    });
    texts.set(relationPath, project.texts.get(relationPath) ?? '');
    expect(project.texts).toEqual(texts);
    const freshProject = new PulledProject();
    freshProject.pull(changed);
    expect(project.lockText).toBe(freshProject.lockText);
    expect(summarize(project.pull(changed))).toEqual(nothing);
  });

  test('are written to the files with the names of the project if the instance wins', () => {
    const project = createNewProject();
    const plan = project.pull(changed, { getWinner: () => 'theirs' });
    expect(plan.deletions).toEqual([]);
    expect(plan.writes.map(({ path }) => path).toSorted()).toEqual(
      [relationPath, paths.region, paths.customers, paths.topSql, salesPath].toSorted(),
    );
    expect(project.problems).toEqual([]);
    expect(project.texts.get(paths.topSql)).toBe(
      `${sqlWithAliasRegion.replace('Clients c', 'Clients AS c')}\n`,
    );
    expect(findFormerNames(project)).toEqual([project.texts.get(paths.topSql)?.trim()]);
    expect(project.texts.get(paths.region)).toContain('South');
    expect(project.texts.get(paths.customers)).toMatch(/"Clients",\s+"renamedFrom": "Customers"[^]*Persons/);
    expect(project.texts.get(paths.customers)).toMatch(/"Area",\s+"renamedFrom": "Region",\s+"type": 4/);
    expect(project.texts.get(salesPath)).toMatch(/"Turnover",\s+"renamedFrom": "Sales",[^]*By area/);
    const texts = new Map(project.texts);
    expect(summarize(project.pull(changed))).toEqual(nothing);
    expect(project.texts).toEqual(texts);
  });

  test('are left alone if their item is not selected, or is unknown under either name', () => {
    const key = 'rules/Retail/Clients/Area';
    const project = createNewProject();
    project.pull(changed, {
      getWinner: () => 'theirs',
      isSelected: (candidate) => formatItemKey(candidate) === key,
    });
    expect(project.texts.get(paths.region)).toContain('South');
    expect([...project.lock.entries.keys()]).toEqual(['rules/Retail/Customers/Region']);
    for (const unknown of [key, 'rules/Retail/Customers/Region']) {
      const plan = createNewProject().pull(changed, {
        isUnknownOnInstance: (candidate) => formatItemKey(candidate) === unknown,
        getWinner: () => 'theirs',
      });
      expect(summarize(plan).skipped).toEqual([key]);
      expect(summarize(plan).writes).not.toContain(paths.region);
    }
  });
});

test('what only the instance has is written to new files with the names of the project', () => {
  const [oid, other] = ['60000000-0000-0000-0000-000000000000', '60000000-0000-0000-0000-000000000001'];
  const table = `{"oid":"${oid}","name":"Best","type":"custom","expression":"SELECT Id FROM Customers","columns":[{"oid":"${other}","name":"Id","type":8}]}`;
  const instance = createDocuments(
    [
      ['"tables":[', `"tables":[${table},`],
      [
        '"relations":[',
        `"relations":[{"oid":"7","columns":[{"column":"${other}"},{"column":"30000000-0000-0000-0000-000000000002"}]},`,
      ],
    ],
    [columnRule, { ...rule, column: 'Id' }],
    [sales, { ...sales, id: '2', name: 'More' }],
  );
  const project = createNewProject();
  project.texts.delete(paths.fullName);
  const customers = project.texts.get(paths.customers)?.replace(/,\s*"expression": \{[^}]*\}/, '');
  project.texts.set(paths.customers, customers ?? '');
  const plan = project.pull(instance, { getWinner: () => 'theirs' });
  expect(
    plan.writes.filter(({ previousText }) => previousText === undefined).map(({ path }) => path),
  ).toEqual([
    'datamodels/Retail/tables/Best.datamodel.sql',
    'datamodels/Retail/tables/Customers/Full Name.datamodel.sql',
    'datamodels/Retail/relations/Best.Id - Clients.Area.relation.json',
    'datamodels/Retail/rules/Clients.Id.rules.json',
    'datamodels/Retail/tables/Best.table.json',
    'viewpoints/More.viewpoint.json',
  ]);
  expect(project.texts.get(paths.fullName)).toBe("Area + '!'\n");
  expect(findFormerNames(project)).toEqual([sqlWithAliasRegion]);
  expect(project.problems).toEqual([]);
  expect(project.lock.entries.has('relation/Retail/Best/Id/Customers/Region')).toBe(true);
  expect(summarize(project.pull(instance))).toEqual(nothing);
});

test('a rule without a column does not get one', () => {
  const plan = createNewProject().pull(createDocuments([], [columnRule, { table: 'Top', shares: [] }]));
  expect(summarize(plan)).toEqual({ ...nothing, conflicts: ['unreadable rules/Retail/Top/ '] });
});

describe('rules that no pull has seen, and that would be on the same column with the new names', () => {
  const createWestRule = (table: string, column: string) => ({
    table,
    column,
    members: ['West'],
    shares: [],
  });

  test.each(winners)('are left out, whichever side is to win (%s)', (winner) => {
    for (const hasFile of [true, false]) {
      const project = createNewProject();
      if (!hasFile) {
        project.texts.delete(paths.region);
      }
      const texts = new Map(project.texts);
      const plan = project.pull(createDocuments([], [columnRule, createWestRule('Clients', 'Area')]), {
        getWinner: () => winner,
      });
      const columns = 'Clients.Area Customers.Region';
      expect(listLeftOut(plan).toSorted()).toEqual([
        `shared-name rules/Retail/Clients/Area ${columns}`,
        `shared-name rules/Retail/Customers/Region ${columns}`,
      ]);
      expect({ ...summarize(plan), skipped: [] }).toEqual(nothing);
      expect(project.texts).toEqual(texts);
      expect([...project.lock.entries.keys()].filter((key) => key.startsWith('rules/'))).toEqual([]);
      expect(isAnyRenamePending(plan.leftOutItems)).toBe(true);
    }
  });

  test.each([
    ['rules/Retail', createWestRule('Customers', 'Area')],
    ['cubeSetRules/All', createWestRule('Clients', 'Area')],
  ])('are left out, too, if both get a new name, or if they are of a cube set (%s)', (owner, other) => {
    const rules = [columnRule, other];
    const project = createNewProject();
    project.texts.delete(paths.region);
    const texts = new Map(project.texts);
    const plan = project.pull(
      owner === 'rules/Retail'
        ? createDocuments([], rules)
        : { ...createDocuments([], []), cubeSets: [{ name: 'All', rules }] },
    );
    const columns = `${other.table}.Area Customers.Region`;
    expect(listLeftOut(plan)).toEqual([
      `shared-name ${owner}/${other.table}/Area ${columns}`,
      `shared-name ${owner}/Customers/Region ${columns}`,
    ]);
    expect(project.texts).toEqual(texts);
  });

  test('are left out even if a pull has seen some of them, or some cannot be written to a file', () => {
    const seen = createProject();
    seen.texts.delete(paths.region);
    seen.pull(createDocuments([], [createWestRule('Clients', 'Id')]));
    const instance = createDocuments([], [{ ...rule, column: 'Id' }, createWestRule('Clients', 'Id')]);
    const path = 'datamodels/Retail/rules/Clients.Id.rules.json';
    const text = seen.texts.get(path);
    expect(text).toContain('West');
    const leftOutText = 'shared-name rules/Retail/Customers/Id Clients.Id Customers.Id';
    expect(listLeftOut(seen.pull(instance))).toEqual([leftOutText]);
    expect(seen.texts.get(path)).toBe(text);

    const project = createProject();
    const plan = project.pull(
      createDocuments(
        [],
        [
          columnRule,
          { ...rule, column: 'Id' },
          { ...createWestRule('Clients', 'Id'), shares: [{ type: 'robot' }] },
        ],
      ),
    );
    expect(listLeftOut(plan)).toEqual(['shared-name rules/Retail/Customers/Id Customers.Id Clients.Id']);
    expect(project.texts.has(path)).toBe(false);
  });

  test('can be resolved by following the message', () => {
    const project = createProject();
    const seenRule = columnRule;
    const rules = [seenRule, { ...rule, column: 'Id' }, createWestRule('Clients', 'Id')];
    expect(listLeftOut(project.pull(createDocuments([], rules)))).toHaveLength(2);
    const before = project.texts.get(paths.customers) ?? '';
    project.texts.set(paths.customers, before.replaceAll(/,\s*"renamedFrom": "[^"]*"/g, ''));
    const plan = project.pull(createDocuments([], rules));
    expect([listLeftOut(plan), summarize(plan).conflicts]).toEqual([[], []]);
    const [formerPath, newPath] = ['Customers.Id', 'Clients.Id'].map(
      (name) => `datamodels/Retail/rules/${name}.rules.json`,
    ) as [string, string];
    expect(project.texts.get(formerPath)).toContain('North');
    project.edit(newPath, '"West"', '"West", "North"');
    project.texts.delete(formerPath);
    project.texts.set(paths.customers, before);
    const last = project.pull(createDocuments([], rules));
    expect([listLeftOut(last), summarize(last)]).toEqual([[], nothing]);
    const { changes } = summarizeComparison(compare(project, createDocuments([], rules)));
    expect(changes.filter((change) => /never pulled|changed/.test(change))).toEqual([]);
    expect(changes).toContain('update rules/Retail/Customers/Id -> rules/Retail/Clients/Id []');
  });
});

test('rules that the instance has moved back to the former name are compared with those of the project on the new name', () => {
  const project = createProject();
  const other = { ...rule, table: 'Clients', column: 'Id' };
  project.pull(createDocuments([], [columnRule, other]));
  const instance = createDocuments([], [columnRule, { ...rule, column: 'Id', members: ['South'] }]);
  expect(summarize(project.pull(instance))).toEqual({
    ...nothing,
    conflicts: ['never-seen rules/Retail/Clients/Id '],
  });
  expect(summarize(project.pull(instance, { getWinner: () => 'theirs' })).writes).toEqual([
    'datamodels/Retail/rules/Clients.Id.rules.json',
  ]);
  expect(summarize(project.pull(instance))).toEqual(nothing);
});

describe('after a pull', () => {
  test('a rename is a change of the project, and new items of the instance get the names of the project', () => {
    const project = createProject();
    const instance = createDocuments([], [columnRule, { ...rule, column: 'Id' }]);
    expect(summarize(project.pull(instance))).toEqual({
      ...nothing,
      writes: ['datamodels/Retail/rules/Clients.Id.rules.json'],
    });
    expect(findFormerNames(project)).toEqual([sqlWithAliasRegion]);
    expect(summarize(project.pull(instance))).toEqual(nothing);
  });

  test('new SQL of a renamed column is a conflict', () => {
    const project = createProject();
    const entries = new Map(project.lock.entries);
    entries.delete('columnExpression/Retail/Customers/Full Name');
    project.lock = { ...project.lock, entries };
    expect(summarize(project.pull(createDocuments()))).toEqual({
      ...nothing,
      conflicts: ['renamed-here columnExpression/Retail/Customers/Full Name '],
    });
  });

  test('a name that the instance has changed back is not replaced by the name in the project', () => {
    const instance = parseLossless(
      stringify(createDocuments())
        .replaceAll('"Customers"', '"Clients"')
        .replaceAll('"Region"', '"Area"')
        .replace('"name":"Sales","description"', '"name":"Turnover","description"')
        .replace('[Customers.Region]', '[Clients.Area]')
        .replace('"Region + ', '"Area + ')
        .replace('Region FROM Customers', 'Area AS Region FROM Clients'),
    );
    const project = createProject();
    expect(summarize(project.pull(isJsonObject(instance) ? instance : {}))).toEqual(nothing);
    expect(project.lock.entries.has('table/Retail/Clients')).toBe(true);
    const plan = project.pull(createDocuments([], [{ ...rule, column: 'Id' }]));
    expect(summarize(plan).writes).toContain('datamodels/Retail/rules/Customers.Id.rules.json');
  });
});

describe('rules of a cube set that no pull has seen', () => {
  const cubeSets = [{ name: 'All', rules: [columnRule] }];
  const [formerPath, newPath] = ['Customers.Region', 'Clients.Area'].map(
    (name) => `cube-sets/All/rules/${name}.rules.json`,
  );

  test('get the new names of the project, and are unchanged in the next pull', () => {
    const project = createProject();
    const plan = project.pull({ ...createDocuments(), cubeSets });
    expect(plan.writes.map(({ path }) => path)).toEqual([newPath]);
    expect(plan.orphanedRules).toEqual([]);
    expect(project.texts.get(newPath ?? '')).toContain('"column": "Area"');
    const secondPlan = project.pull({ ...createDocuments(), cubeSets });
    expect(summarize(secondPlan)).toEqual(nothing);
    expect(describeChanges(secondPlan)).toEqual(renameChanges);
    const { changes, extras } = summarizeComparison(compare(project, { ...createDocuments(), cubeSets }));
    expect(changes).toContain('create cubeSetRules/All/Clients/Area');
    expect(extras).toEqual(['cubeSetRules/All/Customers/Region']);
  });

  test('keep the former name, with a warning, if another datamodel has it, unless that datamodel is live', () => {
    for (const [type, path, count] of [
      ['extract', formerPath, 1],
      ['live', newPath, 0],
    ] as const) {
      const project = createProject();
      const { datamodels = [] } = createDocuments([['Retail', 'Other']], []);
      const others = datamodels.map(({ document }) => ({
        document: { ...document, oid: 'other', type },
        rules: [],
      }));
      const plan = project.pull({
        ...createDocuments(),
        datamodels: [...(createDocuments().datamodels ?? []), ...others],
        cubeSets,
      });
      expect(plan.writes.map((write) => write.path)).toContain(path);
      expect(plan.orphanedRules.map(({ newName }) => newName)).toEqual(
        Array.from({ length: count }, () => ({ table: 'Clients', column: 'Area' })),
      );
    }
  });
});
