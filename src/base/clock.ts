import { type Disposable, toDisposable } from './disposable.ts';

/** The product's source of time; tests use a fake one. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs the callback once after `delayMs`, capped at 2³¹−1; disposing the returned value cancels it. */
  schedule(delayMs: number, callback: () => void): Disposable;
}

const maxTimeoutMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(delayMs, callback) {
    // With a longer delay, Node would run the callback immediately.
    const timer = setTimeout(callback, Math.min(delayMs, maxTimeoutMs));
    return toDisposable(() => clearTimeout(timer));
  },
};

/** Resolves after `delayMs`; rejects with the signal's reason as soon as it aborts. */
export function delay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      timer.dispose();
      reject(signal?.reason);
    };
    const timer = clock.schedule(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
