import { assert, expect, test } from 'vitest';
import { type Log, silentLog } from '../../../src/base/log.ts';
import { createBuildOfTask } from '../../../src/builds/build.ts';
import { heartbeatMs } from '../../../src/builds/leader.ts';
import {
  getRecordFileName,
  getWindowFileName,
  type InstanceRecord,
  SharedFileReader,
  type WindowStatus,
} from '../../../src/builds/sharedRecords.ts';
import { WindowCoordinator } from '../../../src/builds/windowCoordinator.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryFolder } from '../../fakes/memoryFolder.ts';
import { MemoryLog } from '../../fakes/memoryLog.ts';

const dayMs = 24 * 3_600_000;

const createRecord = (changes: Partial<InstanceRecord>): InstanceRecord => ({
  instance: 'i',
  connectionId: 'c',
  leader: 'w0',
  askedAt: 0,
  heardAt: 0,
  notBefore: 0,
  failures: 0,
  builds: [],
  ...changes,
});

const createStatus = (changes: Partial<WindowStatus>): WindowStatus => ({
  window: 'w0',
  since: 0,
  beat: 0,
  instances: ['i'],
  blocked: [],
  wishes: {},
  builds: {},
  ...changes,
});

function openCoordinator({
  disk = new MemoryFolder(),
  log = silentLog,
}: {
  readonly disk?: MemoryFolder;
  readonly log?: Log;
} = {}) {
  const clock = new FakeClock();
  const coordinator = new WindowCoordinator({ folder: disk.open(), clock, log, windowId: 'w1' }, () => {});
  const read = async (...files: readonly (InstanceRecord | WindowStatus)[]): Promise<void> => {
    for (const file of files) {
      const name = 'leader' in file ? getRecordFileName(file.instance) : getWindowFileName(file.window);
      disk.files.set(name, JSON.stringify(file));
    }
    await coordinator.enqueueRound(async () => {});
  };
  return { clock, disk, coordinator, read };
}

const createBuildSeenAt = (firstSeen: number) => createBuildOfTask('c', 'b1', firstSeen);

test.each<[string, (now: number) => InstanceRecord | WindowStatus, boolean]>([
  [
    'the record of an instance polled 30 days ago',
    (now) => createRecord({ askedAt: now - 30 * dayMs }),
    true,
  ],
  ['a record just older', (now) => createRecord({ askedAt: now - 30 * dayMs - 1 }), false],
  [
    'an older record with a build first seen 30 days ago',
    (now) => createRecord({ askedAt: now - 90 * dayMs, builds: [createBuildSeenAt(now - 30 * dayMs)] }),
    true,
  ],
  [
    'an older record with an older build',
    (now) => createRecord({ askedAt: now - 90 * dayMs, builds: [createBuildSeenAt(now - 31 * dayMs)] }),
    false,
  ],
  ['a status with a heartbeat a minute ago', (now) => createStatus({ beat: now - 60_000 }), true],
  ['a status just older', (now) => createStatus({ beat: now - 60_001 }), false],
  ['the status of this window, however old', () => createStatus({ window: 'w1', beat: 0 }), true],
])(
  'only recent files, and those of recent builds or of this window, are kept: %s',
  async (_name, createFile, isKept) => {
    const { clock, disk, read } = openCoordinator();
    clock.skip(100 * dayMs);
    await read(createFile(clock.now()));
    expect(disk.files.size).toBe(isKept ? 1 : 0);
  },
);

test('requests and builds of other windows are known, and requests only while their windows are alive', async () => {
  const { clock, coordinator, read } = openCoordinator();
  const beat = clock.now();
  const build = createBuildSeenAt(5);
  expect(coordinator.getPollRequestTime('i')).toBeUndefined();
  await read(
    createStatus({ window: 'w2', beat, wishes: { i: 7 }, builds: { i: [build] } }),
    createStatus({ window: 'w3', beat, wishes: { i: 9, j: 11 } }),
    createStatus({ window: 'w4', beat: 0, wishes: { i: 99 } }),
    createStatus({ window: 'w1', beat, wishes: { i: 99 }, builds: { i: [build] } }),
  );
  expect(['i', 'j', 'k'].map((instance) => coordinator.getPollRequestTime(instance))).toEqual([
    9,
    11,
    undefined,
  ]);
  expect(['i', 'j'].map((instance) => coordinator.getUnrecordedBuilds(instance))).toEqual([[build], []]);
  expect(['w1', 'w2', 'w3', 'w4', 'w5'].filter((window) => coordinator.isAlive(window))).toEqual([
    'w1',
    'w2',
    'w3',
  ]);
});

test('a blocked window leads only if no other one can poll, and a window that left never does', async () => {
  const { clock, coordinator, read } = openCoordinator();
  const other = createStatus({ window: 'w2', since: clock.now() + 1, beat: clock.now() });
  await read(other);
  const getLeader = () => coordinator.getLeader('i');
  expect(getLeader()).toBe('w2');
  coordinator.join('i', false);
  expect(getLeader()).toBe('w1');
  coordinator.join('i', true);
  expect(getLeader()).toBe('w2');
  await read({ ...other, blocked: ['i'] });
  expect(getLeader()).toBe('w1');
  coordinator.leave('i');
  expect(getLeader()).toBe('w2');
  await read(other);
  coordinator.join('i', false);
  expect(getLeader()).toBe('w1');
});

