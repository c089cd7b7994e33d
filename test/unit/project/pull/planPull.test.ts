import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonValue, stringify } from '../../../../src/base/json.ts';
import { english } from '../../../../src/base/localize.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { formatItemKey, type ItemKind } from '../../../../src/project/item.ts';
import { describeOrphanedRules } from '../../../../src/project/messages/pullTexts.ts';
import { emptyLock, formatLock, parseLock } from '../../../../src/project/pull/lock.ts';
import { hasRulesInLock } from '../../../../src/project/source/lockItems.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { hostileNames } from '../hostileNames.ts';
import { findPathProblem } from '../legalPaths.ts';
import { randomModel, randomObject } from '../randomModel.ts';
import {
  createRetailDocuments,
  nothing,
  paths,
  PulledProject,
  retail,
  retailTitle,
  rule,
  summarize,
} from './pullSupport.ts';

const withPrunedKinds = (...kinds: readonly ItemKind[]) => ({ prunedKinds: new Set(kinds) });

function createProject(): PulledProject {
  const project = new PulledProject();
  project.pull(createRetailDocuments());
  return project;
}

const countChangedLines = (before = '', after = ''): number => {
  const lines = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !lines.has(line)).length;
};

describe('a pull', () => {
  test('of random instances writes what they have, and nothing the second time', () => {
    fc.assert(
      fc.property(
        fc.array(randomModel, { maxLength: 2 }),
        fc.uniqueArray(hostileNames, { maxLength: 5 }),
        randomObject,
        (models, names, object) => {
          const instance = {
            datamodels: models.map((document) => ({ document, rules: [rule] })),
            cubeSets: names.map((name) => ({ name, rules: [{ ...rule, table: name }] })),
            viewpoints: names.map((name, index) => ({ id: `${index}`, name, description: name })),
            customData: names.map((name, index) => ({ name, objects: [{ _id: `${index}`, ...object }] })),
          };
          const project = new PulledProject();
          const plan = project.pull(instance);
          expect(plan.conflicts).toEqual([]);
          expect(project.problems).toEqual([]);
          expect(findPathProblem([...project.texts.keys()])).toBeUndefined();
          const { items } = convertInstance({ ...instance, users: [], groups: [], numberedReferences: [] });
          const read = parseProject({ texts: project.texts, faults: [] }).items;
          expect(read.map(({ key, content }) => [formatItemKey(key), content])).toEqual(
            items.map(({ key, content }) => [formatItemKey(key), content]),
          );
          const { lockText } = project;
          const second = project.pull(instance);
          expect(summarize(second)).toEqual(nothing);
          expect(second.counts).toEqual({ created: 0, changed: 0, deleted: 0, unchanged: items.length });
          expect(project.lockText).toBe(lockText);
          const copy = new PulledProject();
          copy.pull(instance);
          expect(copy.texts).toEqual(project.texts);
        },
      ),
      { numRuns: getPropertyRuns(200) },
    );
  });

  test('writes files in which the SQL comes first', () => {
    expect(summarize(new PulledProject().pull(createRetailDocuments())).writes).toEqual([
      paths.fullName,
      paths.topSql,
      paths.retail,
      'datamodels/Retail/datasets/Sales.dataset.json',
      'datamodels/Retail/relations/Customers.Id - Top.Id.relation.json',
      paths.region,
      paths.customers,
      paths.top,
    ]);
  });

  test('changes one file and at most five lines for one column', () => {
    const project = createProject();
    const before = project.texts.get(paths.customers);
    const changed = project.pull(
      createRetailDocuments([['"Region","type":18', '"Region","type":4,"scale":2']]),
    );
    expect(summarize(changed)).toEqual({ ...nothing, writes: [paths.customers] });
    expect(countChangedLines(before, project.texts.get(paths.customers))).toBeLessThanOrEqual(5);
    const added = project.pull(
      createRetailDocuments([['"type":18},', '"type":18},{"name":"New","type":1},']]),
    );
    expect(summarize(added)).toEqual({ ...nothing, writes: [paths.customers] });
  });

  test('keeps comments, order, and local changes', () => {
    const project = createProject();
    project.edit(paths.customers, '{', '// Checked by Ann\n{');
    project.edit(paths.customers, '"People"', '"All people"');
    const plan = project.pull(createRetailDocuments([['"Region","type":18', '"Region","type":4']]));
    expect(summarize(plan)).toEqual({ ...nothing, writes: [paths.customers] });
    const text = project.texts.get(paths.customers);
    expect(text).toContain('// Checked by Ann\n{');
    expect(text).toContain('"description": "All people"');
    expect(text).toContain('"type": 4');
    // Local changes are still changes after the next pull.
    expect(
      summarize(project.pull(createRetailDocuments([['"Region","type":18', '"Region","type":4']]))),
    ).toEqual(nothing);
  });

  test('accepts equal changes on both sides without a conflict', () => {
    const project = createProject();
    project.edit(paths.fullName, 'First', 'Given');
    expect(summarize(project.pull(createRetailDocuments([['First', 'Given']])))).toEqual(nothing);
    expect(summarize(project.pull(createRetailDocuments([['First', 'Name']])))).toEqual({
      ...nothing,
      writes: [paths.fullName],
    });
  });

  test('removes SQL from a table, and adds it again', () => {
    const project = createProject();
    const plan = project.pull(createRetailDocuments([[',"expression":"First\\n+ Last"', '']]));
    expect(summarize(plan)).toEqual({ ...nothing, writes: [paths.customers], deletions: [paths.fullName] });
    expect(project.problems).toEqual([]);
    project.pull(createRetailDocuments());
    expect(project.texts.get(paths.fullName)).toBe('First\n+ Last\n');
    expect(project.problems).toEqual([]);
  });

  test('with a rename that the project has made, too, has no conflict, and keeps `renamedFrom`', () => {
    const project = createProject();
    project.edit(paths.customers, '"name": "Customers"', '"name": "Clients",\n  "renamedFrom": "Customers"');
    const relation = 'datamodels/Retail/relations/Customers.Id - Top.Id.relation.json';
    project.edit(relation, '"Customers"', '"Clients"');
    // Before the rename is applied, the pull does nothing; afterwards, it changes only the lock.
    expect(summarize(project.pull(createRetailDocuments()))).toEqual(nothing);
    const applied = createRetailDocuments([['"name":"Customers"', '"name":"Clients"']]);
    expect(summarize(project.pull(applied))).toEqual(nothing);
    expect(project.texts.get(paths.customers)).toContain('"renamedFrom": "Customers"');
    expect(project.lock.entries.has('table/Retail/Customers')).toBe(false);
    expect(project.lock.entries.get('table/Retail/Clients')?.oid).toBe(
      retail.datasets[0].schema.tables[0].oid,
    );
    expect(summarize(project.pull(applied))).toEqual(nothing);
  });

  test('puts new SQL beside renamed files', () => {
    const project = createProject();
    const folder = 'datamodels/Retail/tables';
    project.texts.set(`${folder}/Clients.table.json`, project.texts.get(paths.customers) ?? '');
    project.texts.delete(paths.customers);
    const plan = project.pull(
      createRetailDocuments([
        ['"Region","type":18', '"Region","type":18,"expression":"1"'],
        ['People', 'Persons'],
      ]),
    );
    expect(summarize(plan).writes).toEqual([
      `${folder}/Clients/Region.datamodel.sql`,
      `${folder}/Clients.table.json`,
    ]);
    expect(project.problems).toEqual([]);
  });
});

