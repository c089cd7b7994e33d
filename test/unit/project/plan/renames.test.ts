import { describe, expect, test } from 'vitest';
import { emptyLock } from '../../../../src/project/pull/lock.ts';
import { formatItemKey } from '../../../../src/project/item.ts';
import { PulledProject, createRetailDocuments, paths, rule } from '../pull/pullSupport.ts';
import { compare, nothing, withPrunedKinds, summarize } from './planSupport.ts';

const behavior = [
  '"description":"People"',
  '"description":"People","buildBehavior":{"type":"accumulative","accumulativeConfig":{"column":"30000000-0000-0000-0000-000000000001"}}',
] as const;

function createProject(instance = createRetailDocuments([behavior])): PulledProject {
  const project = new PulledProject();
  project.pull(instance);
  return project;
}

/** Renames a table in the files, with all references to it. */
function renameTable(project: PulledProject): void {
  for (const [path, text] of project.texts) {
    project.texts.set(path, text.replaceAll('"Customers"', '"Clients"'));
  }
  project.edit(paths.customers, '{', '{"renamedFrom": "Customers",');
}

/** Renames a column in the files, with all references to it. */
function renameColumn(project: PulledProject): void {
  for (const [path, text] of project.texts) {
    project.texts.set(path, text.replaceAll(/("table": "Customers",\s*"column": )"Id"/g, '$1"Key"'));
  }
  project.edit(paths.customers, '"name": "Id"', '"name": "Key", "renamedFrom": "Id"');
}

const tableChange = 'update table/Retail/Customers -> table/Retail/Clients []';
const rulesChange = 'update rules/Retail/Customers/Region -> rules/Retail/Clients/Region []';

describe('a renamed table', () => {
  test('is found by `renamedFrom` in its file; its SQL, relations and references use the new name', () => {
    const project = createProject();
    renameTable(project);
    const comparison = compare(
      project,
      createRetailDocuments([behavior]),
      withPrunedKinds('table', 'relation', 'rules'),
    );
    // Rules name their table.
    expect(summarize(comparison)).toEqual({ ...nothing, changes: [rulesChange, tableChange] });
    expect(comparison.unchangedCount).toBe(6);
    project.lock = emptyLock;
    expect(summarize(compare(project, createRetailDocuments([behavior])))).toEqual({
      ...nothing,
      changes: [`${rulesChange} (never pulled)`, `${tableChange} (never pulled)`],
    });
  });

  test('is a new table if its file has no `renamedFrom`', () => {
    const project = createProject();
    renameTable(project);
    project.edit(paths.customers, '"renamedFrom": "Customers",', '');
    const { changes, extras } = summarize(compare(project, createRetailDocuments([behavior])));
    expect(changes).toContain('create table/Retail/Clients');
    expect(extras).toContain('table/Retail/Customers');
  });

  test('may be changed together with its SQL', () => {
    const project = createProject();
    renameTable(project);
    project.edit(paths.customers, '"People"', '"All people"');
    project.edit(paths.fullName, 'First', 'Given');
    expect(summarize(compare(project, createRetailDocuments([behavior]))).changes).toEqual([
      'update columnExpression/Retail/Customers/Full Name -> columnExpression/Retail/Clients/Full Name []',
      rulesChange,
      'update table/Retail/Customers -> table/Retail/Clients [/description]',
    ]);
  });

  test('is not renamed if the project and the instance both have tables with the old and the new name', () => {
    const project = createProject();
    project.edit(paths.customers, '{', '{"renamedFrom": "Top",');
    expect(summarize(compare(project, createRetailDocuments([behavior])))).toEqual({
      ...nothing,
      notes: ['former-name table/Retail/Customers /renamedFrom'],
    });
  });

  test('is not renamed if nothing has the name in `renamedFrom`', () => {
    const project = createProject();
    project.edit(paths.customers, '{', '{"renamedFrom": "Persons",');
    expect(summarize(compare(project, createRetailDocuments([behavior])))).toEqual(nothing);
  });

  test('is noted as new if the instance has nothing with its former name', () => {
    const project = createProject();
    renameTable(project);
    project.edit(paths.customers, '"renamedFrom": "Customers"', '"renamedFrom": "Custommers"');
    project.lock = emptyLock;
    const { changes, notes } = compare(project, createRetailDocuments([behavior]));
    expect(changes.map(({ action, key }) => `${action} ${formatItemKey(key)}`)).toContain(
      'create table/Retail/Clients',
    );
    expect(notes).toEqual([
      {
        code: 'former-name-missing',
        key: { kind: 'table', datamodel: 'Retail', table: 'Clients' },
        pointer: '/renamedFrom',
        formerName: 'Custommers',
      },
    ]);
  });

  test('is noted as new if the item with its former name stays', () => {
    const project = createProject();
    renameTable(project);
    project.edit(paths.customers, '"renamedFrom": "Customers"', '"renamedFrom": "Top"');
    project.lock = emptyLock;
    expect(summarize(compare(project, createRetailDocuments([behavior]))).notes).toEqual([
      'former-name-in-use table/Retail/Clients /renamedFrom',
    ]);
  });

  test('is new without a warning if its datamodel is', () => {
    const project = createProject();
    renameTable(project);
    project.lock = emptyLock;
    expect(summarize(compare(project, {})).notes).toEqual(['first-apply table/Retail/Clients /renamedFrom']);
  });

  test('on the server is found by its ID, and renamed back', () => {
    const theirDocuments = createRetailDocuments([behavior, ['"name":"Customers"', '"name":"Clients"']]);
    expect(summarize(compare(createProject(), theirDocuments))).toEqual({
      ...nothing,
      changes: ['update table/Retail/Clients -> table/Retail/Customers [] (changed on the server)'],
    });
  });
});

