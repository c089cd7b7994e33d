import { describe, expect, test } from 'vitest';
import { QuietMachine, getBusyShare } from '../../bench/harness/quietMachine.ts';

describe('the share of processor time in use', () => {
  const start = { idleMs: 1000, atMs: 0, processorCount: 2 };

  test.each([
    { idleMs: 2000, share: 0 },
    { idleMs: 1500, share: 0.25 },
    { idleMs: 0, share: 1 },
    // Idle time is counted in steps.
    { idleMs: 2010, share: 0 },
  ])('is $share if two processors were idle for $idleMs ms of one second', ({ idleMs, share }) => {
    expect(getBusyShare(start, { idleMs: 1000 + idleMs, atMs: 1000, processorCount: 2 })).toBe(share);
  });
});

/** Creates a check for a machine of one processor; `shares` are in use in each second. */
function createMachine(shares: readonly number[], maxWaitMs: number) {
  const messages: string[] = [];
  let second = 0;
  let idleMs = 0;
  const machine = new QuietMachine({
    maxWaitMs,
    print: (message) => messages.push(message),
    signal: new AbortController().signal,
    readIdleTime: () => ({ idleMs, atMs: second * 1000, processorCount: 1 }),
    wait: async (ms) => {
      idleMs += (1 - (shares[second] ?? 0)) * ms;
      second += 1;
    },
  });
  return { machine, messages, getSeconds: () => second };
}

test('a quiet machine is used after one check, without a message', async () => {
  const { machine, messages, getSeconds } = createMachine([0.05], 10_000);
  expect(await machine.waitUntilQuiet()).toBe(true);
  expect(messages).toEqual([]);
  expect(getSeconds()).toBe(1);
});

test('a busy machine is waited for, and one message says so', async () => {
  const { machine, messages, getSeconds } = createMachine([0.8, 0.5, 0.05], 10_000);
  expect(await machine.waitUntilQuiet()).toBe(true);
  expect(messages).toEqual(['Waiting for the machine to be quiet: 80 % of the processor time is in use.']);
  expect(getSeconds()).toBe(3);
});

test('all waits together take no longer than the time limit, and a message says when it is used up', async () => {
  const { machine, messages, getSeconds } = createMachine([0.8, 0.05, 0.8, 0.6, 0.4, 0.05], 2000);
  expect(await machine.waitUntilQuiet()).toBe(true);
  messages.length = 0;
  expect(await machine.waitUntilQuiet()).toBe(false);
  expect(messages).toEqual([
    'Waiting for the machine to be quiet: 80 % of the processor time is in use.',
    'The machine is not quiet: 60 % of the processor time is in use.',
  ]);
  // After the time limit, each wait takes a single check.
  expect(await machine.waitUntilQuiet()).toBe(false);
  expect(await machine.waitUntilQuiet()).toBe(true);
  expect(getSeconds()).toBe(6);
});
