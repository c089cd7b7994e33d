import type { Clock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';

/** Whoever ends a process kills it soon after: GitHub Actions after 7.5 seconds, containers after 10. */
const gracePeriodMs = 5000;

/**
 * After an interruption, a request that is under way has some time to be answered; then its connection is closed, so
 * that there is time left to write down how far the change came. Dispose the answer when the change has ended.
 */
export function closeAfterGracePeriod(connection: Disposable, signal: AbortSignal, clock: Clock): Disposable {
  let timer: Disposable | undefined;
  const begin = (): void => {
    timer ??= clock.schedule(gracePeriodMs, () => connection.dispose());
  };
  signal.addEventListener('abort', begin, { once: true });
  if (signal.aborted) {
    begin();
  }
  return toDisposable(() => {
    signal.removeEventListener('abort', begin);
    timer?.dispose();
  });
}
