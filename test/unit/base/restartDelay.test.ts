import { expect, test } from 'vitest';
import { RestartDelay } from '../../../src/base/restartDelay.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

test('each failure in a row doubles the wait, up to a minute', () => {
  const clock = new FakeClock();
  const delay = new RestartDelay(clock);
  const delays = Array.from({ length: 8 }, () => {
    delay.recordStart();
    const milliseconds = delay.recordFailure();
    expect(delay.isWaiting).toBe(true);
    clock.skip(milliseconds - 1);
    expect(delay.isWaiting).toBe(true);
    clock.skip(1);
    expect(delay.isWaiting).toBe(false);
    return milliseconds / 1000;
  });
  expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
});

test('after a minute without a failure, the wait starts at one second again', () => {
  const clock = new FakeClock();
  const delay = new RestartDelay(clock);
  delay.recordStart();
  delay.recordFailure();
  delay.recordStart();
  expect(delay.recordFailure()).toBe(2000);
  delay.recordStart();
  clock.skip(60_000);
  expect(delay.recordFailure()).toBe(1000);
});
