import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { getObjects } from '../../../src/changes/model/jsonMembers.ts';
import { getPlanAnnotations } from '../../../src/cli/githubAnnotations.ts';
import { formatNewlyVisible, formatRules } from '../../../src/cli/newlyVisible.ts';
import { formatPlanMarkdown } from '../../../src/cli/planMarkdown.ts';
import type { PlanOutput } from '../../../src/cli/planOutput.ts';
import { createDemoContent } from '../project/apply/demoContent.ts';
import { type InstanceContent, TestInstance, pullNew } from '../project/apply/roundTripSupport.ts';
import type { PulledProject } from '../project/pull/pullSupport.ts';
import { computePlannedAccess } from './planAccessSupport.ts';

interface TableFile extends JsonObject {
  columns: readonly JsonObject[];
}

const everyone = { type: 'default' };

/** An instance with the tables A and B, of which B and a column of A are hidden. */
const createContent = (
  rules: readonly JsonObject[],
  otherTables: readonly JsonObject[] = [],
): InstanceContent => ({
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
          schema: {
            tables: [
              ...['A', 'B'].map((name, index) => ({
                oid: `3${index}000000-0000-0000-0000-000000000000`,
                id: name,
                name,
                type: 'base',
                hidden: name === 'B',
                columns: ['X', 'Secret'].map((column, position) => ({
                  oid: `3${index}000000-0000-0000-0000-00000000000${position + 1}`,
                  id: column,
                  name: column,
                  type: 18,
                  hidden: column === 'Secret',
                })),
              })),
              ...otherTables,
            ],
          },
        },
      ],
    },
  ],
  extractRules: rules.map((rule, index) => ({
    _id: `${index}`.padStart(24, 'b'),
    server: 'LocalHost',
    elasticube: 'M',
    cubeId: 'M',
    datatype: 'text',
    ...rule,
  })),
});

const noValues = { table: 'A', column: 'X', members: [], allMembers: false, shares: [everyone] };

function editTable({ texts }: PulledProject, name: string, edit: (table: TableFile) => JsonObject): void {
  const path = `datamodels/M/tables/${name}.table.json`;
  texts.set(path, JSON.stringify(edit(JSON.parse(texts.get(path) ?? '') as TableFile)));
}

const addColumn =
  (name: string, members: JsonObject = {}) =>
  (table: TableFile): TableFile => ({
    ...table,
    columns: [...table.columns, { name, id: name, type: 18, ...members }],
  });

const unhideColumns = (table: TableFile): TableFile => ({
  ...table,
  columns: table.columns.map((column) => ({ ...column, hidden: false })),
});

/** Returns what a plan says if the project changes. */
async function plan(
  change: (project: PulledProject) => void,
  rules: readonly JsonObject[] = [],
  otherTables: readonly JsonObject[] = [],
) {
  using instance = new TestInstance('guide', createContent(rules, otherTables));
  const project = await pullNew(instance);
  change(project);
  const { summary, newlyVisible } = await computePlannedAccess(instance, project);
  return { summary, newlyVisible };
}

const rest = 'Access to everything else stays the same.';
const open = 'everyone with access to the datamodel will see it';

describe('a new column of an existing table', () => {
  const visible = { item: 'table/M/A', column: 'Salary', reason: 'new' };

  test('is visible to those who see rows of its table', async () => {
    const change = (project: PulledProject) => editTable(project, 'A', addColumn('Salary'));
    expect(await plan(change)).toEqual({
      summary: `Newly visible to everyone with access to the datamodel: A.Salary. ${rest}`,
      newlyVisible: [{ ...visible, text: `new column; ${open}`, rules: [] }],
    });
    expect(await plan(change, [noValues])).toEqual({
      summary: `Newly visible in the rows that rules allow: A.Salary. ${rest}`,
      newlyVisible: [
        {
          ...visible,
          text: 'new column; visible in the rows that rules allow',
          rules: ['X: everyone else: no values'],
        },
      ],
    });
    // Everyone else might see all rows.
    const onlyAlice = {
      ...noValues,
      members: ['a'],
      allMembers: null,
      shares: [{ type: 'user', party: 'alice' }],
    };
    expect((await plan(change, [onlyAlice])).summary).toMatch(
      /^Newly visible, with rules only for some users and groups: A\.Salary\./,
    );
  });

  test('is named in the summary even if there is a new table', async () => {
    const { summary } = await plan(
      (project) => {
        editTable(project, 'A', addColumn('Salary'));
        const table = JSON.parse(project.texts.get('datamodels/M/tables/A.table.json') ?? '') as TableFile;
        project.texts.set(
          'datamodels/M/tables/N.table.json',
          JSON.stringify({ ...table, name: 'N', id: 'N' }),
        );
      },
      [noValues],
    );
    expect(summary).toBe(
      `1 new table: without rules, so ${open}. Newly visible in the rows that rules allow: A.Salary. ${rest}`,
    );
  });

  test('is not visible if it or its table is hidden, and neither is a column that only has a new name', async () => {
    const expected = { summary: 'No one gains or loses access.', newlyVisible: undefined };
    expect(await plan((project) => editTable(project, 'A', addColumn('Salary', { hidden: true })))).toEqual(
      expected,
    );
    expect(await plan((project) => editTable(project, 'B', addColumn('Salary')))).toEqual(expected);
    expect(
      await plan((project) =>
        editTable(project, 'A', (table) => ({
          ...table,
          columns: table.columns.map((column) =>
            column['name'] === 'X' ? { ...column, name: 'Y', renamedFrom: 'X' } : column,
          ),
        })),
      ),
    ).toEqual(expected);
  });
});

