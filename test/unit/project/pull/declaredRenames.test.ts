import { describe, expect, test } from 'vitest';
import { PulledProject, createRetailDocuments, nothing, paths, rule, summarize } from './pullSupport.ts';

const renamed = createRetailDocuments(
  [
    ['"name":"Customers"', '"name":"Clients"'],
    ['"name":"Region"', '"name":"Area"'],
  ],
  [{ ...rule, table: 'Clients', column: 'Area' }],
);

const createProject = (): PulledProject => {
  const project = new PulledProject();
  project.pull(createRetailDocuments());
  return project;
};

describe('a pull of a rename', () => {
  test('states the former names that another environment still has', () => {
    const project = createProject();
    const otherLock = project.lock;
    const options = { otherLocks: [otherLock] };
    expect(project.pull(renamed, options).localChanges).toEqual([]);
    const text = project.texts.get(paths.customers);
    expect(text).toContain('\n  "renamedFrom": "Customers"\n}');
    expect(text).toContain('"name": "Area",\n      "type": 18,\n      "renamedFrom": "Region"\n');
    expect(text?.match(/renamedFrom/g)).toHaveLength(2);
    expect(project.problems).toEqual([]);
    expect(summarize(project.pull(renamed, options))).toEqual(nothing);
    // Nothing is lost or created by a pull from the other environment.
    const other = new PulledProject(project.texts, otherLock);
    expect(summarize(other.pull(createRetailDocuments()))).toEqual(nothing);
    expect(other.texts).toEqual(project.texts);
  });

  test('states nothing if no other environment has the former names, and keeps a former name that the file already has', () => {
    const project = createProject();
    const renamedLock = new PulledProject();
    renamedLock.pull(renamed);
    project.pull(renamed, { otherLocks: [renamedLock.lock] });
    expect(project.texts.get(paths.customers)).not.toContain('renamedFrom');
    const before = createProject();
    const otherLock = before.lock;
    before.edit(paths.customers, '"name": "Customers"', '"name": "Customers",\n  "renamedFrom": "People"');
    before.pull(renamed, { otherLocks: [otherLock] });
    expect(before.texts.get(paths.customers)).toContain('"renamedFrom": "People"');
    expect(before.texts.get(paths.customers)).not.toContain('"renamedFrom": "Customers"');
  });

  test('of a datamodel states nothing for its tables, which keep their names', () => {
    const project = createProject();
    const otherLock = project.lock;
    project.pull(createRetailDocuments([['"title":"Retail"', '"title":"Shops"']], []), {
      otherLocks: [otherLock],
    });
    const text = [...project.texts.values()].join('\n');
    expect(text).toContain('"title": "Shops"');
    expect(text).not.toContain('renamedFrom');
  });
});