test('a SQL file that the user has moved stays in its new place', () => {
  const project = createProject();
  project.edit(paths.customers, 'Customers/Full Name', 'sql/names/full');
  const moved = 'datamodels/Retail/tables/sql/names/full.datamodel.sql';
  project.texts.set(moved, project.texts.get(paths.fullName) ?? '');
  project.texts.delete(paths.fullName);
  const plan = project.pull(
    createRetailDocuments([
      ['First', 'Given'],
      ['"type":18', '"type":18,"expression":"1"'],
    ]),
  );
  expect(summarize(plan).writes).toEqual([
    'datamodels/Retail/tables/Customers/Region.datamodel.sql',
    moved,
    paths.customers,
  ]);
  expect(project.problems).toEqual([]);
});

describe('a conflict', () => {
  test('leaves the table with its SQL as it is, until both sides agree', () => {
    const project = createProject();
    project.edit(paths.fullName, 'First', 'Given');
    const { texts, lockText } = project.copy();
    const theirDocuments = createRetailDocuments([
      ['First', 'Name'],
      ['People', 'Persons'],
    ]);
    const plan = project.pull(theirDocuments);
    expect(summarize(plan)).toEqual({
      ...nothing,
      conflicts: ['both-changed columnExpression/Retail/Customers/Full Name '],
    });
    expect(plan.conflicts[0]?.path).toBe(paths.fullName);
    expect([project.texts, project.lockText]).toEqual([texts, lockText]);
    expect(summarize(project.pull(theirDocuments)).conflicts).toHaveLength(1);
    project.edit(paths.fullName, 'Given', 'Name');
    expect(summarize(project.pull(theirDocuments))).toEqual({ ...nothing, writes: [paths.customers] });
  });

  test('names the parts that both sides have changed', () => {
    const project = createProject();
    project.edit(paths.customers, '"type": 18', '"type": 5');
    project.edit(paths.customers, '"People"', '"All people"');
    expect(
      summarize(
        project.pull(
          createRetailDocuments([
            ['"type":18', '"type":4'],
            ['People', 'Persons'],
          ]),
        ),
      ).conflicts,
    ).toEqual(['both-changed table/Retail/Customers /description /columns/Region']);
  });

  test('is reported for values that differ if there is no lock', () => {
    const project = createProject();
    project.lock = emptyLock;
    expect(summarize(project.pull(createRetailDocuments()))).toEqual(nothing);
    project.lock = emptyLock;
    const plan = project.pull(createRetailDocuments([['People', 'Persons']]));
    expect(summarize(plan)).toEqual({
      ...nothing,
      conflicts: ['never-seen table/Retail/Customers /description'],
    });
  });

  test('is reported if SQL was added locally to a column that the instance no longer has', () => {
    const project = createProject();
    project.edit(
      paths.customers,
      '"type": 18',
      '"type": 18, "expression": {"$file": "Customers/Region.datamodel.sql"}',
    );
    project.texts.set('datamodels/Retail/tables/Customers/Region.datamodel.sql', '1');
    const column = '{"oid":"30000000-0000-0000-0000-000000000002","name":"Region","type":18},';
    expect(summarize(project.pull(createRetailDocuments([[column, '']]))).conflicts).toEqual([
      'deleted-there columnExpression/Retail/Customers/Region ',
    ]);
  });

  test('is reported if another file has the path of a new file', () => {
    const project = createProject();
    project.texts.set('datamodels/Retail/tables/CUSTOMERS/Region.datamodel.sql', 'left over');
    const plan = project.pull(createRetailDocuments([['"type":18', '"type":18,"expression":"1"']]));
    expect(summarize(plan)).toEqual({
      ...nothing,
      conflicts: ['path-taken columnExpression/Retail/Customers/Region '],
    });
    expect(plan.conflicts[0]?.path).toBe('datamodels/Retail/tables/Customers/Region.datamodel.sql');
  });
});

