import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Build } from '../../../src/builds/build.ts';
import { BuildHistory } from '../../../src/builds/buildHistory.ts';
import { type HistoryFile, latestPartName, openHistoryFile } from '../../../src/builds/historyFile.ts';
import { getComparableBuildKey, getMedian, getMedianDurations } from '../../../src/builds/durations.ts';
import { type PastBuild, toPastBuild } from '../../../src/builds/pastBuild.ts';
import { MemoryLog } from '../../fakes/memoryLog.ts';
import { expectDefined } from '../../support/expectations.ts';

const build: Build = {
  connectionId: 'c',
  oid: 'b',
  datamodelId: 'm',
  datamodelTitle: 'Retail',
  buildType: 'full',
  schemaOrigin: undefined,
  rowLimit: undefined,
  status: 'done',
  phase: 'done',
  firstSeen: 1_000,
  lastSeen: 61_000,
  ended: 61_000,
  serverMs: undefined,
  source: undefined,
  startedBy: 'w',
  reason: undefined,
  failedTable: undefined,
};

function createMemoryFile(text = '') {
  const state = { parts: new Map(text === '' ? [] : [[latestPartName, text]]), shouldFail: false };
  const failOrChange = (change: () => void) => async (): Promise<void> => {
    if (state.shouldFail) {
      throw new Error('No space left');
    }
    change();
  };
  const file: HistoryFile = {
    read: async () => [...state.parts].map(([name, partText]) => ({ name, text: partText })),
    append: (newLines) =>
      failOrChange(() =>
        state.parts.set(latestPartName, (state.parts.get(latestPartName) ?? '') + newLines),
      )(),
    rotate: failOrChange(() => {
      state.parts.set(`part${state.parts.size}`, state.parts.get(latestPartName) ?? '');
      state.parts.delete(latestPartName);
    }),
    remove: (name) => failOrChange(() => state.parts.delete(name))(),
  };
  return { state, file };
}

/** Lines of builds that ended one after the other. */
const toLines = (first: number, end: number): string =>
  Array.from({ length: end - first }, (_, index) => first + index)
    .map((n) => `${JSON.stringify({ ...toPastBuild(build), oid: `b${n}`, ended: n })}\n`)
    .join('');

test('ended builds are kept with their duration, and running ones are not', async () => {
  const { file } = createMemoryFile();
  const history = new BuildHistory(file, silentLog);
  await history.add([build, { ...build, oid: 'r', phase: 'running', ended: undefined }]);
  expect(await history.readAndTrim()).toEqual([
    {
      connectionId: 'c',
      oid: 'b',
      datamodelId: 'm',
      datamodelTitle: 'Retail',
      buildType: 'full',
      outcome: 'done',
      ended: 61_000,
      durationMs: 60_000,
    },
  ]);
});

test('running builds alone are not written, and announce no change', async () => {
  const { file } = createMemoryFile();
  const append = vi.spyOn(file, 'append');
  const history = new BuildHistory(file, silentLog);
  let changeCount = 0;
  history.onDidChange(() => {
    changeCount += 1;
  });
  await history.add([{ ...build, phase: 'running', ended: undefined }]);
  expect([append.mock.calls.length, changeCount]).toEqual([0, 0]);
  await history.add([build]);
  expect([append.mock.calls.length, changeCount]).toEqual([1, 1]);
});

test('builds are sorted by their end, whatever the order in which windows wrote them', async () => {
  const { file } = createMemoryFile();
  const history = new BuildHistory(file, silentLog);
  await history.add([2, 3, 1].map((ended) => ({ ...build, oid: `b${ended}`, ended })));
  expect((await history.readAndTrim()).map(({ oid }) => oid)).toEqual(['b1', 'b2', 'b3']);
});

test('a build without a time of its end is not kept', () => {
  expect(toPastBuild({ ...build, ended: undefined })).toBeUndefined();
  expect(toPastBuild({ ...build, phase: 'running' })).toBeUndefined();
});

test('a duration is given only where it is known', () => {
  expect(toPastBuild({ ...build, startedBy: undefined })?.durationMs).toBeUndefined();
  expect(toPastBuild({ ...build, startedBy: undefined, serverMs: 5 })?.durationMs).toBe(5);
  expect(toPastBuild({ ...build, phase: 'gone' })?.durationMs).toBeUndefined();
});

