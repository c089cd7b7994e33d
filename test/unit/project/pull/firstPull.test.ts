import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonEquals } from '../../../../src/base/canonicalJson.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { mayBeAbsent } from '../../../../src/project/compare/compareContents.ts';
import { getColumnsByName } from '../../../../src/project/compare/normalizeContent.ts';
import { emptyLock } from '../../../../src/project/pull/lock.ts';
import { mergeItem } from '../../../../src/project/pull/mergeItem.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { PulledProject, createRetailDocuments, nothing, paths, rule, summarize } from './pullSupport.ts';

/** Creates a project without a lock, into which an instance is pulled for the first time. */
function createProject(documents = createRetailDocuments()): PulledProject {
  const project = new PulledProject();
  project.pull(documents);
  project.lock = emptyLock;
  return project;
}

const winners = [undefined, 'ours', 'theirs'] as const;
const customColumn = `{"oid":"30000000-0000-0000-0000-000000000003","name":"Full Name","isCustom":true,"expression":"First\\n+ Last"}`;
const otherSqlPath = 'datamodels/Retail/tables/Customers/Region Upper.datamodel.sql';

describe.each(winners)('a first pull (the side that wins: %s) of a viewpoint', (winner) => {
  test.each([
    [{}, { apps: [], groups: [], users: [], enabled: true }],
    [{ apps: ['teams'] }, { apps: ['teams'], groups: [], users: [], enabled: false }],
    [
      { apps: ['teams'], users: [], enabled: null },
      { apps: ['teams'], enabled: true },
    ],
  ])('keeps a visibility that means the same: %j', (ours, theirs) => {
    const withVisibility = (visibility: JsonObject) => ({
      viewpoints: [{ id: '1', name: 'V', enabled: theirs.enabled, visibility }],
    });
    const project = createProject(withVisibility(theirs));
    const path = 'viewpoints/V.viewpoint.json';
    project.texts.set(
      path,
      JSON.stringify({ name: 'V', enabled: theirs.enabled, visibility: ours }, undefined, 2),
    );
    const text = project.texts.get(path);
    for (const pull of ['first', 'second']) {
      const plan = project.pull(withVisibility(theirs), { getWinner: () => winner });
      expect(plan.conflicts, pull).toEqual([]);
      expect(project.texts.get(path)?.trim(), pull).toBe(text);
    }
  });
});

