import { describe, expect, test } from 'vitest';
import { stringify } from '../../../../src/base/json.ts';
import { type AppliedState, createAppliedLock } from '../../../../src/project/apply/appliedLock.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import type { CompareInput } from '../../../../src/project/plan/compareProject.ts';
import { emptyLock, formatLock, type Lock, parseLock } from '../../../../src/project/pull/lock.ts';
import { getStatusGroup } from '../../../../src/project/status/itemStatus.ts';
import { StatusComparer } from '../../../../src/project/status/compareStatus.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { compare, summarize as summarizePlan, withPrunedKinds } from '../plan/planSupport.ts';
import {
  PulledProject,
  createRetailDocuments,
  nothing,
  paths,
  retail,
  rule,
  summarize,
} from '../pull/pullSupport.ts';

type Documents = ReturnType<typeof createRetailDocuments>;

const convert = (instance: Documents) =>
  convertInstance({
    datamodels: [],
    cubeSets: [],
    viewpoints: [],
    customData: [],
    users: [],
    groups: [],
    numberedReferences: [],
    ...instance,
  });

/** Returns the lock of a project when the instance has these documents after an apply. */
const createLockAfterApply = (
  project: PulledProject,
  instance: Documents,
  options: Partial<
    Pick<CompareInput, 'isUnknownOnInstance'> &
      Pick<AppliedState, 'createdKeys' | 'expectedAdditions' | 'restoredIds'>
  > = {},
): Lock =>
  createAppliedLock(project.lock, {
    project: parseProject({ texts: project.texts, faults: [] }),
    pulled: convert(instance),
    comparison: compare(project, instance, options),
    createdKeys: options.createdKeys,
    expectedAdditions: options.expectedAdditions,
    restoredIds: options.restoredIds,
  });

function createPulled(instance: Documents): PulledProject {
  const project = new PulledProject();
  project.pull(instance);
  return project;
}

const createProject = (): PulledProject => createPulled(createRetailDocuments());

const rulesKey = 'rules/Retail/Customers/Region';
const customersKey = 'table/Retail/Customers';
const connectTo = (server: string) =>
  [
    '"name":"Sales"',
    `"name":"Sales","connection":{"provider":"PostgreSQL","parameters":{"Server":"${server}"}}`,
  ] as const;
const theirChange = ['"description":"People"', '"description":"Theirs"'] as const;

test('items that were deleted are removed from the lock, and items that are not deleted yet stay in it', () => {
  const project = createProject();
  project.texts.delete(paths.region);
  const lockBeforeDeletion = createLockAfterApply(project, createRetailDocuments());
  expect(lockBeforeDeletion.entries.get(rulesKey)).toEqual(project.lock.entries.get(rulesKey));
  const lockAfterDeletion = createLockAfterApply(project, createRetailDocuments([], []));
  expect(lockAfterDeletion.entries.has(rulesKey)).toBe(false);
  expect(lockAfterDeletion.entries.size).toBe(project.lock.entries.size - 1);
  // What could not be read may still exist.
  const lockWithUnreadRules = createLockAfterApply(project, createRetailDocuments([], []), {
    isUnknownOnInstance: ({ kind }) => kind === 'rules',
  });
  expect(lockWithUnreadRules.entries.get(rulesKey)).toEqual(project.lock.entries.get(rulesKey));
});

describe('a part', () => {
  test('that is the same on both sides is recorded, no matter who has written it', () => {
    const project = createProject();
    project.edit(paths.customers, '"People"', '"Theirs"');
    const { entries } = createLockAfterApply(project, createRetailDocuments([theirChange]));
    const expected = new PulledProject();
    expected.pull(createRetailDocuments([theirChange]));
    expect(entries).toEqual(expected.lock.entries);
  });

  test('that differs, or that only the instance has, stays recorded as it was last seen', () => {
    const project = createProject();
    expect(createLockAfterApply(project, createRetailDocuments([theirChange]))).toEqual(project.lock);
    const addition = ['"description":"People"', '"description":"People","hidden":true'] as const;
    expect(createLockAfterApply(project, createRetailDocuments([addition]))).toEqual(project.lock);
  });
});