test('a build that reappeared counts once, with its real result', async () => {
  const { file } = createMemoryFile();
  const history = new BuildHistory(file, silentLog);
  await history.add([{ ...build, phase: 'gone' }]);
  await history.add([build]);
  await history.add([{ ...build, phase: 'gone' }]);
  expect((await history.readAndTrim()).map(({ outcome }) => outcome)).toEqual(['done']);
});

test('unreadable lines are skipped and the rest is kept', async () => {
  const validLine = `${JSON.stringify(toPastBuild(build))}\n`;
  const { file } = createMemoryFile(`\n{"oid":1}\nnonsense\n${validLine}{"connectionId":"c","oi`);
  expect(await new BuildHistory(file, silentLog).readAndTrim()).toHaveLength(1);
});

test('the oldest builds are dropped when there are too many', async () => {
  const { file } = createMemoryFile(toLines(0, 4_001));
  const all = await new BuildHistory(file, silentLog).readAndTrim();
  expect([all.length, all[0]?.oid, all.at(-1)?.oid]).toEqual([2_000, 'b2001', 'b4000']);
});

test('a new part is started only when the latest one has more builds than are kept', async () => {
  const { state, file } = createMemoryFile(toLines(0, 2_000));
  const history = new BuildHistory(file, silentLog);
  expect(await history.readAndTrim()).toHaveLength(2_000);
  expect([...state.parts.keys()]).toEqual([latestPartName]);
  await history.add([{ ...build, oid: 'last', ended: 9_000 }]);
  expect(await history.readAndTrim()).toHaveLength(2_000);
  expect([...state.parts.keys()]).toEqual(['part1']);
});

test('a part is removed when all of its builds are older than those that are kept', async () => {
  const { state, file } = createMemoryFile(toLines(0, 2_001));
  const history = new BuildHistory(file, silentLog);
  await history.readAndTrim();
  await file.append(toLines(2_001, 4_000));
  expect([(await history.readAndTrim())[0]?.oid, state.parts.size]).toEqual(['b2000', 2]);
  await file.append(toLines(4_000, 4_001));
  expect([(await history.readAndTrim())[0]?.oid, state.parts.size]).toEqual(['b2001', 1]);
});

test('a build counts once, with its result, whatever the order of the parts', async () => {
  const gone = JSON.stringify(toPastBuild({ ...build, phase: 'gone' }));
  const done = JSON.stringify(toPastBuild(build));
  for (const texts of [
    [gone, done],
    [done, gone],
  ]) {
    const { state, file } = createMemoryFile();
    texts.forEach((text, index) => state.parts.set(`part${index}`, text));
    const all = await new BuildHistory(file, silentLog).readAndTrim();
    expect(all.map(({ outcome }) => outcome)).toEqual(['done']);
  }
});

test('a failed write of the history is logged and nothing else fails', async () => {
  const { state, file } = createMemoryFile();
  state.shouldFail = true;
  const log = new MemoryLog();
  await new BuildHistory(file, log).add([build]);
  expect(log.entries).toMatchObject([{ level: 'warn' }]);
});

test('medians cover successful builds of the same type', () => {
  const createPastBuild = (changes: Partial<PastBuild>): PastBuild => ({
    ...expectDefined(toPastBuild(build)),
    ...changes,
  });
  const history = [
    createPastBuild({ durationMs: 10 }),
    createPastBuild({ durationMs: 30 }),
    createPastBuild({ durationMs: 20 }),
    createPastBuild({ durationMs: 999, outcome: 'failed' }),
    createPastBuild({ durationMs: 1, rowLimit: 5 }),
    createPastBuild({ durationMs: 7, buildType: 'by_table' }),
  ];
  const medians = getMedianDurations(history);
  expect(medians.get(getComparableBuildKey(build))).toBe(20);
  expect(medians.get(getComparableBuildKey({ ...build, rowLimit: 9 }))).toBe(1);
  expect(getMedian([4, 1])).toBe(2.5);
});