describe.each(winners)('a first pull (the side that wins: %s)', (winner) => {
  const options = { getWinner: () => winner };

  test('keeps a column that only the project has, with its SQL and its rules', () => {
    const project = createProject();
    project.edit(
      paths.customers,
      '"columns": [',
      `"columns": [
    {"name": "Region Upper", "isCustom": true, "expression": {"$file": "Customers/Region Upper.datamodel.sql"}},`,
    );
    project.texts.set(otherSqlPath, 'Upper(Region)\n');
    const rulesPath = 'datamodels/Retail/rules/Customers.Region Upper.rules.json';
    project.texts.set(
      rulesPath,
      (project.texts.get(paths.region) ?? '').replaceAll('"Region"', '"Region Upper"'),
    );
    const texts = new Map(project.texts);
    expect(project.problems).toEqual([]);
    for (const pull of ['first', 'second']) {
      const plan = project.pull(createRetailDocuments(), options);
      expect(summarize(plan), pull).toEqual(nothing);
      expect(
        plan.localChanges.map(({ state, path }) => `${state} ${path}`),
        pull,
      ).toEqual([`created ${otherSqlPath}`, `created ${rulesPath}`, `changed ${paths.customers}`]);
    }
    expect(project.texts).toEqual(texts);
  });

  test('keeps a column that the instance has deleted, with its SQL, beside what it has changed', () => {
    const project = createProject();
    const documents = createRetailDocuments([
      [`,${customColumn}`, ''],
      ['"People"', '"Persons"'],
    ]);
    const plan = project.pull(documents, options);
    expect(summarize(plan)).toEqual({
      ...nothing,
      writes: winner === 'theirs' ? [paths.customers] : [],
      conflicts: winner === undefined ? ['never-seen table/Retail/Customers /description'] : [],
    });
    expect(project.texts.get(paths.fullName)).toBe('First\n+ Last\n');
    expect(project.texts.get(paths.customers)).toMatch(/"Full Name"[^]*Customers\/Full Name\.datamodel\.sql/);
    expect(project.problems).toEqual([]);
    const texts = new Map(project.texts);
    expect(summarize(project.pull(documents)).writes).toEqual([]);
    expect(project.texts).toEqual(texts);
  });

  test('keeps SQL that only the project has', () => {
    const project = createProject();
    const documents = createRetailDocuments([
      [',"expression":"First\\n+ Last"', ''],
      ['"expression":"SELECT 1",', ''],
    ]);
    const texts = new Map(project.texts);
    expect(summarize(project.pull(documents, options))).toEqual(nothing);
    expect(summarize(project.pull(documents, options))).toEqual(nothing);
    expect(project.texts).toEqual(texts);
  });

  test('takes over what a file lacks', () => {
    const project = createProject(
      createRetailDocuments([
        [`,${customColumn}`, ''],
        ['"description":"People",', ''],
        ['"Region","type":18', '"Region"'],
      ]),
    );
    expect(summarize(project.pull(createRetailDocuments(), options))).toEqual({
      ...nothing,
      writes: [paths.fullName, paths.customers],
    });
    const { texts, lockText } = project;
    const newProject = new PulledProject();
    newProject.pull(createRetailDocuments());
    expect(lockText).toBe(newProject.lockText);
    expect(project.problems).toEqual([]);
    const plan = project.pull(createRetailDocuments(), options);
    expect(summarize(plan)).toEqual(nothing);
    expect(plan.localChanges).toEqual([]);
    expect([project.texts, project.lockText]).toEqual([texts, lockText]);
  });

  test('keeps the connection of a dataset, of which each environment has its own', () => {
    const withConnection = (connection: string) =>
      createRetailDocuments([['"name":"Sales"', `"name":"Sales","connection":${connection}`]]);
    const project = createProject(withConnection('{"provider":"CSV","parameters":{"Server":"dev"}}'));
    const texts = new Map(project.texts);
    const productionInstance = withConnection(
      '{"provider":"Oracle","parameters":{"Server":"prod"},"timeout":1}',
    );
    for (const pull of ['first', 'second']) {
      const plan = project.pull(productionInstance, options);
      expect(summarize(plan), pull).toEqual(nothing);
      expect(plan.localChanges, pull).toEqual([]);
    }
    expect(project.texts).toEqual(texts);
    const newProject = new PulledProject();
    newProject.pull(productionInstance);
    expect(project.lockText).toBe(newProject.lockText);
  });

  test('ignores the order of columns', () => {
    const project = createProject();
    const id = '    {\n      "name": "Id",\n      "type": 8\n    },\n';
    project.edit(paths.customers, id, '');
    project.edit(
      paths.customers,
      '    {\n      "name": "Full Name"',
      `${id}    {\n      "name": "Full Name"`,
    );
    const texts = new Map(project.texts);
    for (const _pull of ['first', 'second']) {
      const plan = project.pull(createRetailDocuments(), options);
      expect(summarize(plan)).toEqual(nothing);
      expect(plan.localChanges).toEqual([]);
    }
    expect(project.texts).toEqual(texts);
  });
});

