import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatItemKey } from '../../../../src/project/item.ts';
import {
  emptyLock,
  formatLock,
  getLockPath,
  type Lock,
  type LockEntry,
  LockError,
  parseLock,
  readLock,
} from '../../../../src/project/pull/lock.ts';
import { hashParts } from '../../../../src/project/compare/parts.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import { anyJson } from '../../documents/anyJson.ts';
import { hostileNames } from '../hostileNames.ts';

const path = 'environments/default.lock.json';

const locks: fc.Arbitrary<Lock> = fc
  .record({
    entries: fc.array(
      fc.tuple(
        hostileNames.map((viewpoint) => formatItemKey({ kind: 'viewpoint', viewpoint })),
        fc.record(
          {
            oid: hostileNames,
            columns: fc.dictionary(hostileNames, fc.string()),
            parts: anyJson.map(hashParts),
          },
          { requiredKeys: ['parts'] },
        ),
      ),
      { maxLength: 8 },
    ),
    ids: fc.array(fc.uuid(), { maxLength: 3 }),
  })
  .map(({ entries, ids }) => ({
    entries: new Map<string, LockEntry>(entries),
    numberedReferences: ids.map((id, index) => ({
      number: index + 1,
      type: index % 2 === 0 ? 'user' : 'group',
      id,
    })),
  }));

describe('a lock', () => {
  test('is read as it was written, in any order', () => {
    fc.assert(
      fc.property(locks, (lock) => {
        const text = formatLock(lock);
        const reversed = {
          entries: new Map([...lock.entries].toReversed()),
          numberedReferences: lock.numberedReferences.toReversed(),
        };
        expect(formatLock(reversed)).toBe(text);
        const read = parseLock(text, path);
        expect(formatLock(read)).toBe(text);
        expect(read.entries).toEqual(lock.entries);
        expect(read.numberedReferences).toEqual(lock.numberedReferences);
        for (const [key, { parts }] of lock.entries) {
          expect([...expectDefined(read.entries.get(key)).parts.keys()]).toEqual([...parts.keys()]);
        }
      }),
    );
  });

  test('has one line per item', () => {
    const lock: Lock = {
      entries: new Map([
        ['viewpoint/V', { oid: '1', parts: hashParts({ name: 'V' }) }],
        ['table/R/T', { parts: hashParts({ columns: [{ name: 'a' }] }) }],
      ]),
      numberedReferences: [{ number: 1, type: 'user', id: 'x' }],
    };
    expect(formatLock(lock)).toBe(`{
  "version": 1,
  "bound": [
    {"number":1,"type":"user","id":"x"}
  ],
  "items": {
    "table/R/T": {"parts":{"/columns/a":"8fb7cbbfa6893b3e"}},
    "viewpoint/V": {"oid":"1","parts":{"/name":"c0cf4e9090e7de82"}}
  }
}
`);
    expect(formatLock(emptyLock)).toBe('{\n  "version": 1,\n  "bound": [],\n  "items": {}\n}\n');
  });

  test.each([
    ['', 'broken', 1],
    [formatLock(emptyLock).slice(0, 30), 'broken', 3],
    ['{\n<<<<<<< HEAD\n', 'broken', 2],
    ['{"version": 1, "items": {\n"viewpoint/V": {"parts": {}},\n"viewpoint/V": {"parts": {}}}}', 'broken', 3],
    ['{"version": 2}', 'newer-version', undefined],
    ['{}', 'unknown-format', undefined],
    ['[]', 'unknown-format', undefined],
    ['{"version": 1, "bound": [], "items": {"x": {"parts": {}}}}', 'unknown-format', undefined],
    ['{"version": 1, "bound": [], "items": {"viewpoint/V": {}}}', 'unknown-format', undefined],
    ['{"version": 1, "bound": [{}], "items": {}}', 'unknown-format', undefined],
    // Two merged branches have used the same number.
    [
      formatLock({
        ...emptyLock,
        numberedReferences: [
          { number: 1, type: 'user', id: 'x' },
          { number: 1, type: 'group', id: 'y' },
        ],
      }),
      'broken',
      undefined,
    ],
  ])('that is broken or has an unknown format is refused: %j', (text, fault, line) => {
    const parse = () => parseLock(text, path);
    expect(parse).toThrow(LockError);
    try {
      parse();
    } catch (error) {
      expect(expectInstance(error, LockError)).toMatchObject({ fault, line });
    }
  });
});

test('a file that is not a lock says how to replace it', () => {
  expect(() => parseLock('{}', path)).toThrow(
    `${path} isn't a Datamodel Studio lock file. Restore it from version control, or delete it. If you delete it, values that differ become conflicts.`,
  );
});

test('a lock with a merge conflict says how to resolve it', () => {
  const text = formatLock(emptyLock).replace('  "items"', '<<<<<<< HEAD\n  "items"');
  expect(() => parseLock(text, path)).toThrow(
    `${path} has an unresolved merge conflict at line 4. Keep the version of either branch, and then pull.`,
  );
});

describe('the file of a lock', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'project-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('has a valid name for every environment name', () => {
    expect(getLockPath('default')).toBe(path);
    expect(getLockPath('../x')).toBe('environments/%2E.%2Fx.lock.json');
  });

  test('may be missing, but not unreadable', async () => {
    expect(await readLock(folder, 'default')).toEqual(emptyLock);
    await mkdir(join(folder, 'environments'));
    await writeFile(join(folder, path), Buffer.from([0xff]));
    await expect(readLock(folder, 'default')).rejects.toMatchObject({ fault: 'broken' });
    await rm(join(folder, path));
    await mkdir(join(folder, path));
    await expect(readLock(folder, 'default')).rejects.toMatchObject({ fault: 'unreadable' });
  });
});
