import type { Clock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';

/** Runners kill a process soon after asking it to end: GitHub Actions after 7.5 seconds, containers after 10. */
const gracePeriodMs = 5000;

/**
 * After an interruption, gives a request in progress some time to complete, then closes the connection, so that there
 * is time left to record how far the change got. Dispose the returned value when the change has ended.
 */
export function closeAfterGracePeriod(connection: Disposable, signal: AbortSignal, clock: Clock): Disposable {
  let timer: Disposable | undefined;
  const startTimer = (): void => {
    timer ??= clock.schedule(gracePeriodMs, () => connection.dispose());
  };
  signal.addEventListener('abort', startTimer, { once: true });
  if (signal.aborted) {
    startTimer();
  }
  return toDisposable(() => {
    signal.removeEventListener('abort', startTimer);
    timer?.dispose();
  });
}
