import { expect, test } from 'vitest';
import { electLeader, heartbeatTimeoutMs, isWindowAlive } from '../../../src/builds/leader.ts';
import type { InstanceRecord, WindowStatus } from '../../../src/builds/sharedRecords.ts';

const createWindow = (window: string, changes: Partial<WindowStatus> = {}): WindowStatus => ({
  window,
  since: 0,
  beat: 0,
  instances: ['i'],
  blocked: [],
  wishes: {},
  builds: {},
  ...changes,
});

const createRecord = (leader: string): InstanceRecord => ({
  instance: 'i',
  connectionId: 'c',
  leader,
  askedAt: 0,
  heardAt: 0,
  notBefore: 0,
  failures: 0,
  builds: [],
});

test('the oldest window that watches an instance leads, unless the recorded leader still does', () => {
  const windows = [
    createWindow('other', { since: 1, instances: ['j'] }),
    createWindow('young', { since: 9 }),
    createWindow('old', { since: 5 }),
  ];
  expect(electLeader('i', windows, undefined)).toBe('old');
  expect(electLeader('i', windows, createRecord('young'))).toBe('young');
  expect(electLeader('i', windows, createRecord('closed'))).toBe('old');
  expect(electLeader('i', windows, createRecord('other'))).toBe('old');
  expect(electLeader('k', windows, undefined)).toBeUndefined();
});

test('a window that cannot poll leads only if no window can', () => {
  const blockedWindow = createWindow('blocked', { since: 1, blocked: ['i'] });
  const blockedElsewhere = createWindow('blocked elsewhere', { since: 2, blocked: ['j'] });
  expect(electLeader('i', [blockedWindow, blockedElsewhere], createRecord('blocked'))).toBe(
    'blocked elsewhere',
  );
  expect(electLeader('i', [blockedWindow], undefined)).toBe('blocked');
});

test('of windows that were opened at the same time, each window elects the same leader', () => {
  const windows = ['b', 'a', 'c'].map((window) => createWindow(window));
  expect(electLeader('i', windows, undefined)).toBe('a');
  expect(electLeader('i', windows.toReversed(), undefined)).toBe('a');
});

test('a window counts as closed if its last heartbeat is too old, even if the clock was set back since', () => {
  const window = createWindow('w', { beat: 100_000 });
  const isAliveAfter = (ms: number): boolean => isWindowAlive(window, 100_000 + ms);
  expect([0, heartbeatTimeoutMs - 1, 1 - heartbeatTimeoutMs].map(isAliveAfter)).toEqual([true, true, true]);
  expect([heartbeatTimeoutMs, -heartbeatTimeoutMs].map(isAliveAfter)).toEqual([false, false]);
});
