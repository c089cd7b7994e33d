import { describe, expect, test } from 'vitest';
import { emptyLock } from '../../../../src/project/pull/lock.ts';
import { PulledProject, documents, paths, rule } from '../pull/pullSupport.ts';
import { compare, nothing, prune, summarize } from './planSupport.ts';

const behavior = [
  '"description":"People"',
  '"description":"People","buildBehavior":{"type":"accumulative","accumulativeConfig":{"column":"30000000-0000-0000-0000-000000000001"}}',
] as const;

function createProject(instance = documents([behavior])): PulledProject {
  const project = new PulledProject();
  project.pull(instance);
  return project;
}

/** Gives a table of the files another name, and what refers to it. */
function renameTable(project: PulledProject): void {
  for (const [path, text] of project.texts) {
    project.texts.set(path, text.replaceAll('"Customers"', '"Clients"'));
  }
  project.edit(paths.customers, '{', '{"renamedFrom": "Customers",');
}

/** Gives a column of the files another name, and what refers to it. */
function renameColumn(project: PulledProject): void {
  for (const [path, text] of project.texts) {
    project.texts.set(path, text.replaceAll(/("table": "Customers",\s*"column": )"Id"/g, '$1"Key"'));
  }
  project.edit(paths.customers, '"name": "Id"', '"name": "Key", "renamedFrom": "Id"');
}

const tableChange = 'update table/Retail/Customers -> table/Retail/Clients []';
const rulesChange = 'update rules/Retail/Customers/Region -> rules/Retail/Clients/Region []';

describe('a renamed table', () => {
  test('is found by the name that its file says it had; its SQL, relations and references follow', () => {
    const project = createProject();
    renameTable(project);
    const comparison = compare(project, documents([behavior]), prune('table', 'relation', 'rules'));
    // Rules name their table.
    expect(summarize(comparison)).toEqual({ ...nothing, changes: [rulesChange, tableChange] });
    expect(comparison.unchangedCount).toBe(6);
    project.lock = emptyLock;
    expect(summarize(compare(project, documents([behavior])))).toEqual({
      ...nothing,
      changes: [rulesChange, tableChange],
    });
  });

  test('is another table if its file does not say so', () => {
    const project = createProject();
    renameTable(project);
    project.edit(paths.customers, '"renamedFrom": "Customers",', '');
    const { changes, extras } = summarize(compare(project, documents([behavior])));
    expect(changes).toContain('create table/Retail/Clients');
    expect(extras).toContain('table/Retail/Customers');
  });

  test('may be changed, with its SQL', () => {
    const project = createProject();
    renameTable(project);
    project.edit(paths.customers, '"People"', '"All people"');
    project.edit(paths.fullName, 'First', 'Given');
    expect(summarize(compare(project, documents([behavior]))).changes).toEqual([
      'update columnExpression/Retail/Customers/Full Name -> columnExpression/Retail/Clients/Full Name []',
      rulesChange,
      'update table/Retail/Customers -> table/Retail/Clients [/description]',
    ]);
  });

  test('is not renamed if both sides have both names', () => {
    const project = createProject();
    project.edit(paths.customers, '{', '{"renamedFrom": "Top",');
    expect(summarize(compare(project, documents([behavior])))).toEqual({
      ...nothing,
      notes: ['former-name table/Retail/Customers /renamedFrom'],
    });
  });

  test('is left alone if nothing has its former name', () => {
    const project = createProject();
    project.edit(paths.customers, '{', '{"renamedFrom": "Persons",');
    expect(summarize(compare(project, documents([behavior])))).toEqual(nothing);
  });

  test('on the server is found by its identifier, and renamed back', () => {
    const theirs = documents([behavior, ['"name":"Customers"', '"name":"Clients"']]);
    expect(summarize(compare(createProject(), theirs))).toEqual({
      ...nothing,
      changes: ['update table/Retail/Clients -> table/Retail/Customers [] (changed on the server)'],
    });
  });
});

describe('a renamed column', () => {
  test('is found by the name that its file says it had, and what refers to it follows', () => {
    const project = createProject();
    renameColumn(project);
    const expected = { ...nothing, changes: ['update table/Retail/Customers [/columns/Key]'] };
    expect(summarize(compare(project, documents([behavior]), prune('column', 'relation')))).toEqual(expected);
    project.lock = emptyLock;
    expect(summarize(compare(project, documents([behavior])))).toEqual(expected);
  });

  test('on the server is found by its identifier, and renamed back', () => {
    const theirs = documents([behavior, ['"name":"Id","type":8},', '"name":"Key","type":8},']]);
    expect(summarize(compare(createProject(), theirs, prune('column', 'relation')))).toEqual({
      ...nothing,
      changes: ['update table/Retail/Customers [/columns/Id] (changed on the server)'],
    });
  });

  test('is another column if its file does not say so', () => {
    const project = createProject();
    renameColumn(project);
    project.edit(paths.customers, ', "renamedFrom": "Id"', '');
    const { changes, extras } = summarize(compare(project, documents([behavior])));
    expect(changes).toContain('update table/Retail/Customers [/buildBehavior /columns/Key]');
    expect(extras).toContain('table/Retail/Customers Id');
  });

  test('has rules that name it', () => {
    const idRule = { ...rule, column: 'Id' };
    const project = createProject(documents([behavior], [idRule]));
    renameColumn(project);
    const comparison = compare(project, documents([behavior], [idRule]), prune('rules'));
    expect(summarize(comparison)).toEqual({
      ...nothing,
      changes: [
        'update rules/Retail/Customers/Id -> rules/Retail/Customers/Key []',
        'update table/Retail/Customers [/columns/Key]',
      ],
    });
  });

  test('of a renamed table is found, too', () => {
    const project = createProject();
    renameColumn(project);
    renameTable(project);
    const comparison = compare(project, documents([behavior]), prune('table', 'column', 'relation'));
    expect(summarize(comparison)).toEqual({
      ...nothing,
      changes: [rulesChange, 'update table/Retail/Customers -> table/Retail/Clients [/columns/Key]'],
    });
  });
});

test('a viewpoint is renamed by the name that it had, or by its identifier', () => {
  const instance = { viewpoints: [{ id: '1', name: 'Old', description: 'd' }] };
  const project = createProject(instance);
  const renamed = { viewpoints: [{ id: '1', name: 'New', description: 'd' }] };
  expect(summarize(compare(project, renamed, prune('viewpoint')))).toEqual({
    ...nothing,
    changes: ['update viewpoint/New -> viewpoint/Old [] (changed on the server)'],
  });
  project.edit('viewpoints/Old.viewpoint.json', '"Old"', '"New", "renamedFrom": "Old"');
  expect(summarize(compare(project, instance, prune('viewpoint')))).toEqual({
    ...nothing,
    changes: ['update viewpoint/Old -> viewpoint/New []'],
  });
});
