import { expect, test } from 'vitest';
import type { Build } from '../../../src/builds/build.ts';
import { StoredBuildMemory } from '../../../src/builds/buildMemory.ts';

const build: Build = {
  connectionId: 'c',
  oid: 'b',
  datamodelId: undefined,
  datamodelTitle: 'Retail',
  buildType: 'full',
  status: null,
  phase: 'running',
  firstSeen: 1,
  ended: undefined,
  startedHere: true,
  reason: undefined,
  failedTable: undefined,
};

test('what is written is read again, through JSON as the editor keeps it', () => {
  let kept: unknown;
  const storage = {
    read: () => kept,
    write: (value: unknown) => {
      kept = JSON.parse(JSON.stringify(value));
    },
  };
  new StoredBuildMemory(storage).write([build]);
  expect(new StoredBuildMemory(storage).read()).toEqual([build]);
});

test.each([undefined, null, 'nonsense', [{ oid: 1 }]])('%j is as if nothing were remembered', (kept) => {
  expect(new StoredBuildMemory({ read: () => kept, write: () => {} }).read()).toEqual([]);
});
