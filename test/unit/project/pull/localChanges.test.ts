import { expect, test } from 'vitest';
import { formatItemKey } from '../../../../src/project/item.ts';
import type { PullPlan } from '../../../../src/project/pull/planPull.ts';
import { createRetailDocuments, paths, PulledProject } from './pullSupport.ts';

function createProject(): PulledProject {
  const project = new PulledProject();
  project.pull(createRetailDocuments());
  return project;
}

const describeLocalChanges = ({ localChanges }: PullPlan) =>
  localChanges.map(({ key, state, path }) => `${state} ${path ?? formatItemKey(key)}`);

test('what a limited pull leaves alone is not counted as unchanged', () => {
  const project = createProject();
  const plan = project.pull(createRetailDocuments(), { isUnknownOnInstance: ({ kind }) => kind !== 'rules' });
  expect(plan.counts).toEqual({ created: 0, changed: 0, deleted: 0, unchanged: 1 });
});

test('changes of the project are kept, listed, and not counted as unchanged', () => {
  const project = createProject();
  const count = project.texts.size;
  project.edit(paths.customers, 'People', 'Persons');
  project.texts.delete(paths.region);
  project.texts.set('viewpoints/Mine.viewpoint.json', '{"name": "Mine"}');
  const plan = project.pull(createRetailDocuments());
  expect(describeLocalChanges(plan)).toEqual([
    'deleted rules/Retail/Customers/Region',
    `changed ${paths.customers}`,
    'created viewpoints/Mine.viewpoint.json',
  ]);
  expect(plan.counts).toEqual({ created: 0, changed: 0, deleted: 0, unchanged: count - 2 });
});

test('changes of the project that the instance has made, too, are not listed', () => {
  const project = createProject();
  project.edit(paths.customers, 'People', 'Persons');
  expect(describeLocalChanges(project.pull(createRetailDocuments([['People', 'Persons']])))).toEqual([]);
});

test.each<readonly [string, (project: PulledProject) => void]>([
  [
    'the order of the columns of a relation',
    (project) => {
      const path = 'datamodels/Retail/relations/Customers.Id - Top.Id.relation.json';
      const relation = JSON.parse(project.texts.get(path) ?? '') as { columns: unknown[] };
      project.texts.set(path, JSON.stringify({ ...relation, columns: relation.columns.toReversed() }));
    },
  ],
  [
    'a member that only the instance has',
    (project) => project.edit(paths.customers, '"description": "People",', ''),
  ],
  [
    'a member of a column that only the instance has',
    (project) => project.edit(paths.customers, '"type": 18', '"hidden": null'),
  ],
  ['what the instance derives from SQL', (project) => project.edit(paths.top, '"type": 8', '"type": 18')],
])('what an apply would not change is not listed: %s', (_name, change) => {
  const project = createProject();
  const count = project.texts.size;
  change(project);
  const plan = project.pull(createRetailDocuments());
  expect(describeLocalChanges(plan)).toEqual([]);
  expect(plan.counts).toEqual({ created: 0, changed: 0, deleted: 0, unchanged: count });
});

test('a connection that an environment has set is not listed, but other changes to its dataset are', () => {
  const withConnection = (server: string) =>
    createRetailDocuments([
      [
        '"name":"Sales"',
        `"name":"Sales","type":"extract","connection":{"provider":"PostgreSQL","server":"${server}"}`,
      ],
    ]);
  const dataset = 'datamodels/Retail/datasets/Sales.dataset.json';
  const project = new PulledProject();
  project.pull(withConnection('dev'));
  const { texts } = new PulledProject(project.texts);
  // After an apply to an empty instance, the lock has the connection of its environment.
  const created = new PulledProject();
  created.pull(withConnection('prod'));
  project.lock = created.lock;
  expect(describeLocalChanges(project.pull(withConnection('prod')))).toEqual([]);
  expect(project.texts).toEqual(texts);
  project.edit(dataset, '"type": "extract"', '"type": "live"');
  expect(describeLocalChanges(project.pull(withConnection('prod')))).toEqual([`changed ${dataset}`]);
});

test('a table or a datamodel that the project has deleted is listed as one item', () => {
  const project = createProject();
  for (const path of [paths.top, paths.topSql]) {
    project.texts.delete(path);
  }
  expect(describeLocalChanges(project.pull(createRetailDocuments()))).toEqual(['deleted table/Retail/Top']);
  project.texts.clear();
  expect(describeLocalChanges(project.pull(createRetailDocuments()))).toEqual(['deleted datamodel/Retail']);
});

test('a file that both sides changed is counted as changed and also listed as a local change', () => {
  const project = createProject();
  project.edit(paths.customers, 'People', 'Persons');
  const plan = project.pull(createRetailDocuments([['"type":18', '"type":8']]));
  expect(plan.counts).toMatchObject({ changed: 1 });
  expect(describeLocalChanges(plan)).toEqual([`changed ${paths.customers}`]);
});

test('changes of the project in conflict are listed only as a conflict', () => {
  const project = createProject();
  const count = project.texts.size;
  project.edit(paths.customers, 'People', 'Persons');
  const plan = project.pull(createRetailDocuments([['People', 'Folks']]));
  expect(describeLocalChanges(plan)).toEqual([]);
  expect(plan.counts).toMatchObject({ changed: 0, unchanged: count - 1 });
});

test('changes of the project to a datamodel that the instance has deleted are listed only as a conflict', () => {
  const project = createProject();
  project.edit(paths.customers, 'People', 'Persons');
  const plan = project.pull({}, { prunedKinds: new Set(['datamodel']) });
  expect(plan.conflicts).toHaveLength(1);
  expect(describeLocalChanges(plan)).toEqual([]);
});