test('medians leave out builds of unknown datamodels and unknown durations', () => {
  const pastBuild = expectDefined(toPastBuild(build));
  const unknown = { ...build, datamodelId: undefined };
  const medians = getMedianDurations([
    { ...pastBuild, durationMs: 8 },
    { ...pastBuild, durationMs: undefined },
    { ...pastBuild, datamodelId: undefined, durationMs: 8 },
  ]);
  expect(medians.get(getComparableBuildKey(build))).toBe(8);
  expect(medians.get(getComparableBuildKey(unknown))).toBeUndefined();
});

test('medians are those of the latest twenty builds, because datamodels grow', () => {
  const pastBuild = expectDefined(toPastBuild(build));
  const history = Array.from({ length: 30 }, (_, index) => ({
    ...pastBuild,
    durationMs: index < 10 ? 1 : index,
  }));
  expect(getMedianDurations(history).get(getComparableBuildKey(build))).toBe(19.5);
});

test('a history that cannot be shortened can still be read', async () => {
  const { state, file } = createMemoryFile(toLines(0, 4_001));
  state.shouldFail = true;
  const log = new MemoryLog();
  expect(await new BuildHistory(file, log).readAndTrim()).toHaveLength(2_000);
  expect(log.entries).toMatchObject([{ level: 'warn' }]);
});

describe('on disk', () => {
  const withFolder = async (run: (folder: string) => Promise<void>): Promise<void> => {
    const root = await mkdtemp(join(tmpdir(), 'history-'));
    try {
      await run(join(root, 'builds'));
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  };

  test('no line of another window is lost while a window starts a part', () =>
    withFolder(async (folder) => {
      const windows = [openHistoryFile(folder), openHistoryFile(folder), openHistoryFile(folder)];
      await Promise.all(
        windows.map(async (window, index) => {
          for (let n = 0; n < 50; n += 1) {
            await window.append(`${index} ${n}\n`);
            await (n % 10 === 9 ? window.rotate() : undefined);
          }
        }),
      );
      const parts = await openHistoryFile(folder).read();
      const found = parts.flatMap(({ text }) => text.split('\n').filter((line) => line !== ''));
      const written = [0, 1, 2].flatMap((index) => Array.from({ length: 50 }, (_, n) => `${index} ${n}`));
      expect(found.toSorted()).toEqual(written.toSorted());
    }));

  test('nothing is read before the first build, and removed parts are not read', () =>
    withFolder(async (folder) => {
      const file = openHistoryFile(folder);
      await file.rotate();
      expect(await file.read()).toEqual([]);
      await file.append('a\n');
      await file.rotate();
      await file.append('b\n');
      const [first] = (await file.read()).filter(({ name }) => name !== latestPartName);
      expect(first?.text).toBe('a\n');
      await file.remove(first?.name ?? '');
      await file.remove(first?.name ?? '');
      expect(await file.read()).toEqual([{ name: latestPartName, text: 'b\n' }]);
    }));

  test('other files in the folder are not read', () =>
    withFolder(async (folder) => {
      const file = openHistoryFile(folder);
      await file.append('a\n');
      for (const name of ['history.jsonl.draft', 'history.csv', 'builds.jsonl']) {
        await writeFile(join(folder, name), 'b\n');
      }
      expect(await file.read()).toEqual([{ name: latestPartName, text: 'a\n' }]);
    }));

  test.runIf(process.platform !== 'win32')(
    'a part that is removed while the folder is read is left out',
    () =>
      withFolder(async (folder) => {
        await mkdir(folder, { recursive: true });
        await symlink(join(folder, 'removed'), join(folder, 'history-1.jsonl'));
        expect(await openHistoryFile(folder).read()).toEqual([]);
      }),
  );

  test('an unreadable history is an error, not an empty one', () =>
    withFolder(async (folder) => {
      await mkdir(join(folder, latestPartName), { recursive: true });
      await expect(openHistoryFile(folder).read()).rejects.toThrow('EISDIR');
    }));

  test.runIf(process.platform !== 'win32')('only the owner can read the history', () =>
    withFolder(async (folder) => {
      await openHistoryFile(folder).append('a\n');
      const modes = [folder, join(folder, latestPartName)].map(
        async (path) => (await stat(path)).mode & 0o777,
      );
      expect(await Promise.all(modes)).toEqual([0o700, 0o600]);
    }),
  );
});
