import { expect, test } from 'vitest';
import { createAppliedLock } from '../../../../src/project/apply/appliedLock.ts';
import { convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { compare, withPrunedKinds } from '../plan/planSupport.ts';
import { PulledProject, createRetailDocuments, paths } from '../pull/pullSupport.ts';

const convert = (instance: ReturnType<typeof createRetailDocuments>) =>
  convertInstance({
    datamodels: [],
    cubeSets: [],
    viewpoints: [],
    customData: [],
    users: [],
    groups: [],
    bound: [],
    ...instance,
  });

test('items that were deleted are removed from the lock, and items that are not deleted yet stay in it', () => {
  const project = new PulledProject();
  project.pull(createRetailDocuments());
  project.texts.delete(paths.region);
  const { changes } = compare(project, createRetailDocuments(), withPrunedKinds('rules'));
  const key = 'rules/Retail/Customers/Region';
  const waiting = createAppliedLock(project.lock, changes, convert(createRetailDocuments()));
  expect(waiting.entries.get(key)).toEqual(project.lock.entries.get(key));
  const deleted = createAppliedLock(project.lock, changes, convert(createRetailDocuments([], [])));
  expect(deleted.entries.has(key)).toBe(false);
  expect(deleted.entries.size).toBe(project.lock.entries.size - 1);
});
