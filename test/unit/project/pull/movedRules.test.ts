import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { ItemKey } from '../../../../src/project/item.ts';
import {
  PulledProject,
  createRetailDocuments,
  listLeftOut,
  nothing,
  paths,
  rule,
  summarize,
} from './pullSupport.ts';

const renamedColumn = ['"name":"Region"', '"name":"Area"'] as const;
const renamedTable = ['"name":"Customers"', '"name":"Clients"'] as const;
const areaPath = 'datamodels/Retail/rules/Customers.Area.rules.json';
const areaRule: JsonObject = { ...rule, column: 'Area' };

const createProject = (): PulledProject => {
  const project = new PulledProject();
  project.pull(createRetailDocuments());
  return project;
};

/** An instance on which the column was renamed and its rules were moved. */
const createMovedInstance = (rules: readonly JsonObject[] = [areaRule]) =>
  createRetailDocuments([renamedColumn], rules);

/** An instance on which the column was renamed, and its rules were moved and got other values. */
const createMovedAndChangedInstance = () => createMovedInstance([{ ...areaRule, members: ['South'] }]);

describe('rules that were moved to the new name of their column on the instance', () => {
  test('move to a new file, with the changes of the project', () => {
    const project = createProject();
    project.edit(paths.region, '[', '// Checked by Ann\n[');
    project.edit(paths.region, 'North', 'West');
    const plan = project.pull(createMovedInstance());
    expect(summarize(plan)).toEqual({
      ...nothing,
      writes: [areaPath, paths.customers],
      deletions: [paths.region],
    });
    expect(plan.columnRenames).toEqual([
      { table: { kind: 'table', datamodel: 'Retail', table: 'Customers' }, from: 'Region', to: 'Area' },
    ]);
    expect(plan.orphanedRules).toEqual([]);
    expect(plan.localChanges).toEqual([
      {
        key: { kind: 'rules', datamodel: 'Retail', table: 'Customers', column: 'Area' },
        state: 'changed',
        path: areaPath,
      },
    ]);
    const text = project.texts.get(areaPath) ?? '';
    expect(text).toContain('// Checked by Ann');
    expect(text).toContain('"column": "Area"');
    expect(text).toContain('West');
    expect(project.problems).toEqual([]);
    expect(project.lock.entries.has('rules/Retail/Customers/Region')).toBe(false);
    const again = project.pull(createMovedInstance());
    expect(summarize(again)).toEqual(nothing);
    expect(again.columnRenames).toEqual([]);
  });

  test('move with the changes of the instance', () => {
    const project = createProject();
    expect(summarize(project.pull(createMovedAndChangedInstance()))).toMatchObject({
      writes: [areaPath, paths.customers],
      deletions: [paths.region],
      conflicts: [],
    });
    expect(project.texts.get(areaPath)).toContain('South');
  });

  test('are in conflict if both sides have changed them, and their table is not pulled until that is resolved', () => {
    const project = createProject();
    project.edit(paths.region, 'North', 'West');
    const { texts, lockText } = project;
    const before = new Map(texts);
    const plan = project.pull(createMovedAndChangedInstance());
    expect(summarize(plan)).toEqual({ ...nothing, conflicts: ['both-changed rules/Retail/Customers/Area '] });
    expect(plan.conflicts[0]).toMatchObject({
      path: paths.region,
      unitKey: { kind: 'table', datamodel: 'Retail', table: 'Customers' },
      ours: [{ column: 'Area', members: ['West'] }],
      theirs: [{ column: 'Area', members: ['South'] }],
    });
    expect(project.texts).toEqual(before);
    expect(project.lockText).toBe(lockText);
    // The next pull still knows the rename.
    for (const [winner, value] of [
      ['ours', 'West'],
      ['theirs', 'South'],
    ] as const) {
      const resolved = project.copy();
      expect(summarize(resolved.pull(createMovedAndChangedInstance(), { getWinner: () => winner }))).toEqual({
        ...nothing,
        writes: [areaPath, paths.customers],
        deletions: [paths.region],
      });
      expect(resolved.texts.get(areaPath)).toContain(value);
      expect(summarize(resolved.pull(createMovedAndChangedInstance()))).toEqual(nothing);
    }
  });

  test('stay deleted if the project has deleted them', () => {
    const project = createProject();
    project.texts.delete(paths.region);
    expect(summarize(project.pull(createMovedInstance()))).toEqual({ ...nothing, writes: [paths.customers] });
    const changed = createProject();
    changed.texts.delete(paths.region);
    expect(summarize(changed.pull(createMovedAndChangedInstance()))).toEqual({
      ...nothing,
      conflicts: ['deleted-here rules/Retail/Customers/Area '],
    });
  });

  test('stay in a file that was renamed by hand', () => {
    const project = createProject();
    const path = 'datamodels/Retail/rules/Where.rules.json';
    project.texts.set(path, project.texts.get(paths.region) ?? '');
    project.texts.delete(paths.region);
    expect(summarize(project.pull(createMovedInstance()))).toEqual({
      ...nothing,
      writes: [path, paths.customers],
    });
    expect(project.texts.get(path)).toContain('"column": "Area"');
  });

  test('move to a new file if their table was renamed, too', () => {
    const project = createProject();
    project.edit(paths.region, 'North', 'West');
    const plan = project.pull(createRetailDocuments([renamedTable], [{ ...rule, table: 'Clients' }]));
    const path = 'datamodels/Retail/rules/Clients.Region.rules.json';
    expect(plan.writes.map((write) => write.path)).toContain(path);
    expect(plan.deletions.map((deletion) => deletion.path)).toEqual([paths.region]);
    expect(plan.conflicts).toEqual([]);
    expect(project.texts.get(path)).toContain('West');
    expect(project.problems).toEqual([]);
  });

  test('do not overwrite the file of rules that were on the new name of the column before', () => {
    const project = new PulledProject();
    project.pull(createRetailDocuments([], [rule, { ...areaRule, members: ['Earlier'] }]));
    const plan = project.pull(
      createRetailDocuments([renamedTable, renamedColumn], [{ ...areaRule, table: 'Clients' }]),
    );
    const [movedPath] = [...project.texts.keys()].filter((path) => path.includes('rules/Clients.Area'));
    expect(project.texts.get(movedPath ?? '')).toContain('North');
    expect(summarize(plan).deletions).toContain(paths.region);
    // Whether these are deleted is for a person to decide.
    expect(project.texts.get(areaPath)).toContain('Earlier');
    expect(summarize(plan).deletedOnInstance).toEqual(['rules/Retail/Customers/Area']);
  });

  test('are pulled with their table only once the rules of the instance are known', () => {
    const project = createProject();
    project.edit(paths.region, 'North', 'West');
    const isUnknownOnInstance = ({ kind }: ItemKey) => kind === 'rules';
    const plan = project.pull(createMovedInstance([]), { isUnknownOnInstance });
    expect(plan.writes).toEqual([]);
    expect(listLeftOut(plan)).toEqual(['column-rules table/Retail/Customers Area']);
    project.pull(createMovedInstance());
    expect(project.texts.get(areaPath)).toContain('West');
    expect(project.texts.has(paths.region)).toBe(false);
  });

  describe('stay with their table if the instance has added a rule for an unknown type of party', () => {
    const roleRuleParts = { members: ['X'], shares: [{ type: 'role', party: 'r' }] };
    const clientsRule = { ...rule, table: 'Clients' };
    const renamedInstance = createMovedInstance([areaRule, { ...areaRule, ...roleRuleParts }]);

    test.each([
      ['a column', renamedInstance, 'party-type table/Retail/Customers Area'],
      [
        'a table',
        createRetailDocuments([renamedTable], [clientsRule, { ...clientsRule, ...roleRuleParts }]),
        'party-type table/Retail/Clients Region',
      ],
    ])('to the new name of %s', (_name, pulled, text) => {
      const project = createProject();
      const before = new Map(project.texts);
      const { lockText } = project;
      for (const prunedKinds of [new Set<never>(), new Set(['rules'] as const)]) {
        const plan = project.pull(pulled, { prunedKinds });
        expect(listLeftOut(plan)[0]).toBe(text);
        expect(summarize(plan)).toMatchObject({
          writes: [],
          deletions: [],
          deletedOnInstance: [],
          conflicts: [],
        });
        expect(project.texts).toEqual(before);
        expect(project.lockText).toBe(lockText);
      }
    });

    test('although the old rules are still on the former name', () => {
      const project = createProject();
      const plan = project.pull(createMovedInstance([rule, { ...areaRule, ...roleRuleParts }]));
      expect(listLeftOut(plan)).toEqual(['party-type table/Retail/Customers Area']);
      expect(plan.writes).toEqual([]);
    });

    test('unless the project has rules on the new name', () => {
      const project = createProject();
      project.texts.set(areaPath, (project.texts.get(paths.region) ?? '').replace('Region', 'Area'));
      const plan = project.pull(renamedInstance);
      expect(listLeftOut(plan)).toEqual([]);
      expect(summarize(plan)).toMatchObject({ writes: [paths.customers], conflicts: [] });
    });

    test('even if the rules are those of a cube set', () => {
      const createInstance = (column: string, ...changes: Parameters<typeof createRetailDocuments>) => ({
        ...createRetailDocuments(...changes),
        cubeSets: [
          {
            name: 'All',
            rules: column === 'Area' ? [{ ...areaRule, ...roleRuleParts }] : [rule],
          },
        ],
      });
      const project = new PulledProject();
      project.pull(createInstance('Region', [], []));
      const before = new Map(project.texts);
      const plan = project.pull(createInstance('Area', [renamedColumn], []), {
        prunedKinds: new Set(['cubeSetRules']),
      });
      expect(listLeftOut(plan)).toEqual(['party-type table/Retail/Customers Area']);
      expect(project.texts).toEqual(before);
    });
  });

  test('do not count as moved if the project or the instance has rules on both names', () => {
    const both = createProject();
    expect(summarize(both.pull(createMovedInstance([rule, areaRule]))).deletions).toEqual([]);
    expect(both.texts.has(paths.region)).toBe(true);
    const project = createProject();
    project.texts.set(areaPath, (project.texts.get(paths.region) ?? '').replace('Region', 'Area'));
    expect(summarize(project.pull(createMovedInstance()))).toMatchObject({
      deletedOnInstance: ['rules/Retail/Customers/Region'],
      deletions: [],
    });
  });

  test('of a cube set move as well, unless another datamodel still has the former name', () => {
    const createInstance = (column: string, ...changes: Parameters<typeof createRetailDocuments>) => ({
      ...createRetailDocuments(...changes),
      cubeSets: [{ name: 'All', rules: [{ ...rule, column }] }],
    });
    const project = new PulledProject();
    project.pull(createInstance('Region', [], []));
    const [formerPath, newPath] = ['Region', 'Area'].map(
      (name) => `cube-sets/All/rules/Customers.${name}.rules.json`,
    ) as [string, string];
    project.edit(formerPath, 'North', 'West');
    const renamed = createInstance('Area', [renamedColumn], []);
    const other = createRetailDocuments([['"title":"Retail"', '"title":"Shop"']], []);
    const ambiguous = {
      ...renamed,
      datamodels: [...(renamed.datamodels ?? []), ...(other.datamodels ?? [])],
    };
    const plan = project.copy().pull(ambiguous);
    expect(summarize(plan).deletedOnInstance).toEqual(['cubeSetRules/All/Customers/Region']);
    expect(summarize(project.pull(renamed))).toMatchObject({
      writes: [newPath, paths.customers],
      deletions: [formerPath],
      deletedOnInstance: [],
    });
    expect(project.texts.get(newPath)).toContain('West');
  });
});
