import { expect, test } from 'vitest';
import type { Build } from '../../../src/builds/build.ts';
import { UnacknowledgedResults } from '../../../src/builds/unacknowledgedResults.ts';

const build = (oid: string, phase: Build['phase']): Build => ({ oid, phase }) as Build;
const oids = (builds: readonly Build[]): readonly string[] => builds.map(({ oid }) => oid);

test('every failure stays until the user has seen it, whatever ends after it', () => {
  const unseen = new UnacknowledgedResults();
  unseen.add({ build: build('a', 'failed'), shouldNotify: true });
  unseen.add({ build: build('b', 'done'), shouldNotify: true });
  unseen.add({ build: build('c', 'failed'), shouldNotify: true });
  unseen.clearLatestResult();
  expect(oids(unseen.failures)).toEqual(['a', 'c']);
  expect(unseen.latestResult).toBeUndefined();
  unseen.acknowledge();
  expect(unseen.failures).toEqual([]);
  unseen.add({ build: build('d', 'failed'), shouldNotify: true });
  expect(oids(unseen.failures)).toEqual(['d']);
});

test('a failure that another window reported is shown here only for a while', () => {
  const unseen = new UnacknowledgedResults();
  unseen.add({ build: build('a', 'failed'), shouldNotify: false });
  expect(unseen.failures).toEqual([]);
  expect(unseen.latestResult?.oid).toBe('a');
  unseen.acknowledge();
  expect(unseen.latestResult).toBeUndefined();
});