test('a table or column that is no longer hidden is visible', async () => {
  const column = await plan((project) => editTable(project, 'A', unhideColumns));
  expect(column).toEqual({
    summary: `Newly visible to everyone with access to the datamodel: A.Secret. ${rest}`,
    newlyVisible: [
      {
        item: 'table/M/A',
        column: 'Secret',
        reason: 'unhidden',
        text: `no longer hidden; ${open}`,
        rules: [],
      },
    ],
  });
  // The columns of the table aren't listed one by one.
  const table = await plan((project) =>
    editTable(project, 'B', (file) => addColumn('New')(unhideColumns({ ...file, hidden: false }))),
  );
  expect(table).toEqual({
    summary: `Newly visible to everyone with access to the datamodel: B. ${rest}`,
    newlyVisible: [{ item: 'table/M/B', reason: 'unhidden', text: `no longer hidden; ${open}`, rules: [] }],
  });
  // A column stays hidden if its file doesn't say whether it is.
  const unmanaged = await plan((project) =>
    editTable(project, 'A', (file) => ({
      ...file,
      columns: file.columns.map(({ hidden: _hidden, ...other }) => ({ ...other, description: 'New' })),
    })),
  );
  expect(unmanaged.summary).toBe('No one gains or loses access.');
});

test('what a later apply has to show is not visible yet', async () => {
  const rules = ['A', 'B'].map((table) => ({ ...noValues, table }));
  /** The rules of B change, so this apply only renames the column of A. */
  const renameFirst = (project: PulledProject): void => {
    editTable(project, 'A', (table) => ({
      ...table,
      columns: table.columns.map((column) =>
        column['name'] === 'X' ? { ...column, name: 'Y', renamedFrom: 'X' } : column,
      ),
    }));
    const editRules = (table: string, from: string, to: string): void => {
      const path = `datamodels/M/rules/${table}.X.rules.json`;
      const text = project.texts.get(path) ?? '';
      expect(text).toContain(from);
      project.texts.set(path, text.replaceAll(from, to));
    };
    editRules('A', '"column": "X"', '"column": "Y"');
    editRules('A', '"members": []', '"members": ["1"]');
    editRules('A', '"allMembers": false', '"allMembers": null');
    editRules('B', '"members": []', '"members": ["1"]');
    editRules('B', '"allMembers": false', '"allMembers": null');
  };
  const customTable = {
    oid: '39000000-0000-0000-0000-000000000000',
    id: 'C',
    name: 'C',
    type: 'custom',
    expression: 'SELECT 1 AS One',
    hidden: false,
    columns: [
      { oid: '39000000-0000-0000-0000-000000000001', id: 'One', name: 'One', type: 8, isCustom: false },
    ],
  };
  const getVisible = async (change: (project: PulledProject) => void, renames = renameFirst) => {
    const { summary, newlyVisible = [] } = await plan(
      (project) => {
        renames(project);
        change(project);
      },
      rules,
      [customTable],
    );
    const names = newlyVisible.map(({ item, column }) => (column === undefined ? item : `${item}/${column}`));
    return { names, isInSummary: summary.includes('ewly visible') };
  };
  const none = { names: [], isInSummary: false };
  expect(await getVisible((project) => editTable(project, 'A', unhideColumns))).toEqual(none);
  expect(await getVisible((project) => editTable(project, 'A', addColumn('New', { hidden: false })))).toEqual(
    none,
  );
  expect(
    await getVisible((project) => editTable(project, 'B', (table) => ({ ...table, hidden: false }))),
  ).toEqual(none);
  // The SQL of an existing table waits, too, and so do the columns that it generates.
  const changeSql = (project: PulledProject): void => {
    project.texts.set('datamodels/M/tables/C.datamodel.sql', 'SELECT 1 AS One, 2 AS Two');
    editTable(project, 'C', (table) => ({ ...table, columns: [...table.columns, { name: 'Two', type: 8 }] }));
  };
  expect(await getVisible(changeSql)).toEqual(none);
  expect(await getVisible(changeSql, () => {})).toEqual({ names: ['table/M/C/Two'], isInSummary: true });
  // The next plan wouldn't show a column whose file doesn't say whether it is hidden.
  expect(await getVisible((project) => editTable(project, 'A', addColumn('New')))).toEqual({
    names: ['table/M/A/New'],
    isInSummary: true,
  });
});

