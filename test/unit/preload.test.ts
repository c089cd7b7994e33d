import { expect, test } from 'vitest';
import { Emitter } from '../../src/base/event.ts';
import { type Log, silentLog } from '../../src/base/log.ts';
import type { Connection } from '../../src/connections/connection.ts';
import { preload } from '../../src/preload.ts';
import { FakeClock } from '../fakes/fakeClock.ts';

const connection: Connection = { id: 's', kind: 'sandbox', name: 'Sandbox', role: 'development' };

function startPreloading(all: readonly Connection[]) {
  const clock = new FakeClock();
  const onDidChange = new Emitter<void>();
  const connections = { all, onDidChange: onDidChange.event };
  const loaded: string[] = [];
  const errors: unknown[] = [];
  const log: Log = { ...silentLog, error: (...entry) => errors.push(entry) };
  const parts = [
    async () => loaded.push('tree'),
    () => Promise.reject(new Error('missing file')),
    async () => loaded.push('form'),
  ];
  const preloading = preload({ connections, clock, log }, parts);
  const addConnection = (): void => {
    connections.all = [connection];
    onDidChange.fire();
  };
  return { clock, loaded, errors, preloading, addConnection };
}

test('with a connection, everything is loaded; what fails is logged', async () => {
  const { clock, loaded, errors } = startPreloading([connection]);
  expect(loaded).toEqual([]);
  await clock.advance(50);
  await clock.advance(50);
  await clock.advance(50);
  expect(loaded).toEqual(['tree', 'form']);
  expect(errors).toEqual([['commands', 'Loading in advance failed', { reason: 'Error: missing file' }]]);
});

test('without a connection, nothing is loaded until there is one; then everything once', async () => {
  const { clock, loaded, addConnection } = startPreloading([]);
  await clock.advance(1000);
  expect(loaded).toEqual([]);
  addConnection();
  addConnection();
  await clock.advance(50);
  await clock.advance(50);
  await clock.advance(50);
  await clock.advance(1000);
  expect(loaded).toEqual(['tree', 'form']);
});

test('nothing more is loaded after deactivation', async () => {
  const { clock, loaded, preloading, addConnection } = startPreloading([connection]);
  await clock.advance(50);
  preloading.dispose();
  addConnection();
  await clock.advance(1000);
  expect(loaded).toEqual(['tree']);
});