const idColumn = '{"oid":"30000000-0000-0000-0000-000000000001","name":"Id","type":8}';
const withSalary = createRetailDocuments([
  [idColumn, `${idColumn},{"oid":"30000000-0000-0000-0000-0000000000ff","name":"Salary","type":8}`],
]);

describe('what others have deleted', () => {
  test.each([
    ['a column', withSalary, createRetailDocuments(), '/columns/Salary'],
    [
      'a property',
      createRetailDocuments(),
      createRetailDocuments([[',"description":"People"', '']]),
      '/description',
    ],
  ])('is still a change on the server: %s', (_title, before, after, pointer) => {
    const project = createPulled(before);
    project.lock = createLockAfterApply(project, after);
    expect(summarizePlan(compare(project, after)).changes).toEqual([
      `update ${customersKey} [${pointer}] (changed on the server)`,
    ]);
    // The order of the columns is that of the last pull, so that only the deletion is pulled.
    const getParts = ({ lock }: PulledProject) => [...(lock.entries.get(customersKey)?.parts ?? [])];
    expect(getParts(project)).toEqual(getParts(createPulled(before)));
    expect(summarize(project.pull(after))).toEqual({ ...nothing, writes: [paths.customers] });
    expect(summarizePlan(compare(project, after)).changes).toEqual([]);
  });
});

test('what only the instance has is not recorded as seen if the instance was never pulled', () => {
  const project = createProject();
  project.lock = emptyLock;
  project.lock = createLockAfterApply(project, withSalary);
  expect(summarizePlan(compare(project, withSalary, withPrunedKinds('column'))).changes).toEqual([
    `update ${customersKey} [/columns/Salary] (changed on the server)`,
  ]);
  expect(summarize(project.pull(withSalary))).toEqual({ ...nothing, writes: [paths.customers] });
  expect(project.texts.get(paths.customers)).toContain('Salary');
});

test('an item without changes that was deleted and restored gets its new IDs', () => {
  const project = createProject();
  const entryBefore = project.lock.entries.get(customersKey);
  const [column = '', columnId = ''] = Object.entries(entryBefore?.columns ?? {})[0] ?? [];
  const restoredInstance = createRetailDocuments([
    [`"oid":"${entryBefore?.oid}"`, '"oid":"90000000-0000-0000-0000-000000000001"'],
    [`"oid":"${columnId}"`, '"oid":"90000000-0000-0000-0000-000000000002"'],
    theirChange,
  ]);
  expect(createLockAfterApply(project, restoredInstance).entries.get(customersKey)).toEqual({
    ...entryBefore,
    oid: '90000000-0000-0000-0000-000000000001',
    columns: { ...entryBefore?.columns, [column]: '90000000-0000-0000-0000-000000000002' },
  });
});

test('rules are not recorded for a datamodel that has replaced theirs under the same title', () => {
  const project = createProject();
  const oid = expectDefined(project.lock.entries.get('datamodel/Retail')?.oid, 'oid');
  const replaced = createRetailDocuments(
    [[`"oid":"${oid}"`, '"oid":"90000000-0000-0000-0000-000000000003"']],
    [],
  );
  expect(createLockAfterApply(project, replaced).entries.has(rulesKey)).toBe(false);
  expect(createLockAfterApply(project, createRetailDocuments([], [])).entries.has(rulesKey)).toBe(true);
  project.pull(replaced);
  expect(project.lock.entries.get(rulesKey)?.isOfReplaced).toBe(true);
  expect(createLockAfterApply(project, replaced).entries.has(rulesKey)).toBe(false);
  // An apply may have created them again.
  const withRules = createRetailDocuments([
    [`"oid":"${oid}"`, '"oid":"90000000-0000-0000-0000-000000000003"'],
  ]);
  expect(createLockAfterApply(project, withRules).entries.get(rulesKey)?.isOfReplaced).toBeUndefined();
});