describe('an order without a meaning', () => {
  const relationPath = 'datamodels/Retail/relations/Customers.Id - Top.Id.relation.json';
  const users = ['Ann', 'Bob'].map((name) => ({ id: `id of ${name}`, name, aliases: [] }));
  const shares = users.map(({ id }) => ({ type: 'user', party: id }));
  const north = { ...rule, members: ['North', 'South'], shares };
  const withRule = (members: readonly string[]) => ({
    ...createRetailDocuments([], [{ ...north, members }]),
    users,
  });

  /** Reverses lists in a file, and returns its new text. */
  function reverse(project: PulledProject, path: string, ...members: readonly string[]): string {
    const value: unknown = JSON.parse(project.texts.get(path) ?? '');
    const reversed = JSON.stringify(
      value,
      (name, member: unknown) =>
        members.includes(name) && Array.isArray(member) ? member.toReversed() : member,
      2,
    );
    expect(reversed).not.toBe(JSON.stringify(value, undefined, 2));
    project.texts.set(path, `${reversed}\n`);
    return `${reversed}\n`;
  }

  test('of members and shares is no change, and the file keeps it', () => {
    const project = new PulledProject();
    project.pull(withRule(['North', 'South']));
    const text = reverse(project, paths.region, 'members', 'shares');
    expect(text).toMatch(/South[^]*North[^]*Bob[^]*Ann/);
    const { lockText } = project;
    expect(summarize(project.pull(withRule(['North', 'South'])))).toEqual(nothing);
    expect(project.texts.get(paths.region)).toBe(text);
    expect(project.lockText).toBe(lockText);
  });

  test('is no conflict with a change on the instance', () => {
    const project = new PulledProject();
    project.pull(withRule(['North', 'South']));
    reverse(project, paths.region, 'members', 'shares');
    expect(summarize(project.pull(withRule(['North', 'West'])))).toEqual({
      ...nothing,
      writes: [paths.region],
    });
    expect(project.texts.get(paths.region)).toContain('West');
    // A local change is still detected.
    project.edit(paths.region, 'West', 'East');
    expect(summarize(project.pull(withRule(['South', 'West']))).conflicts).toHaveLength(1);
  });

  test('of the columns of a relation is no change either', () => {
    const project = createProject();
    const text = reverse(project, relationPath, 'columns');
    expect(summarize(project.pull(createRetailDocuments()))).toEqual(nothing);
    expect(project.texts.get(relationPath)).toBe(text);
    // The file has no local change, so it is deleted with the relation of the instance.
    const documentsWithoutRelations = createRetailDocuments([[stringify(retail.relations), '[]']]);
    expect(summarize(project.pull(documentsWithoutRelations, withPrunedKinds('relation')))).toEqual({
      ...nothing,
      deletions: [relationPath],
    });
  });
});