test('the status has the builds that the record lacks, and is written again when something else changes', async () => {
  const { clock, disk, coordinator, read } = openCoordinator();
  const name = getWindowFileName('w1');
  const announce = async () => {
    disk.files.delete(name);
    await coordinator.announce();
    return JSON.parse(disk.files.get(name) ?? 'null');
  };
  expect(await announce()).toBeNull();
  coordinator.join('i', false);
  expect(await announce()).toEqual({
    ...createStatus({ window: 'w1', since: clock.now(), beat: clock.now() }),
    instances: ['i'],
  });
  expect(await announce()).toBeNull();
  coordinator.setState('i', [createBuildSeenAt(1)], 5);
  expect(await announce()).toMatchObject({ wishes: { i: 5 }, builds: { i: [{ oid: 'b1' }] } });
  await read(createRecord({ askedAt: clock.now(), builds: [createBuildSeenAt(1)] }));
  coordinator.setState('i', [createBuildSeenAt(1)], undefined);
  const { wishes, builds } = await announce();
  expect([wishes, builds]).toEqual([{}, { i: [] }]);
  clock.skip(heartbeatMs - 1);
  expect(await announce()).toBeNull();
  clock.skip(1);
  expect(await announce()).toMatchObject({ beat: clock.now() });
  clock.shiftSystemTime(-heartbeatMs);
  expect(await announce()).toMatchObject({ beat: clock.now() });
});

test('the next heartbeat is due when the interval has passed, and none after the window left or was closed', async () => {
  const { clock, disk, coordinator } = openCoordinator();
  coordinator.join('i', false);
  await coordinator.announce();
  expect([clock.nextDelay, clock.timerCount]).toEqual([heartbeatMs, 1]);
  clock.skip(1_000);
  await coordinator.announce();
  expect([clock.nextDelay, clock.timerCount]).toEqual([heartbeatMs - 1_000, 1]);
  coordinator.leave('i');
  await coordinator.announce();
  expect([disk.files.size, clock.timerCount]).toEqual([0, 0]);
  coordinator.join('i', false);
  await coordinator.announce();
  coordinator.dispose();
  await coordinator.announce();
  expect([disk.files.size, clock.timerCount]).toEqual([0, 0]);
});

test('a record without builds is written only over an earlier one', async () => {
  const { disk, coordinator } = openCoordinator();
  await coordinator.publish(createRecord({ leader: 'w1' }));
  expect([disk.files.size, coordinator.isRecordedLeader('i')]).toEqual([0, false]);
  await coordinator.publish(createRecord({ leader: 'w1', builds: [createBuildSeenAt(1)] }));
  expect([disk.files.size, coordinator.isRecordedLeader('i')]).toEqual([1, true]);
  await coordinator.publish(createRecord({ leader: 'w2' }));
  expect(coordinator.records).toEqual([createRecord({ leader: 'w2' })]);
  expect([...disk.files.values()].map((text) => JSON.parse(text).leader)).toEqual(['w2']);
});

test('a full disk is logged with the kind of the file, and a failed round does not stop the next one', async () => {
  const [disk, log] = [new MemoryFolder(), new MemoryLog()];
  const { coordinator } = openCoordinator({ disk, log });
  disk.isFull = true;
  coordinator.join('i', false);
  await coordinator.announce();
  await coordinator.publish(createRecord({ builds: [createBuildSeenAt(1)] }));
  const tasks: string[] = [];
  await coordinator.enqueueRound(async () => {
    throw new Error('first');
  });
  await coordinator.enqueueRound(async () => void tasks.push('second'));
  coordinator.dispose();
  await coordinator.enqueueRound(async () => void tasks.push('after the end'));
  expect(tasks).toEqual(['second']);
  expect(log.entries.map(({ level, fields }) => [level, fields?.['file'], fields?.['reason']])).toEqual([
    ['warn', 'status', 'Error: No space left on the device'],
    ['warn', 'record', 'Error: No space left on the device'],
    ['error', undefined, 'Error: first'],
  ]);
});

test('a locked folder is logged once, and again only after it could be read', async () => {
  const [disk, log] = [new MemoryFolder(), new MemoryLog()];
  const { coordinator, read } = openCoordinator({ disk, log });
  const countWarnings = async (isLocked: boolean): Promise<number> => {
    disk.isLocked = isLocked;
    await read();
    return log.entries.length;
  };
  expect([await countWarnings(true), await countWarnings(true)]).toEqual([1, 1]);
  expect([await countWarnings(false), await countWarnings(true), await countWarnings(true)]).toEqual([
    1, 2, 2,
  ]);
  expect(log.entries).toMatchObject([{ level: 'warn' }, { level: 'warn' }]);
  coordinator.dispose();
});

test('only files with the name of a status or of a record are read', () => {
  const [record, status] = [createRecord({}), createStatus({})].map((file) => JSON.stringify(file));
  assert(record !== undefined && status !== undefined);
  const names = ['builds-1.json', 'window-1.json', 'other.json', 'xbuilds-1.json', 'xwindow-1.json'];
  const read = (text: string) => new SharedFileReader().read(new Map(names.map((name) => [name, text])));
  expect(read(record)).toEqual({ windows: [], records: [createRecord({})] });
  expect(read(status)).toEqual({ windows: [createStatus({})], records: [] });
  const reader = new SharedFileReader();
  const [first, again, changed] = [record, record, `${record} `].map(
    (text) => reader.read(new Map([['builds-1.json', text]])).records[0],
  );
  expect(again).toBe(first);
  expect(changed).not.toBe(first);
});