test('an entry records as unpulled what the instance may have set by itself, but not what others have added', () => {
  const project = createProject();
  const getUnpulled = (createdKeys?: ReadonlySet<string>): readonly string[] =>
    [...createLockAfterApply(project, withSalary, { createdKeys }).entries].flatMap(
      ([key, { unpulledParts = new Map() }]) =>
        [...unpulledParts.keys()].map((pointer) => `${key} ${pointer}`),
    );
  const salary = `${customersKey} /columns/Salary`;
  expect(getUnpulled()).toEqual([]);
  expect(getUnpulled(new Set([customersKey]))).toEqual([salary]);
  project.lock = emptyLock;
  expect(getUnpulled()).toEqual([salary]);
  // Columns that were never pulled remain so until a pull.
  project.lock = createLockAfterApply(project, withSalary);
  expect(parseLock(formatLock(project.lock), 'a.lock.json')).toEqual(project.lock);
  expect(getUnpulled()).toEqual([salary]);
  project.pull(withSalary);
  expect(getUnpulled()).toEqual([]);
});

describe('what others do to an item after an apply that has left more on the instance', () => {
  const mine = '"name":"Customers","description":"Mine"';
  const left = ',"uncommon":7';
  const region = '"Region","type":18';
  const create = (description: string, afterName: string, column = region) =>
    createRetailDocuments([
      ['"name":"Customers","description":"People"', `${description}${afterName}`],
      [region, column],
    ]);
  /** Returns a project after an apply has created the table, whose file doesn't have everything. */
  const createApplied = (): PulledProject => {
    const project = createPulled(create(mine, ''));
    project.lock = emptyLock;
    const createdKeys = new Set([customersKey]);
    project.lock = createLockAfterApply(project, create(mine, left), { createdKeys });
    return project;
  };

  test.each([
    ['nothing', create(mine, left), []],
    ['adding a member', create(mine, `${left},"other":1`), [`added ${customersKey} /other`]],
    ['changing what was left', create(mine, ',"uncommon":8'), [`added ${customersKey} /uncommon`]],
    [
      'adding to a column',
      create(mine, left, `${region},"description":"Where"`),
      [`added ${customersKey} /columns/Region/description`],
    ],
  ])('is recognized: %s', (_title, instance, notes) => {
    expect(summarizePlan(compare(createApplied(), instance)).notes).toEqual(notes);
  });

  test('is recognized if it is the removal of a member that no request can set', () => {
    const type = '"type":"extract"';
    const title = (members: string) => createRetailDocuments([[type, `${type}${members}`]]);
    const project = createPulled(title(',"description":"Mine"'));
    project.lock = emptyLock;
    const createdKeys = new Set(['datamodel/Retail']);
    project.lock = createLockAfterApply(project, title(`,"description":"Mine"${left}`), { createdKeys });
    expect(summarizePlan(compare(project, title(left))).notes).toEqual([
      'not-writable datamodel/Retail /description',
    ]);
  });
});

test('an item that others have renamed keeps its IDs, which show the rename', () => {
  const project = createProject();
  const renamedInstance = createRetailDocuments([['"name":"Customers"', '"name":"Clients"']]);
  expect(createLockAfterApply(project, renamedInstance).entries.get(customersKey)).toEqual(
    project.lock.entries.get(customersKey),
  );
});