test('a file that could not be read again is not written', () => {
  const deep = Array.from({ length: 250 }).reduce<JsonValue>((inner) => [inner], 1);
  const plan = new PulledProject().pull({
    ...createRetailDocuments([], [{ column: 'Region', members: [], shares: [] }]),
    viewpoints: [
      { id: '1', name: 'Deep', details: { deep } },
      { id: '2', name: 'Good' },
    ],
  });
  expect(summarize(plan).conflicts).toEqual([
    'unreadable rules/Retail//Region ',
    'unreadable viewpoint/Deep ',
  ]);
  expect(summarize(plan).writes).toContain('viewpoints/Good.viewpoint.json');
});

describe('an item that the instance does not have', () => {
  test('is deleted locally only if its kind is pruned and it was not changed locally', () => {
    const project = createProject();
    const { lockText } = project;
    const documentsWithoutRules = createRetailDocuments([], []);
    expect(summarize(project.pull(documentsWithoutRules, withPrunedKinds('table')))).toEqual({
      ...nothing,
      deletedOnInstance: ['rules/Retail/Customers/Region'],
    });
    expect(project.lockText).toBe(lockText);
    const changed = project.copy();
    changed.edit(paths.region, 'North', 'South');
    expect(summarize(changed.pull(documentsWithoutRules, withPrunedKinds('rules'))).conflicts).toEqual([
      'deleted-there rules/Retail/Customers/Region ',
    ]);
    const plan = project.pull(documentsWithoutRules, withPrunedKinds('rules'));
    expect(summarize(plan)).toEqual({ ...nothing, deletions: [paths.region] });
    expect(plan.counts.deleted).toBe(1);
    expect(project.lockText).not.toContain('rules/');
    expect(summarize(project.pull(documentsWithoutRules, withPrunedKinds('rules')))).toEqual(nothing);
  });

  test('is reported by each pull if its datamodel was replaced by one without rules; the lock has rules of the new one only once it has any', () => {
    const newId = '90000000-0000-0000-0000-000000000000';
    const replacement = [[`"oid":"${retail.oid}"`, `"oid":"${newId}"`]] as const;
    const project = createProject();
    const hasRules = () => hasRulesInLock(project.lock, { oid: newId, title: retailTitle });
    for (const _pull of [1, 2]) {
      expect(summarize(project.pull(createRetailDocuments(replacement, [])))).toEqual({
        ...nothing,
        deletedOnInstance: ['rules/Retail/Customers/Region'],
      });
      project.lock = parseLock(formatLock(project.lock), 'a.lock.json');
      expect(hasRules()).toBe(false);
    }
    project.pull(createRetailDocuments(replacement));
    expect(hasRules()).toBe(true);
  });

  test('is reported once and deleted as a whole if it is a datamodel', () => {
    const project = createProject();
    expect(summarize(project.pull({}, withPrunedKinds('table', 'rules')))).toEqual({
      ...nothing,
      deletedOnInstance: ['datamodel/Retail'],
    });
    const changed = project.copy();
    changed.edit(paths.topSql, '1', '2');
    expect(summarize(changed.pull({}, withPrunedKinds('datamodel')))).toEqual({
      ...nothing,
      conflicts: ['deleted-there tableExpression/Retail/Top '],
    });
    expect(changed.texts.has(paths.retail)).toBe(true);
    project.pull({}, withPrunedKinds('datamodel'));
    expect([...project.texts.keys()]).toEqual([]);
    expect(project.lock.entries.size).toBe(0);
  });

  test('is kept if the instance never had it', () => {
    const project = createProject();
    project.texts.set('viewpoints/Mine.viewpoint.json', '{"name": "Mine"}');
    project.texts.set('datamodels/Mine/Mine.datamodel.json', '{"title": "Mine"}');
    project.texts.set('datamodels/Mine/datasets/D.dataset.json', '{"name": "D"}');
    expect(
      summarize(project.pull(createRetailDocuments(), withPrunedKinds('viewpoint', 'datamodel', 'dataset'))),
    ).toEqual(nothing);
  });

  test('is kept if it is a datamodel of which a file cannot be read, or columns were moved locally', () => {
    const project = createProject();
    const { lockText } = project;
    const brokenProject = project.copy();
    brokenProject.texts.set(paths.region, '[');
    const plan = brokenProject.pull({}, withPrunedKinds('datamodel'));
    expect(plan.skippedItems).toHaveLength(6);
    expect(plan.deletions).toEqual([]);
    expect(brokenProject.lockText).toBe(lockText);
    const moved = project.copy();
    const id = '    {\n      "name": "Id",\n      "type": 8\n    },\n';
    moved.edit(paths.customers, id, '');
    moved.edit(paths.customers, '    {\n      "name": "Full Name"', `${id}    {\n      "name": "Full Name"`);
    expect(summarize(moved.pull({}, withPrunedKinds('datamodel'))).conflicts).toEqual([
      'deleted-there table/Retail/Customers ',
    ]);
  });

  test('is no conflict if it was deleted locally, too', () => {
    const project = createProject();
    project.texts.delete(paths.region);
    expect(summarize(project.copy().pull(createRetailDocuments([], [])))).toEqual(nothing);
    const plan = project.pull({}, withPrunedKinds('datamodel'));
    expect(plan.conflicts).toEqual([]);
    expect(project.texts.size).toBe(0);
    const projectWithDeletion = createProject();
    projectWithDeletion.texts.clear();
    expect(summarize(projectWithDeletion.pull(createRetailDocuments([], [])))).toEqual(nothing);
    expect(projectWithDeletion.lockText).not.toContain('rules/');
  });
});

