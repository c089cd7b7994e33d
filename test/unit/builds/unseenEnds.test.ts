import { expect, test } from 'vitest';
import type { Build } from '../../../src/builds/build.ts';
import { UnseenEnds } from '../../../src/builds/unseenEnds.ts';

const build = (oid: string, phase: Build['phase']): Build => ({ oid, phase }) as Build;
const oids = (builds: readonly Build[]): readonly string[] => builds.map(({ oid }) => oid);

test('every failure stays until a person has looked, whatever ends after it', () => {
  const unseen = new UnseenEnds();
  unseen.add({ build: build('a', 'failed'), tell: true });
  unseen.add({ build: build('b', 'done'), tell: true });
  unseen.add({ build: build('c', 'failed'), tell: true });
  unseen.forgetLast();
  expect(oids(unseen.failures)).toEqual(['a', 'c']);
  expect(unseen.last).toBeUndefined();
  unseen.acknowledge();
  expect(unseen.failures).toEqual([]);
  unseen.add({ build: build('d', 'failed'), tell: true });
  expect(oids(unseen.failures)).toEqual(['d']);
});

test('a failure that another window tells of is shown here for a while only', () => {
  const unseen = new UnseenEnds();
  unseen.add({ build: build('a', 'failed'), tell: false });
  expect(unseen.failures).toEqual([]);
  expect(unseen.last?.oid).toBe('a');
  unseen.acknowledge();
  expect(unseen.last).toBeUndefined();
});