describe('a shared viewpoint whose details change', () => {
  const path = 'viewpoints/Revenue by Region.viewpoint.json';

  async function planDetails(
    visibility: JsonObject,
    change: (project: PulledProject, details: JsonObject) => JsonObject,
  ) {
    using instance = new TestInstance('guide', createDemoContent());
    const project = await pullNew(instance);
    const viewpoint = JSON.parse(project.texts.get(path) ?? '') as JsonObject;
    const shared = { ...viewpoint, enabled: visibility['enabled'] ?? false, visibility };
    project.texts.set(path, JSON.stringify(shared));
    await instance.apply(project);
    project.texts.set(
      path,
      JSON.stringify({ ...shared, details: change(project, viewpoint['details'] as JsonObject) }),
    );
    const { summary, newlyVisible } = await computePlannedAccess(instance, project);
    return { summary, newlyVisible };
  }

  const shared = { apps: ['teams'], groups: ['Sales'], users: [], enabled: true };
  const changeDetails = (_project: PulledProject, details: JsonObject): JsonObject => ({
    ...details,
    metadata: [],
  });

  test('might show more than before', async () => {
    expect(await planDetails(shared, changeDetails)).toEqual({
      summary: `Might show more than before: viewpoint Revenue by Region. ${rest}`,
      newlyVisible: [
        {
          item: 'viewpoint/Revenue by Region',
          reason: 'details',
          text: 'changed details might show more to Group Sales',
          rules: [],
        },
      ],
    });
  });

  test('shows no more if it only loses columns', async () => {
    const { summary, newlyVisible } = await planDetails(shared, (_project, details) => {
      const columns = getObjects(details['columns']);
      expect(columns.length).toBeGreaterThan(1);
      return { ...details, columns: columns.slice(0, -1) };
    });
    expect([summary, newlyVisible]).toEqual(['No one gains or loses access.', undefined]);
  });

  test('shows nothing to anyone if it is not published', async () => {
    const { summary, newlyVisible } = await planDetails({ ...shared, enabled: false }, changeDetails);
    expect([summary, newlyVisible]).toEqual(['No one gains or loses access.', undefined]);
  });
});

test('every format names what becomes visible', () => {
  const newlyVisible = [
    { item: 'table/M/A', column: 'Salary', reason: 'new', text: 'new column', rules: ['X: no values'] },
  ] as const;
  const output = {
    environment: 'test',
    instance: { url: 'https://bi.example.com', role: 'test' },
    hash: 'h',
    state: 'differs',
    limits: {},
    counts: { create: 0, update: 1, delete: 0, unchanged: 3, requests: 1 },
    changes: [],
    extras: [],
    notes: [],
    deferred: [],
    problems: [],
    ignoredErrors: [],
    unknown: [],
    breaks: [],
    access: { summary: '', rows: [], newTables: [], newlyVisible, unchecked: [] },
    builds: [],
  } as unknown as PlanOutput;
  expect(formatNewlyVisible(output)).toEqual(['table/M/A/Salary: new column; X: no values']);
  expect(formatPlanMarkdown(output)).toContain('Newly visible');
  expect(getPlanAnnotations(output)).toContainEqual({
    level: 'warning',
    title: 'Newly visible: table/M/A/Salary',
    message: 'new column; X: no values',
    file: undefined,
  });
});

test('a line lists only some of many rules, and counts the others', () => {
  const rules = Array.from({ length: 8000 }, (_value, index) => `X: user ${index}: no values`);
  expect(formatRules(rules)).toMatch(/^X: user 0: no values; .*; X: user 9: no values; and 7990 more$/);
});
