import { expect, test } from 'vitest';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { emptyLock } from '../../../../src/project/pull/lock.ts';
import { createRetailDocuments, nothing, paths, PulledProject, summarize } from './pullSupport.ts';

const viewpointPath = 'viewpoints/Sales.viewpoint.json';
const createDocuments = (replacements: readonly (readonly [string, string])[] = []) => ({
  ...createRetailDocuments(replacements),
  viewpoints: [{ id: '1', name: 'Sales' }],
});

/** Creates a project that has kept the former names after the instance got the new ones. */
function createProject(): PulledProject {
  const project = new PulledProject();
  project.pull(createDocuments());
  project.edit(paths.customers, '"name": "Customers"', '"name": "Customers",\n  "renamedFrom": "Clients"');
  project.edit(paths.customers, '"name": "Region"', '"name": "Region",\n      "renamedFrom": "Area"');
  project.edit(paths.top, '"name": "Id"', '"name": "Id",\n      "renamedFrom": "Key"');
  project.edit(viewpointPath, '"name": "Sales"', '"name": "Sales",\n  "renamedFrom": "Turnover"');
  return project;
}

const countFormerNames = ({ texts }: PulledProject): number =>
  [...texts.values()].join('').split('renamedFrom').length - 1;

test.each([undefined, 'ours', 'theirs'] as const)(
  'former names are no difference from an instance that has the new ones, if %s wins',
  (winner) => {
    for (const lock of [new PulledProject(), createProject()].map((project) => project.lock)) {
      const project = createProject();
      project.lock = lock;
      const texts = new Map(project.texts);
      const plan = project.pull(createDocuments(), { getWinner: () => winner });
      expect([summarize(plan), plan.localChanges]).toEqual([nothing, []]);
      expect(project.texts).toEqual(texts);
      expect(project.lock).toEqual(createProject().lock);
    }
  },
);

test('former names stay when the instance has changed the rest', () => {
  const changedInstance = createDocuments([
    ['People', 'Persons'],
    ['"Region","type":18', '"Region","type":4'],
    [
      '{"oid":"40000000-0000-0000-0000-000000000001","name":"Id","type":8}',
      '{"oid":"40000000-0000-0000-0000-000000000001","name":"Id","type":18}',
    ],
  ]);
  const project = createProject();
  expect(summarize(project.pull(changedInstance)).conflicts).toEqual([]);
  expect(countFormerNames(project)).toBe(4);
  expect(project.texts.get(paths.customers)).toContain('"name": "Customers",\n  "renamedFrom": "Clients"');
  expect(project.texts.get(paths.customers)).toContain('"renamedFrom": "Area"');
  const neverPulled = createProject();
  neverPulled.lock = emptyLock;
  expect(summarize(neverPulled.pull(changedInstance)).conflicts).toEqual([
    'never-seen table/Retail/Customers /description /columns/Region',
  ]);
  neverPulled.pull(changedInstance, { getWinner: () => 'theirs' });
  expect(neverPulled.texts).toEqual(project.texts);
});

test('a former name is deleted only with the item that has it', () => {
  const project = createProject();
  const withoutRegion = createDocuments([
    [',{"oid":"30000000-0000-0000-0000-000000000002","name":"Region","type":18}', ''],
  ]);
  expect(summarize(project.pull(withoutRegion)).conflicts).toEqual([]);
  expect(project.texts.get(paths.customers)).not.toContain('Area');
  expect(countFormerNames(project)).toBe(3);
  const plan = project.pull({}, { prunedKinds: new Set(['datamodel', 'viewpoint']) });
  expect(plan.conflicts).toEqual([]);
  expect(parseProject({ texts: project.texts, faults: [] }).items).toEqual([]);
});
