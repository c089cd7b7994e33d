import { expect, test } from 'vitest';
import { createAppliedLock } from '../../../../src/project/apply/appliedLock.ts';
import { convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { compare, prune } from '../plan/planSupport.ts';
import { PulledProject, documents, paths } from '../pull/pullSupport.ts';

const convert = (instance: ReturnType<typeof documents>) =>
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

test('what an apply has deleted is no longer in the lock, and what waits for the next one still is', () => {
  const project = new PulledProject();
  project.pull(documents());
  project.texts.delete(paths.region);
  const { changes } = compare(project, documents(), prune('rules'));
  const key = 'rules/Retail/Customers/Region';
  const waiting = createAppliedLock(project.lock, changes, convert(documents()));
  expect(waiting.entries.get(key)).toEqual(project.lock.entries.get(key));
  const deleted = createAppliedLock(project.lock, changes, convert(documents([], [])));
  expect(deleted.entries.has(key)).toBe(false);
  expect(deleted.entries.size).toBe(project.lock.entries.size - 1);
});