describe('a first pull is in conflict', () => {
  test('about rules that differ, even if one side only has more of them', () => {
    const project = createProject();
    const instanceWithMoreRules = createRetailDocuments([], [rule, { ...rule, members: ['South'] }]);
    expect(summarize(project.pull(instanceWithMoreRules)).conflicts).toEqual([
      'never-seen rules/Retail/Customers/Region ',
    ]);
    const other = createProject(instanceWithMoreRules);
    expect(summarize(other.pull(createRetailDocuments())).conflicts).toEqual([
      'never-seen rules/Retail/Customers/Region ',
    ]);
  });

  test('about values that a plan compares as a whole', () => {
    const withView = (visibility: JsonObject, rows: readonly string[]) => ({
      viewpoints: [{ id: '1', name: 'Sales', visibility, rows: rows.map((name) => ({ name })) }],
    });
    const project = createProject(withView({ enabled: true, apps: ['a'] }, ['a']));
    expect(
      summarize(project.pull(withView({ enabled: true, apps: ['a', 'b'] }, ['a', 'b']))).conflicts,
    ).toEqual(['never-seen viewpoint/Sales /rows/b /visibility/apps']);
  });

  test('about a column that differs, in which the side that wins also gets what only the other one has', () => {
    const documents = createRetailDocuments([['"Region","type":18', '"Region","type":4,"scale":2']]);
    for (const [winner, type] of [
      [undefined, 18],
      ['ours', 18],
      ['theirs', 4],
    ] as const) {
      const project = createProject();
      project.edit(paths.customers, '"type": 18', '"type": 18, "hidden": true');
      expect(summarize(project.pull(documents, { getWinner: () => winner })).conflicts).toEqual(
        winner === undefined ? ['never-seen table/Retail/Customers /columns/Region'] : [],
      );
      const { texts } = project;
      expect(texts.get(paths.customers)).toMatch(new RegExp(`"type": ${type},\\s+"hidden": true`));
      expect(texts.get(paths.customers)?.includes('"scale": 2')).toBe(winner !== undefined);
    }
  });
});

test('without a last version, no side of a merge loses a column or a member that only it has', () => {
  const name = fc.constantFrom('a', 'b', 'c/d', '__proto__');
  const column = fc.record({ type: fc.nat(1), size: fc.nat(1) }, { requiredKeys: [] });
  const table = fc
    .record({
      columns: fc.uniqueArray(fc.tuple(name, column), { selector: ([key]) => key, maxLength: 4 }),
      members: fc.record({ id: fc.nat(1), hidden: fc.boolean() }, { requiredKeys: [] }),
    })
    .map(({ columns, members }) => ({
      name: 'T',
      ...members,
      columns: columns.map(([key, value]): JsonObject => ({ name: key, ...value })),
    }));
  fc.assert(
    fc.property(table, table, fc.constantFrom(...winners), (ours, theirs, winner) => {
      const key = { kind: 'table', datamodel: 'D', table: 'T' } as const;
      const sides = { key, ours, theirs, base: undefined };
      const check = { mayBeAbsent: (pointer: string) => mayBeAbsent(key, pointer) };
      const result = mergeItem({ ...sides, ...check, winner });
      const [ourColumns, theirColumns] = [getColumnsByName(ours), getColumnsByName(theirs)];
      const haveDifferentMembers = (a: JsonObject, b: JsonObject): boolean =>
        Object.keys(a).some(
          (member) => member !== 'columns' && Object.hasOwn(b, member) && !jsonEquals(a[member], b[member]),
        );
      const isConflict =
        haveDifferentMembers(ours, theirs) ||
        [...ourColumns].some(([column, value]) =>
          haveDifferentMembers(value, theirColumns.get(column) ?? {}),
        );
      if (winner === undefined && isConflict) {
        expect(result).toHaveProperty('conflicts');
        return;
      }
      const merged = 'merged' in result ? (result.merged as JsonObject) : {};
      const preferred = winner === 'theirs' ? theirs : ours;
      const other = winner === 'theirs' ? ours : theirs;
      const { columns: _columns, ...members } = merged;
      expect({ ...members, columns: [] }).toEqual({ ...other, ...preferred, columns: [] });
      const expected = [...new Set([...ourColumns.keys(), ...theirColumns.keys()])].map(
        (column) =>
          [
            column,
            {
              ...getColumnsByName(other).get(column),
              ...getColumnsByName(preferred).get(column),
            },
          ] as const,
      );
      expect(getColumnsByName(merged)).toEqual(new Map(expected));
    }),
    { numRuns: getPropertyRuns(300) },
  );
});