describe('an item that was deleted locally', () => {
  test('is not written again; if the instance has changed it, there is a conflict', () => {
    const project = createProject();
    project.texts.delete(paths.region);
    const { lockText } = project;
    expect(summarize(project.pull(createRetailDocuments()))).toEqual(nothing);
    expect(project.lockText).toBe(lockText);
    const changed = createRetailDocuments([], [{ ...rule, members: ['South'] }]);
    expect(summarize(project.pull(changed)).conflicts).toEqual([
      'deleted-here rules/Retail/Customers/Region ',
    ]);
    expect(project.texts.has(paths.region)).toBe(false);
  });

  test('gets no new tables if it is a datamodel', () => {
    const project = createProject();
    project.texts.clear();
    expect(summarize(project.pull(createRetailDocuments()))).toEqual(nothing);
    const plan = project.pull(createRetailDocuments([['"name":"Top"', '"name":"Best"']]));
    expect(plan.writes).toEqual([]);
    expect(summarize(plan).conflicts).toContain('deleted-here table/Retail/Best ');
  });
});

describe('an item that could not be read', () => {
  test('of the instance is not changed, whatever its files contain', () => {
    const project = createProject();
    const { lockText, texts } = project.copy();
    const plan = project.pull(
      {},
      { isUnknownOnInstance: () => true, ...withPrunedKinds('datamodel', 'table', 'rules') },
    );
    expect(plan.skippedItems).toHaveLength(6);
    expect(summarize(plan)).toMatchObject({
      writes: [],
      deletions: [],
      deletedOnInstance: [],
      conflicts: [],
    });
    expect([project.texts, project.lockText]).toEqual([texts, lockText]);
  });

  test('in the files is not changed, and stays in the lock', () => {
    const project = createProject();
    project.texts.set(paths.customers, '{');
    const { lockText } = project;
    const plan = project.pull(createRetailDocuments([['People', 'Persons']]), withPrunedKinds('table'));
    expect(summarize(plan)).toEqual({ ...nothing, skipped: ['table/Retail/Customers'] });
    expect(project.lockText).toBe(lockText);
  });

  test("is not changed, including one in a datamodel that was not read, or that can't be converted because two tables have the same name", () => {
    const project = createProject();
    const { lockText } = project;
    const planWithDuplicateNames = project.pull(
      createRetailDocuments([['"name":"Top"', '"name":"Customers"']], []),
      withPrunedKinds('rules'),
    );
    expect(planWithDuplicateNames.skippedItems).toHaveLength(6);
    expect(project.lockText).toBe(lockText);
    const planWithoutDatamodel = new PulledProject().pull(createRetailDocuments(), {
      isUnknownOnInstance: ({ kind }) => kind === 'datamodel',
    });
    expect(planWithoutDatamodel.writes).toEqual([]);
    expect(planWithoutDatamodel.lock.entries.size).toBe(0);
  });
});

