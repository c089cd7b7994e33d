import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { platform } from 'node:os';
import { describe, expect, test } from 'vitest';
import {
  type ProcessTable,
  getProcessState,
  identifyProcess,
  isSameProcess,
} from '../../../../src/changes/journal/processIdentity.ts';

const createStatus = (pid: number, start: string, state = 'S') =>
  `${pid} (a) b (c) ${state} ${Array.from({ length: 18 }, () => '0').join(' ')} ${start} 0 0`;

/** The processes of a computer with Linux: this one, and another one with the ID 7. */
const createTable = (
  files: Readonly<Record<string, string | undefined>> = {},
  values: Partial<ProcessTable> = {},
): ProcessTable => {
  const known: Readonly<Record<string, string | undefined>> = {
    '/etc/machine-id': 'machine-1\n',
    '/proc/self/ns/pid': 'pid:[1]',
    '/proc/sys/kernel/random/boot_id': 'boot-1\n',
    '/proc/self/stat': createStatus(5, '500'),
    '/proc/7/stat': createStatus(7, '700'),
    ...files,
  };
  const read = (path: string) => known[path];
  return {
    pid: 5,
    host: 'host-1',
    exists: (pid) => pid === 5 || pid === 7,
    readText: read,
    readLink: read,
    ...values,
  };
};
const getState = (recorded: Parameters<typeof getProcessState>[0], table = createTable()) =>
  getProcessState(recorded, identifyProcess(table), table);
const { machine } = identifyProcess(createTable());
const other = { pid: 7, host: 'host-1', namespace: 'pid:[1]', machine, boot: 'boot-1', start: '700' };

test('a process is identified by its host, its namespace, its computer, and its start', () => {
  expect(identifyProcess(createTable())).toEqual({
    pid: 5,
    host: 'host-1',
    namespace: 'pid:[1]',
    // The ID itself is confidential.
    machine: expect.stringMatching(/^[0-9a-f]{32}$/),
    boot: 'boot-1',
    start: '500',
  });
});

test('a process is identified by its host alone on other systems', () => {
  const table = createTable({}, { readText: () => undefined, readLink: () => undefined });
  expect(identifyProcess(table)).toEqual({ pid: 5, host: 'host-1' });
});

test('a start time is not taken from the processes of another container', () => {
  const table = createTable({ '/proc/self/stat': createStatus(4711, '500') });
  expect(identifyProcess(table)).not.toHaveProperty('start');
  expect(getState(other, table)).toBe('id-in-use');
});

describe('the state of a process', () => {
  test.each([
    ['running', 'it has the recorded start', {}],
    ['ended', 'its ID belongs to a later process', { start: '699' }],
    ['ended', 'the computer was restarted', { boot: 'boot-0' }],
    ['ended', 'no process has its ID', { pid: 8 }],
    ['unknown', 'it ran on another computer', { host: 'host-2' }],
    ['unknown', 'it ran on another computer that was started at another time', { host: 'host-2', boot: 'x' }],
    ['unknown', 'it ran on another computer with the same name', { machine: 'x', boot: 'boot-0' }],
    ['unknown', 'only its start is known to differ', { machine: undefined, boot: 'boot-0' }],
    ['unknown', 'it ran in another container', { namespace: 'pid:[2]' }],
    ['unknown', 'it ran in another container with the same process ID', { namespace: 'pid:[2]', pid: 5 }],
  ] as const)('is %s if %s', (state, _when, values) => {
    expect(getState({ ...other, ...values })).toBe(state);
  });

  test('is judged by its ID if an earlier version has recorded it', () => {
    expect(getState({ pid: 7 })).toBe('id-in-use');
    expect(getState({ pid: 8 })).toBe('ended');
    expect(getState({ pid: 7, host: 'host-1' })).toBe('id-in-use');
    expect(getState({ pid: 7, host: 'host-2' })).toBe('unknown');
  });

  test('is judged by its ID if this system does not know more', () => {
    const table = createTable({}, { readText: () => undefined, readLink: () => undefined });
    expect(getState(other, table)).toBe('id-in-use');
    expect(getState({ ...other, pid: 8 }, table)).toBe('ended');
    expect(getState({ ...other, host: 'host-2' }, table)).toBe('unknown');
  });

  test.each(['Z', 'X'])('is "ended" if Linux keeps it only for its parent: %s', (letter) => {
    const table = createTable({ '/proc/7/stat': createStatus(7, '700', letter) });
    expect(getState(other, table)).toBe('ended');
    expect(getState({ pid: 7 }, table)).toBe('ended');
  });
});

test('two records identify the same process unless they have different values of a property', () => {
  expect(isSameProcess(other, other)).toBe(true);
  expect(isSameProcess(other, { pid: 7 })).toBe(true);
  expect(isSameProcess(other, { pid: 8 })).toBe(false);
  for (const name of ['host', 'namespace', 'boot', 'start']) {
    expect(isSameProcess(other, { ...other, [name]: 'x' })).toBe(false);
  }
});

test('this process is found, and one that does not exist is not', () => {
  const self = identifyProcess();
  expect(getProcessState(self)).toBe(self.start === undefined ? 'id-in-use' : 'running');
  expect(getProcessState({ pid: process.ppid })).toBe('id-in-use');
  expect(getProcessState({ pid: 999_999_999 })).toBe('ended');
});

test.skipIf(platform() !== 'linux')(
  'a process that was killed has ended, even if its parent never asks for its end',
  async () => {
    // `cat` replaces the shell that is the parent, and knows nothing of the other process.
    const parent = spawn('sh', ['-c', 'cat >&2 <&3 3<&- & echo $!; exec cat'], {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    try {
      const [output] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(output.toString());
      expect(getProcessState({ pid })).toBe('id-in-use');
      // Once `cat` responds, the shell is gone, which may have asked for the end of its own process.
      parent.stdin.write('?');
      await once(parent.stdout, 'data');
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => getProcessState({ pid })).toBe('ended');
      // The system keeps the ID of the killed process until its parent asks for its end.
      expect(process.kill(pid, 0)).toBe(true);
    } finally {
      parent.kill('SIGKILL');
    }
  },
);