describe('after an apply has renamed a table and a column of it', () => {
  /** Its files, with a change of its rules that is left for another apply. */
  const createRenamedProject = (): PulledProject => {
    const project = createProject();
    for (const [path, text] of project.texts) {
      project.texts.set(path, text.replaceAll('"Customers"', '"Clients"').replaceAll('"Region"', '"Area"'));
    }
    project.edit(paths.customers, '{', '{"renamedFrom": "Customers",');
    project.edit(paths.customers, '"name": "Area"', '"name": "Area", "renamedFrom": "Region"');
    project.edit(paths.region, 'North', 'South');
    return project;
  };
  const createInstance = (member = 'North') =>
    createRetailDocuments(
      [
        ['"name":"Customers"', '"name":"Clients"'],
        ['"name":"Region"', '"name":"Area"'],
      ],
      [{ ...rule, table: 'Clients', column: 'Area', members: [member] }],
    );
  const renamedKey = 'rules/Retail/Clients/Area';

  test('what a pull has seen under the former names is recorded under the new ones', () => {
    const project = createRenamedProject();
    const { entries } = createLockAfterApply(project, createInstance());
    const expected = new PulledProject();
    expected.pull(createInstance());
    expect(formatLock({ ...emptyLock, entries })).toEqual(
      formatLock({ ...emptyLock, entries: expected.lock.entries }),
    );
  });

  test('the next apply overwrites only what a pull has seen', () => {
    const project = createRenamedProject();
    const change = `update ${renamedKey} []`;
    // The plan is the same before the lock is written.
    expect(summarizePlan(compare(project, createInstance())).changes).toEqual([change]);
    expect(summarizePlan(compare(project, createInstance('Theirs'))).changes).toEqual([
      `${change} (changed on the server)`,
    ]);
    project.lock = createLockAfterApply(project, createInstance());
    expect(summarizePlan(compare(project, createInstance())).changes).toEqual([change]);
    expect(summarizePlan(compare(project, createInstance('Theirs'))).changes).toEqual([
      `${change} (changed on the server)`,
    ]);
    project.lock = createLockAfterApply(createRenamedProject(), createInstance('Theirs'));
    expect(summarizePlan(compare(project, createInstance('Theirs'))).changes).toEqual([
      `${change} (changed on the server)`,
    ]);
  });

  test('another table with the new name is not taken for the renamed one', () => {
    const project = createRenamedProject();
    const oid = (number: number) => `"oid":"30000000-0000-0000-0000-00000000000${number}"`;
    const other = createRetailDocuments(
      [
        ...[0, 1, 2, 3].map((number) => [oid(number), oid(number + 5)] as const),
        ['"name":"Customers"', '"name":"Clients"'],
        ['"name":"Region"', '"name":"Area"'],
        [
          '{"column":"30000000-0000-0000-0000-000000000001"}',
          '{"column":"30000000-0000-0000-0000-000000000006"}',
        ],
      ],
      [{ ...rule, table: 'Clients', column: 'Area' }],
    );
    expect(summarizePlan(compare(project, other)).changes).toContain(
      `update ${renamedKey} [] (never pulled)`,
    );
    expect(createLockAfterApply(project, other).entries.has(renamedKey)).toBe(false);
  });
});

test('what differs in an item that the apply has created is a change of the project only', () => {
  const project = new PulledProject();
  project.pull(createRetailDocuments([connectTo('dev.example.com')]));
  const instance = createRetailDocuments([connectTo('prod.example.com')]);
  const { lock } = project;
  project.lock = createLockAfterApply(project, instance, { createdKeys: new Set(['dataset/Retail/Sales']) });
  expect(summarize(project.pull(instance))).toEqual(nothing);
  // Otherwise, others have changed it.
  project.lock = lock;
  project.lock = createLockAfterApply(project, instance);
  expect(summarize(project.pull(instance)).writes).toEqual(['datamodels/Retail/datasets/Sales.dataset.json']);
});

test('the connection of a dataset that no pull has seen stays that of the project', () => {
  const project = new PulledProject();
  project.pull(createRetailDocuments([connectTo('dev.example.com')]));
  const instance = createRetailDocuments([connectTo('prod.example.com')]);
  project.lock = emptyLock;
  project.lock = createLockAfterApply(project, instance);
  expect(summarize(project.pull(instance))).toEqual(nothing);
});

test('what others have changed in an item that the apply has created is still reported as changed by them', () => {
  const project = createProject();
  const before = project.lock;
  project.lock = emptyLock;
  const createdKeys = new Set(before.entries.keys());
  const { entries } = createLockAfterApply(project, createRetailDocuments([theirChange]), { createdKeys });
  expect(entries.get(customersKey)?.parts.has('/description')).toBe(false);
  expect(entries.get(customersKey)?.parts.has('/dataset')).toBe(true);
});