describe('a rename on the instance', () => {
  test('of a table keeps its files', () => {
    const project = createProject();
    project.edit(paths.customers, '"People"', '"All people"');
    const plan = project.pull(createRetailDocuments([['"name":"Customers"', '"name":"Clients"']]));
    expect(summarize(plan)).toEqual({
      ...nothing,
      writes: ['datamodels/Retail/relations/Customers.Id - Top.Id.relation.json', paths.customers],
      renames: [
        'table/Retail/Customers -> table/Retail/Clients',
        'relation/Retail/Customers/Id/Top/Id -> relation/Retail/Clients/Id/Top/Id',
      ],
    });
    expect(project.texts.get(paths.customers)).toContain('"name": "Clients"');
    expect(project.texts.get(paths.customers)).toContain('"All people"');
    expect(project.problems).toEqual([]);
    expect(project.lockText).toContain('columnExpression/Retail/Clients/Full Name');
    expect(project.lockText).not.toContain('"table/Retail/Customers"');
  });

  test('names the rules that it leaves on the former name', () => {
    const cubeSets = [{ name: 'All', rules: [rule, { ...rule, column: 'Id' }] }];
    const createInstance = (...changes: Parameters<typeof createRetailDocuments>) => ({
      ...createRetailDocuments(...changes),
      cubeSets,
    });
    const project = new PulledProject();
    project.pull(createInstance());
    const describeOrphans = (documents: ReturnType<typeof createInstance>) =>
      project
        .copy()
        .pull(documents)
        .orphanedRules.map((rules) => describeOrphanedRules(english, rules, ''));
    const rename = ['"name":"Customers"', '"name":"Clients"'] as const;
    const regionRulesPath = 'cube-sets/All/rules/Customers.Region.rules.json';
    const createText = (path: string, former: string, name: string) =>
      `${path}: the rules are still on ${former}, which is now named ${name} on the instance. They don't restrict it. Change the name in the file, and apply the project.`;
    expect(describeOrphans(createInstance([rename]))).toEqual([
      createText('cube-sets/All/rules/Customers.Id.rules.json', 'Customers.Id', 'Clients.Id'),
      createText(regionRulesPath, 'Customers.Region', 'Clients.Region'),
      createText(paths.region, 'Customers.Region', 'Clients.Region'),
    ]);
    expect(describeOrphans(createInstance([['"name":"Region"', '"name":"Area"']]))).toEqual([
      createText(regionRulesPath, 'Customers.Region', 'Customers.Area'),
      createText(paths.region, 'Customers.Region', 'Customers.Area'),
    ]);
    // The instance has moved the rules, too.
    expect(
      describeOrphans({ ...createInstance([rename], [{ ...rule, table: 'Clients' }]), cubeSets: [] }),
    ).toEqual([]);
    const renameToFormerName = [
      ['"name":"Region"', '"name":"Area"'],
      ['"name":"Id"', '"name":"Region"'],
    ] as const;
    const createTextForTakenName = (path: string, former: string, name: string) =>
      `${path}: the rules are on ${former}, which is now a different column on the instance. They don't restrict the original column, which is now ${name}. Correct the rules on both columns in the project, and apply it.`;
    expect(describeOrphans(createInstance(renameToFormerName, []))).toEqual([
      createText('cube-sets/All/rules/Customers.Id.rules.json', 'Customers.Id', 'Customers.Region'),
      createTextForTakenName(regionRulesPath, 'Customers.Region', 'Customers.Area'),
    ]);
    // Two columns have exchanged their names.
    const completeSwap = [
      ['"name":"Region"', '"name":"-"'],
      ['"name":"Id"', '"name":"Region"'],
      ['"name":"-"', '"name":"Id"'],
    ] as const;
    expect(describeOrphans(createInstance(completeSwap))).toEqual([
      createTextForTakenName(
        'cube-sets/All/rules/Customers.Id.rules.json',
        'Customers.Id',
        'Customers.Region',
      ),
      createTextForTakenName(regionRulesPath, 'Customers.Region', 'Customers.Id'),
      createTextForTakenName(paths.region, 'Customers.Region', 'Customers.Id'),
    ]);
    // A new table has the former name.
    const otherTable = '{"oid":"40000000-0000-0000-0000-000000000000"';
    const newTable =
      '{"oid":"3a000000-0000-0000-0000-000000000000","name":"Customers","columns":[{"oid":"3a000000-0000-0000-0000-000000000001","name":"Region","type":18}]}';
    const replacedTable = [rename, [otherTable, `${newTable},${otherTable}`]] as const;
    expect(describeOrphans(createInstance(replacedTable))).toEqual([
      createText('cube-sets/All/rules/Customers.Id.rules.json', 'Customers.Id', 'Clients.Id'),
      createTextForTakenName(regionRulesPath, 'Customers.Region', 'Clients.Region'),
      createTextForTakenName(paths.region, 'Customers.Region', 'Clients.Region'),
    ]);
    // The rules were moved, and the new table has its own.
    const moved = [rule, { ...rule, table: 'Clients' }];
    expect(describeOrphans({ ...createInstance(replacedTable, moved), cubeSets: [] })).toEqual([]);
    // A later pull does not name the rules again, because an earlier one has seen the rename.
    project.pull(createInstance([rename]));
    expect(describeOrphans(createInstance([rename]))).toEqual([]);
  });

  test('of a datamodel keeps everything in it', () => {
    const project = createProject();
    const plan = project.pull(createRetailDocuments([['"title":"Retail"', '"title":"Shop"']]));
    expect(summarize(plan)).toMatchObject({
      writes: [paths.retail],
      deletions: [],
      deletedOnInstance: [],
      conflicts: [],
    });
    const read = parseProject({ texts: project.texts, faults: [] });
    expect(read.problems).toEqual([]);
    expect(read.items.map(({ key }) => formatItemKey(key))).toContain('rules/Shop/Customers/Region');
    expect(summarize(project.pull(createRetailDocuments([['"title":"Retail"', '"title":"Shop"']])))).toEqual(
      nothing,
    );
  });

  test('is not assumed if the instance has a new table with the old name', () => {
    const project = createProject();
    const plan = project.pull(
      createRetailDocuments([
        ['"name":"Top"', '"name":"Best"'],
        ['"tables":[', '"tables":[{"oid":"6","name":"Top","columns":[]},'],
      ]),
    );
    expect(summarize(plan)).toMatchObject({
      renames: ['relation/Retail/Customers/Id/Top/Id -> relation/Retail/Best/Id/Customers/Id'],
    });
    expect(project.texts.get(paths.top)).toContain('"name": "Top"');
    expect(project.texts.get('datamodels/Retail/tables/Best.table.json')).toContain('"name": "Best"');
    expect(project.problems).toEqual([]);
  });

  test('is not assumed if two items had the ID', () => {
    const project = createProject();
    const oid = retail.datasets[0].schema.tables[0].oid;
    const entries = new Map(project.lock.entries);
    entries.set('table/Retail/Copy', { oid, parts: new Map() });
    project.lock = { ...project.lock, entries };
    const plan = project.pull(createRetailDocuments([['"name":"Customers"', '"name":"Clients"']]));
    expect(summarize(plan).deletedOnInstance).toContain('table/Retail/Customers');
    expect(summarize(plan).writes).toContain('datamodels/Retail/tables/Clients.table.json');
  });

  test('is not assumed if another table cannot be read', () => {
    const project = createProject();
    project.texts.set(paths.top, '{');
    const plan = project.pull(
      createRetailDocuments([['"name":"Customers"', '"name":"Clients"']]),
      withPrunedKinds('table'),
    );
    expect(plan.deletions).toEqual([]);
    expect(summarize(plan).skipped).toEqual(['table/Retail/Clients', 'table/Retail/Top']);
    expect(project.lockText).toContain('"table/Retail/Customers"');
  });

  test('is not assumed if the project already has a table with the new name', () => {
    const project = createProject();
    project.texts.set(
      'datamodels/Retail/tables/Clients.table.json',
      '{"dataset": "Sales", "name": "Clients", "description": "Mine", "columns": []}',
    );
    const plan = project.pull(createRetailDocuments([['"name":"Customers"', '"name":"Clients"']]));
    expect(summarize(plan).deletedOnInstance).toContain('table/Retail/Customers');
    expect(summarize(plan).conflicts).toEqual(['never-seen table/Retail/Clients /description']);
  });
});

test('the lock has IDs and the numbers of parties, but no texts', () => {
  const user = '62fece7410dea795ea567074';
  const project = new PulledProject();
  project.pull(createRetailDocuments([], [{ ...rule, shares: [{ type: 'user', party: user }] }]));
  expect(project.lock.numberedReferences).toEqual([{ number: 1, type: 'user', id: user }]);
  expect(project.lock.entries.get('table/Retail/Top')).toMatchObject({
    oid: retail.datasets[0].schema.tables[1].oid,
    columns: { Id: retail.datasets[0].schema.tables[1].columns[0].oid },
  });
  expect([...project.texts.values()].join('')).not.toContain(user);
  expect(stringify(project.lockText)).not.toContain('North');
  project.pull(
    { ...createRetailDocuments([], []), numberedReferences: [] },
    { isUnknownOnInstance: ({ kind }) => kind === 'rules' },
  );
  expect(project.lock.numberedReferences).toEqual([{ number: 1, type: 'user', id: user }]);
});
