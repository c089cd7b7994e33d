import { expect, test } from 'vitest';
import { createRawNumber } from '../../../src/base/json.ts';
import { readViewpointStatus } from '../../../src/contract/viewpointStatus.ts';

test.each([
  [{ status: 'ok', enabled: true, release: 'L2023.11' }, 'status: ok, enabled: true, release: L2023.11'],
  [{ uptime: createRawNumber('12'), details: { ready: false } }, 'uptime: 12'],
  ['OK', 'status: OK'],
  [undefined, ''],
  [null, ''],
  [[], ''],
  [{ notes: 'not down for maintenance' }, 'notes: not down for maintenance'],
] as const)('%j is ready: %s', (body, summary) => {
  expect(readViewpointStatus(body)).toEqual({ isReady: true, summary });
});

test.each([
  { status: 'ok', enabled: false },
  { isReady: false },
  { status: 'DOWN' },
  { state: 'starting up' },
  { health: 'Not healthy' },
  'unavailable',
  false,
])('%j is not ready', (body) => {
  expect(readViewpointStatus(body).isReady).toBe(false);
});

test('a long text is truncated', () => {
  expect(readViewpointStatus({ status: 'x'.repeat(1000) }).summary.length).toBeLessThan(150);
});