describe('a column that others have added', () => {
  const getStatus = (project: PulledProject, server: Documents | undefined): readonly string[] =>
    new StatusComparer()
      .compare({
        project: parseProject({ texts: project.texts, faults: [] }),
        lock: project.lock,
        server: server && { instance: convert(server), isUnknownOnInstance: () => false },
        isManaged: () => true,
      })
      .items.map(({ status }) => `${getStatusGroup(status)}: ${status.path}`);

  /** Returns a project whose file of a table lacks a property of a column, which the instance adds. */
  const createHandwrittenProject = (): PulledProject => {
    const project = createProject();
    project.edit(paths.customers, '"name": "Id",\n      "type": 8', '"name": "Id"');
    return project;
  };

  test.each([
    ['that was created by the apply', new Set([customersKey])],
    ['that a pull has seen', undefined],
  ])('to a table %s is a change on the server, not in the project', (_title, createdKeys) => {
    const project = createHandwrittenProject();
    if (createdKeys !== undefined) {
      project.lock = emptyLock;
    }
    project.lock = createLockAfterApply(project, withSalary, { createdKeys });
    expect(getStatus(project, undefined).filter((line) => line.includes(paths.customers))).toEqual([]);
    expect(getStatus(project, withSalary)).toContain(`server: ${paths.customers}`);
    expect(project.pull(withSalary).writes.map(({ path }) => path)).toContain(paths.customers);
    expect(project.texts.get(paths.customers)).toContain('Salary');
    expect(getStatus(project, withSalary)).not.toContain(expect.stringContaining(paths.customers));
  });

  test('is a change in the project if the project has deleted it', () => {
    const project = createPulled(withSalary);
    project.edit(paths.customers, '"name": "Salary"', '"name": "Wage"');
    expect(getStatus(project, withSalary)).toEqual([`here: ${paths.customers}`]);
  });
});

test('of an item that the apply has created, only what the instance sets itself counts as seen', () => {
  const project = createProject();
  const createdKeys = new Set(project.lock.entries.keys());
  project.lock = emptyLock;
  const instance = createRetailDocuments([
    ['"type":"extract"', '"type":"extract","relationType":"direct","note":"Theirs"'],
    ['"name":"Customers",', '"name":"Customers","id":"customers.csv","hidden":false,"tags":["Theirs"],'],
    [
      '"columns":[{"oid":"40000000-0000-0000-0000-000000000001"',
      '"columns":[{"oid":"7","name":"Sum","isCustom":true,"expression":"1 + 1"},{"oid":"8","name":"Generated","type":8},{"oid":"40000000-0000-0000-0000-000000000001"',
    ],
  ]);
  project.lock = createLockAfterApply(project, instance, { createdKeys });
  const getPointers = (key: string) => [...(project.lock.entries.get(key)?.parts.keys() ?? [])];
  expect(getPointers('datamodel/Retail')).toContain('/relationType');
  expect(getPointers('datamodel/Retail')).not.toContain('/note');
  expect(getPointers(customersKey)).toContain('/hidden');
  expect(getPointers(customersKey)).toContain('/id');
  expect(getPointers(customersKey)).not.toContain('/tags');
  expect(getPointers('table/Retail/Top')).toContain('/columns/Generated');
  expect(getPointers('table/Retail/Top')).not.toContain('/columns/Sum');
  // So a pull brings what others have added.
  expect(summarize(project.pull(instance)).writes).toEqual([
    'datamodels/Retail/tables/Top/Sum.datamodel.sql',
    'datamodels/Retail/Retail.datamodel.json',
    'datamodels/Retail/tables/Customers.table.json',
    'datamodels/Retail/tables/Top.table.json',
  ]);
});

