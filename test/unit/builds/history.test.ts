import { expect, test, vi } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Build } from '../../../src/builds/build.ts';
import { BuildHistory } from '../../../src/builds/buildHistory.ts';
import { getBuildKindKey, getMedian, getMedianDurations } from '../../../src/builds/durations.ts';
import { toPastBuild } from '../../../src/builds/pastBuild.ts';
import { MemoryLog } from '../../fakes/memoryLog.ts';

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
  const state = { text, failing: false };
  const lines = {
    read: async () => state.text,
    append: async (more: string) => {
      if (state.failing) {
        throw new Error('No space left');
      }
      state.text += more;
    },
    replace: async (whole: string) => {
      if (state.failing) {
        throw new Error('No space left');
      }
      state.text = whole;
    },
  };
  return { state, lines };
}

test('keeps ended builds with their duration, and no running ones', async () => {
  const { lines } = createMemoryFile();
  const history = new BuildHistory(lines, silentLog);
  await history.add([build, { ...build, oid: 'r', phase: 'running', ended: undefined }]);
  expect(await history.readAll()).toEqual([
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

test('running builds alone are neither written nor a change', async () => {
  const { lines } = createMemoryFile();
  const append = vi.spyOn(lines, 'append');
  const history = new BuildHistory(lines, silentLog);
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
  const { lines } = createMemoryFile();
  const history = new BuildHistory(lines, silentLog);
  await history.add([2, 3, 1].map((ended) => ({ ...build, oid: `b${ended}`, ended })));
  expect((await history.readAll()).map(({ oid }) => oid)).toEqual(['b1', 'b2', 'b3']);
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
  const { lines } = createMemoryFile();
  const history = new BuildHistory(lines, silentLog);
  await history.add([{ ...build, phase: 'gone' }]);
  await history.add([build]);
  await history.add([{ ...build, phase: 'gone' }]);
  expect((await history.readAll()).map(({ outcome }) => outcome)).toEqual(['done']);
});

test('unreadable lines are skipped and the rest is kept', async () => {
  const good = `${JSON.stringify(toPastBuild(build))}\n`;
  const { lines } = createMemoryFile(`\n{"oid":1}\nnonsense\n${good}{"connectionId":"c","oi`);
  expect(await new BuildHistory(lines, silentLog).readAll()).toHaveLength(1);
});

test('the oldest builds are dropped when there are too many', async () => {
  const past = toPastBuild(build);
  const { state, lines } = createMemoryFile(
    Array.from({ length: 4_001 }, (_, n) => JSON.stringify({ ...past, oid: `b${n}`, ended: n })).join('\n'),
  );
  const all = await new BuildHistory(lines, silentLog).readAll();
  expect([all.length, all[0]?.oid, all.at(-1)?.oid]).toEqual([2_000, 'b2001', 'b4000']);
  expect(state.text.split('\n')).toHaveLength(2_001);
});

test('the file is not replaced before it has twice as many lines as are kept', async () => {
  const past = toPastBuild(build);
  const text = Array.from({ length: 4_000 }, (_, n) => JSON.stringify({ ...past, oid: `b${n}`, ended: n }));
  const { state, lines } = createMemoryFile(text.join('\n'));
  expect(await new BuildHistory(lines, silentLog).readAll()).toHaveLength(2_000);
  expect(state.text.split('\n')).toHaveLength(4_000);
});

test('a failed write of the history is logged and nothing else fails', async () => {
  const { state, lines } = createMemoryFile();
  state.failing = true;
  const log = new MemoryLog();
  await new BuildHistory(lines, log).add([build]);
  expect(log.entries).toMatchObject([{ level: 'warn' }]);
});

test('medians cover successful builds of the same type', () => {
  const past = (changes: object) => ({ ...toPastBuild(build), ...changes }) as ReturnType<typeof toPastBuild>;
  const history = [
    past({ durationMs: 10 }),
    past({ durationMs: 30 }),
    past({ durationMs: 20 }),
    past({ durationMs: 999, outcome: 'failed' }),
    past({ durationMs: 1, rowLimit: 5 }),
    past({ durationMs: 7, buildType: 'by_table' }),
  ].flatMap((entry) => entry ?? []);
  const medians = getMedianDurations(history);
  expect(medians.get(getBuildKindKey(build))).toBe(20);
  expect(medians.get(getBuildKindKey({ ...build, rowLimit: 9 }))).toBe(1);
  expect(getMedian([4, 1])).toBe(2.5);
});

test('medians leave out builds of unknown datamodels and unknown durations', () => {
  const [past] = [toPastBuild(build)].flatMap((entry) => entry ?? []);
  const unknown = { ...build, datamodelId: undefined };
  const medians = getMedianDurations(
    past === undefined
      ? []
      : [
          { ...past, durationMs: 8 },
          { ...past, durationMs: undefined },
          { ...past, datamodelId: undefined, durationMs: 8 },
        ],
  );
  expect(medians.get(getBuildKindKey(build))).toBe(8);
  expect(medians.get(getBuildKindKey(unknown))).toBeUndefined();
});

test('medians are those of the latest twenty builds, because datamodels grow', () => {
  const [past] = [toPastBuild(build)].flatMap((entry) => entry ?? []);
  const history = Array.from({ length: 30 }, (_, index) => ({ ...past, durationMs: index < 10 ? 1 : index }));
  expect(
    getMedianDurations(history as Parameters<typeof getMedianDurations>[0]).get(getBuildKindKey(build)),
  ).toBe(19.5);
});

test('a history that cannot be truncated can still be read', async () => {
  const { state, lines } = createMemoryFile();
  const past = toPastBuild(build);
  state.text = Array.from({ length: 4_001 }, (_, index) =>
    JSON.stringify({ ...past, oid: `b${index}`, ended: index }),
  ).join('\n');
  state.failing = true;
  const log = new MemoryLog();
  expect(await new BuildHistory(lines, log).readAll()).toHaveLength(2_000);
});
