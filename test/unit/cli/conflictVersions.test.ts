import { expect, test } from 'vitest';
import { stringify } from '../../../src/base/json.ts';
import { getConflictVersions } from '../../../src/cli/conflictVersions.ts';

const key = { kind: 'dataset', datamodel: 'M', dataset: 'D' } as const;

test('both versions of each part in conflict are returned, and a side that has none has no value', () => {
  const conflict = {
    key: { kind: 'table', datamodel: 'M', table: 'T' },
    reason: 'both-changed',
    path: undefined,
    pointers: ['/description', '/columns/A~1B', '/columns/C/type', '/missing'],
    ours: { description: 'Ours', columns: [{ name: 'A/B', type: 8 }] },
    theirs: { columns: [{ name: 'C' }, { name: 'A/B', type: 18 }] },
  } as const;
  expect(getConflictVersions(conflict)).toEqual([
    { pointer: '/description', ours: 'Ours' },
    { pointer: '/columns/A~1B', ours: { name: 'A/B', type: 8 }, theirs: { name: 'A/B', type: 18 } },
  ]);
  expect(getConflictVersions({ ...conflict, pointers: [''], ours: 'SELECT 1', theirs: undefined })).toEqual([
    { pointer: '', ours: 'SELECT 1' },
  ]);
});

test('secrets in a file are masked', () => {
  const createDataset = (server: string) => ({
    connection: { provider: 'PostgreSQL', parameters: { Server: server, Password: 'hunter2' } },
  });
  const conflict = {
    reason: 'both-changed',
    path: undefined,
    pointers: ['/connection/parameters', ''],
    ours: createDataset('a'),
    theirs: createDataset('b'),
  } as const;
  const customData = { kind: 'customData', name: 'X' } as const;
  for (const versions of [
    getConflictVersions({ ...conflict, key }),
    getConflictVersions({ ...conflict, key: customData }),
  ]) {
    expect(versions).toHaveLength(2);
    expect(stringify(versions)).toContain('"Server":"a"');
    expect(stringify(versions)).not.toContain('hunter2');
  }
});