describe('a column that others have changed', () => {
  const region = '"name":"Region","type":18';

  test('counts as seen only if the file has all of it', () => {
    const project = createProject();
    const theirs = createRetailDocuments([[region, `${region},"description":"Theirs"`]]);
    // The file doesn't have the description, so nothing differs that an apply can change.
    project.lock = createLockAfterApply(project, theirs);
    expect(summarize(project.pull(theirs)).writes).toEqual(['datamodels/Retail/tables/Customers.table.json']);
    // What the instance derives for a column that an apply has created is no change by others.
    project.lock = createLockAfterApply(
      project,
      createRetailDocuments([
        [region, `${region},"description":"Theirs","size":20,"indexed":true,"hidden":false`],
      ]),
    );
    expect(
      summarize(
        project.pull(
          createRetailDocuments([
            [region, `${region},"description":"Theirs","size":20,"indexed":true,"hidden":false`],
          ]),
        ),
      ),
    ).toEqual(nothing);
  });

  test('counts as seen only as far as SQL generates it in a custom table', () => {
    const project = createProject();
    const id = '"oid":"40000000-0000-0000-0000-000000000001","name":"Id","type":8';
    const theirs = createRetailDocuments([[id, `${id},"hidden":true`]]);
    project.lock = createLockAfterApply(project, theirs);
    expect(summarize(project.pull(theirs)).writes).toEqual(['datamodels/Retail/tables/Top.table.json']);
  });

  test('keeps the name that was last seen, so that the next pull recognizes the rename', () => {
    const project = createProject();
    const theirs = createRetailDocuments([[region, '"name":"Area","type":18']]);
    project.lock = createLockAfterApply(project, theirs);
    const { columns } = expectDefined(project.lock.entries.get(customersKey));
    expect(Object.keys(columns ?? {})).toEqual(['Id', 'Full Name', 'Region']);
    expect(summarize(project.pull(theirs)).writes).toContain('datamodels/Retail/tables/Customers.table.json');
    expect(Object.keys(expectDefined(project.lock.entries.get(customersKey)).columns ?? {})).toContain(
      'Area',
    );
  });
});

describe('a custom table that a rollback has restored', () => {
  const topKey = 'table/Retail/Top';
  const relationKey = 'relation/Retail/Customers/Id/Top/Id';
  const column = '"oid":"40000000-0000-0000-0000-000000000001","name":"Id","type":8';
  const tableId = ['40000000-0000-0000-0000-000000000000', '90000000-0000-0000-0000-000000000000'] as const;

  const createBehavior = (config: string) =>
    [
      '"type":"custom"',
      `"type":"custom","buildBehavior":{"type":"accumulativeSync","accumulativeConfig":${config}}`,
    ] as const;

  /** Returns a project that accumulates the table by a column, which is hidden, and that has SQL of its own in another one. */
  const createHiddenProject = (): PulledProject => {
    const project = new PulledProject();
    const sum = '{"oid":"7","name":"Sum","isCustom":true,"expression":"1 + 1"}';
    project.pull(
      createRetailDocuments([
        [column, `${column},"hidden":true},${sum.slice(0, -1)}`],
        createBehavior('{"column":"40000000-0000-0000-0000-000000000001"}'),
      ]),
    );
    return project;
  };

  /** Returns an instance with a table that has a new ID, and nothing of what was lost with it. */
  const createInstance = (settings: string, ...changes: readonly (readonly [string, string])[]): Documents =>
    createRetailDocuments([
      [`"relations":${stringify(retail.relations)}`, '"relations":[]'],
      [column, `"oid":"8","name":"Id","type":8${settings}`],
      tableId,
      createBehavior('null'),
      ...changes,
    ]);

  const restoredIds = new Map([tableId]);

  test('has nothing that others have changed, although its columns lack settings, SQL, and relations', () => {
    const project = createHiddenProject();
    expect(project.lock.entries.has(relationKey)).toBe(true);
    const instance = createInstance(',"hidden":false');
    project.lock = createLockAfterApply(project, instance, { restoredIds });
    expect(summarizePlan(compare(project, instance)).changes).toEqual([
      'create columnExpression/Retail/Top/Sum',
      `create ${relationKey}`,
      'update table/Retail/Top [/buildBehavior /columns/Id /columns/Sum]',
    ]);
    expect(project.lock.entries.get(topKey)).toMatchObject({ oid: tableId[1], columns: { Id: '8' } });
  });

  test('shows what others have changed since', () => {
    const project = createHiddenProject();
    const describedInstance = createInstance(',"description":"Theirs"');
    project.lock = createLockAfterApply(project, describedInstance, { restoredIds });
    expect(summarizePlan(compare(project, describedInstance)).changes).toContain(
      'update table/Retail/Top [/buildBehavior /columns/Id /columns/Sum] (changed on the server)',
    );
    const instance = createInstance('', ['SELECT 1', 'SELECT 2']);
    project.lock = createLockAfterApply(project, instance, { restoredIds });
    expect(summarizePlan(compare(project, instance)).changes).toContain(
      'update tableExpression/Retail/Top [] (changed on the server)',
    );
  });

  test('counts as changed by others if its ID is not the restored one', () => {
    const project = createHiddenProject();
    const instance = createInstance('');
    project.lock = createLockAfterApply(project, instance, { restoredIds: new Map([[tableId[0], '9']]) });
    expect(summarizePlan(compare(project, instance)).changes).toEqual([
      'create columnExpression/Retail/Top/Sum (changed on the server)',
      `create ${relationKey} (changed on the server)`,
      'update table/Retail/Top [/buildBehavior /columns/Id /columns/Sum] (changed on the server)',
    ]);
  });
});