describe('a renamed column', () => {
  test('is found by `renamedFrom` in its file, and references use the new name', () => {
    const project = createProject();
    renameColumn(project);
    const expected = { ...nothing, changes: ['update table/Retail/Customers [/columns/Key]'] };
    expect(
      summarize(compare(project, createRetailDocuments([behavior]), withPrunedKinds('column', 'relation'))),
    ).toEqual(expected);
    project.lock = emptyLock;
    expect(summarize(compare(project, createRetailDocuments([behavior])))).toEqual({
      ...nothing,
      changes: ['update table/Retail/Customers [/columns/Key] (never pulled)'],
    });
  });

  test('on the server is found by its ID, and renamed back', () => {
    const theirDocuments = createRetailDocuments([
      behavior,
      ['"name":"Id","type":8},', '"name":"Key","type":8},'],
    ]);
    expect(
      summarize(compare(createProject(), theirDocuments, withPrunedKinds('column', 'relation'))),
    ).toEqual({
      ...nothing,
      changes: ['update table/Retail/Customers [/columns/Id] (changed on the server)'],
    });
  });

  test('is a new column if its file has no `renamedFrom`', () => {
    const project = createProject();
    renameColumn(project);
    project.edit(paths.customers, ', "renamedFrom": "Id"', '');
    const { changes, extras } = summarize(compare(project, createRetailDocuments([behavior])));
    expect(changes).toContain('update table/Retail/Customers [/buildBehavior /columns/Key]');
    expect(extras).toContain('table/Retail/Customers Id');
  });

  test('is noted as a possible rename only if its source is that of one column that only the instance has', () => {
    const source = (id: string) =>
      createRetailDocuments([
        ['"name":"Region",', `"name":"Region","id":"${id}",`],
        ['"name":"Id",', '"name":"Id","id":"a",'],
      ]);
    const project = createProject(source('b'));
    renameColumn(project);
    project.edit(paths.customers, ', "renamedFrom": "Id"', '');
    const note = 'same-source table/Retail/Customers /columns/Key';
    expect(summarize(compare(project, source('b'))).notes).toEqual([note]);
    expect(summarize(compare(project, source('b'), withPrunedKinds('column'))).notes).toEqual([note]);
    // Two columns with the same source: either may be the former one.
    const ambiguous = createProject(source('a'));
    ambiguous.edit(paths.customers, '"name": "Region"', '"name": "Area"');
    renameColumn(ambiguous);
    ambiguous.edit(paths.customers, ', "renamedFrom": "Id"', '');
    expect(summarize(compare(ambiguous, source('a'))).notes).toEqual([]);
  });

  test.each([
    ['Idd', 'former-name-missing'],
    ['Region', 'former-name-in-use'],
  ])('is noted as new if its former name is %s', (formerName, code) => {
    const project = createProject();
    renameColumn(project);
    project.edit(paths.customers, '"renamedFrom": "Id"', `"renamedFrom": "${formerName}"`);
    project.lock = emptyLock;
    expect(summarize(compare(project, createRetailDocuments([behavior]))).notes).toEqual([
      `${code} table/Retail/Customers /columns/Key/renamedFrom`,
    ]);
  });

  test('keeps its rules, which use the new name', () => {
    const idRule = { ...rule, column: 'Id' };
    const project = createProject(createRetailDocuments([behavior], [idRule]));
    renameColumn(project);
    const comparison = compare(
      project,
      createRetailDocuments([behavior], [idRule]),
      withPrunedKinds('rules'),
    );
    expect(summarize(comparison)).toEqual({
      ...nothing,
      changes: [
        'update rules/Retail/Customers/Id -> rules/Retail/Customers/Key []',
        'update table/Retail/Customers [/columns/Key]',
      ],
    });
  });

  test('has rules that were not deleted on the server, even if their file still has the former name', () => {
    const instance = createRetailDocuments([behavior], [{ ...rule, column: 'Id' }]);
    const project = createProject(instance);
    renameColumn(project);
    project.edit('datamodels/Retail/rules/Customers.Id.rules.json', '"Key"', '"Id"');
    const rules = 'rules/Retail/Customers/Id';
    expect(summarize(compare(project, instance))).toEqual({
      ...nothing,
      changes: [`create ${rules}`, 'update table/Retail/Customers [/columns/Key]'],
      extras: [rules],
    });
    expect(summarize(compare(project, createRetailDocuments([behavior], []))).changes).toContain(
      `create ${rules} (changed on the server)`,
    );
  });

  test('of a renamed table is found, too', () => {
    const project = createProject();
    renameColumn(project);
    renameTable(project);
    const comparison = compare(
      project,
      createRetailDocuments([behavior]),
      withPrunedKinds('table', 'column', 'relation'),
    );
    expect(summarize(comparison)).toEqual({
      ...nothing,
      changes: [rulesChange, 'update table/Retail/Customers -> table/Retail/Clients [/columns/Key]'],
    });
  });
});

test('a renamed viewpoint is found by `renamedFrom` or by its ID', () => {
  const instance = { viewpoints: [{ id: '1', name: 'Old', description: 'd' }] };
  const project = createProject(instance);
  const renamed = { viewpoints: [{ id: '1', name: 'New', description: 'd' }] };
  expect(summarize(compare(project, renamed, withPrunedKinds('viewpoint')))).toEqual({
    ...nothing,
    changes: ['update viewpoint/New -> viewpoint/Old [] (changed on the server)'],
  });
  project.edit('viewpoints/Old.viewpoint.json', '"Old"', '"New", "renamedFrom": "Old"');
  expect(summarize(compare(project, instance, withPrunedKinds('viewpoint')))).toEqual({
    ...nothing,
    changes: ['update viewpoint/Old -> viewpoint/New []'],
  });
  const otherDocuments = { viewpoints: [{ id: '2', name: 'Other', description: 'd' }] };
  project.lock = emptyLock;
  expect(summarize(compare(project, otherDocuments)).notes).toEqual([
    'former-name-missing viewpoint/New /renamedFrom',
  ]);
  expect(summarize(compare(project, {})).notes).toEqual(['first-apply viewpoint/New /renamedFrom']);
});
