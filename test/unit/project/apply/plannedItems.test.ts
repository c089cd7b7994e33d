import { expect, test } from 'vitest';
import { createPlannedItems, restorePlannedItems } from '../../../../src/project/apply/plannedItems.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { formatItemKey } from '../../../../src/project/item.ts';
import { compare, withPrunedKinds } from '../plan/planSupport.ts';
import { PulledProject, createRetailDocuments, paths } from '../pull/pullSupport.ts';

const parse = ({ texts }: PulledProject) => parseProject({ texts, faults: [] });

/** Returns the contents of the items of a project by their keys. */
const getContents = (project: ReturnType<typeof parse>) =>
  Object.fromEntries(project.items.map(({ key, content }) => [formatItemKey(key), content]));

const createProject = (): PulledProject => {
  const project = new PulledProject();
  project.pull(createRetailDocuments());
  return project;
};

const planItems = (project: PulledProject) =>
  createPlannedItems(parse(project), compare(project, createRetailDocuments(), withPrunedKinds('rules')));

test('a project has what an apply has written, whatever was done to its files since', () => {
  const project = createProject();
  project.edit(paths.customers, 'People', 'Mine');
  project.edit(paths.topSql, 'SELECT 1', 'SELECT 2');
  const planned = getContents(parse(project));
  const items = planItems(project);
  expect(items.map(({ key }) => key)).toEqual(['table/Retail/Customers', 'tableExpression/Retail/Top']);

  const edited = new PulledProject(project.texts, project.lock);
  edited.edit(paths.customers, 'Mine', 'Corrected');
  edited.edit(paths.topSql, 'SELECT 2', 'SELECT 3');
  expect(getContents(restorePlannedItems(parse(edited), items))).toEqual(planned);
  // What the apply doesn't write is as the files have it now.
  edited.edit(paths.region, 'North', 'South');
  const [key = '', changed] =
    Object.entries(getContents(parse(edited))).find(([text]) => text.startsWith('rules/')) ?? [];
  expect(getContents(restorePlannedItems(parse(edited), items))).toEqual({ ...planned, [key]: changed });
  expect(getContents(restorePlannedItems(parse(edited)))).toEqual(getContents(parse(edited)));
});

test('a file that was deleted or broken since has the content that was written', () => {
  const project = createProject();
  project.edit(paths.customers, 'People', 'Mine');
  const planned = getContents(parse(project));
  const items = planItems(project);
  const broken = new PulledProject(project.texts, project.lock);
  broken.texts.set(paths.customers, '{');
  const restored = restorePlannedItems(parse(broken), items);
  expect(getContents(restored)['table/Retail/Customers']).toEqual(planned['table/Retail/Customers']);
  const key = { kind: 'table', datamodel: 'Retail', table: 'Customers' } as const;
  expect(parse(broken).mayBeInUnreadFile(key)).toBe(true);
  expect(restored.mayBeInUnreadFile(key)).toBe(false);
});

test("what an apply has deleted isn't in the project, even if its file was added again", () => {
  const project = createProject();
  const rules = project.texts.get(paths.region) ?? '';
  project.texts.delete(paths.region);
  const planned = getContents(parse(project));
  const items = planItems(project);
  expect(items).toEqual([{ key: 'rules/Retail/Customers/Region' }]);
  project.texts.set(paths.region, rules);
  expect(getContents(restorePlannedItems(parse(project), items))).toEqual(planned);
});

test('what an apply has renamed has only its new name, even if the files have the former one again', () => {
  const project = createProject();
  const before = new PulledProject(project.texts, project.lock);
  for (const [path, text] of project.texts) {
    project.texts.set(path, text.replaceAll('"Customers"', '"Clients"'));
  }
  project.edit(paths.customers, '{', '{"renamedFrom": "Customers",');
  const items = planItems(project);
  const keys = Object.keys(getContents(restorePlannedItems(parse(before), items)));
  expect(keys).toContain('table/Retail/Clients');
  expect(keys).not.toContain('table/Retail/Customers');
});

test('a journal gets no item with a possible secret', () => {
  const project = createProject();
  project.edit(paths.customers, '"People"', '"People", "password": "hunter2hunter2"');
  expect(planItems(project)).toEqual([]);
});