describe('what the instance has derived from SQL that was applied', () => {
  const topKey = 'table/Retail/Top';
  const seenColumn = '000001","name":"Id","type":8}]}';
  const createInstance = (type: number): Documents =>
    createRetailDocuments([
      ['SELECT 1', 'SELECT 2'],
      [seenColumn, seenColumn.replace('"type":8', `"type":${type}`)],
    ]);

  const createAppliedProject = (): PulledProject => {
    const project = createProject();
    project.edit(paths.topSql, 'SELECT 1', 'SELECT 2');
    const lock = createLockAfterApply(project, createInstance(18));
    return new PulledProject(project.texts, parseLock(formatLock(lock), 'test.lock.json'));
  };

  const listChanges = (project: PulledProject, lock = project.lock): readonly string[] =>
    new StatusComparer()
      .compare({
        project: parseProject({ texts: project.texts, faults: [] }),
        lock,
        server: undefined,
        isManaged: () => true,
      })
      .items.map(({ status }) => `${status.path} ${status.here}`);

  test('is no change of the file, even before the instance is read', () => {
    const project = createAppliedProject();
    expect(listChanges(project)).toEqual([]);
    const { appliedFile: _hash, ...entry } = expectDefined(project.lock.entries.get(topKey), topKey);
    const earlierLock = { ...project.lock, entries: new Map(project.lock.entries).set(topKey, entry) };
    expect(listChanges(project, earlierLock)).toEqual([`${paths.top} changed`]);
    project.edit(paths.top, '{', '{ // Ours\n');
    expect(listChanges(project)).toEqual([]);
    project.edit(paths.top, '"name": "Top"', '"name": "Top", "description": "Mine"');
    expect(listChanges(project)).toEqual([`${paths.top} changed`]);
  });

  test('stays recorded in pulls until the instance changes', () => {
    const project = createAppliedProject();
    const before = project.lockText;
    expect(before).toContain('appliedFile');
    expect(summarize(project.pull(createInstance(18)))).toEqual(nothing);
    expect(project.lockText).toBe(before);
    expect(summarize(project.pull(createInstance(5)))).toEqual({ ...nothing, writes: [paths.top] });
    expect(project.lockText).not.toContain('appliedFile');
    expect(listChanges(project)).toEqual([]);
  });

  test('is not recorded if the file lacks a column that the instance has', () => {
    const project = createProject();
    project.edit(paths.topSql, 'SELECT 1', 'SELECT 2');
    project.texts.set(
      paths.customers,
      (project.texts.get(paths.customers) ?? '').replace(/\{\s*"name": "Region"[^}]*\},/, ''),
    );
    const lock = createLockAfterApply(project, createInstance(18));
    expect(lock.entries.get(topKey)?.appliedFile).toBeDefined();
    expect(lock.entries.get(customersKey)?.appliedFile).toBeUndefined();
    expect(listChanges(project, lock)).toEqual([`${paths.customers} changed`]);
  });

  test('is no longer recorded after an apply that leaves no difference', () => {
    const project = createAppliedProject();
    project.edit(paths.top, '"type": 8', '"type": 18');
    const lock = createLockAfterApply(project, createInstance(18));
    expect(formatLock(lock)).not.toContain('appliedFile');
  });
});
