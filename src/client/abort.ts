import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';

/** An abort signal that combines other signals and a timeout. */
export interface CombinedSignal extends Disposable {
  /** Aborts when one of the signals aborts or the time runs out, whichever comes first. */
  readonly signal: AbortSignal;
  /** True if the signal was aborted because the time ran out. */
  readonly hasTimedOut: boolean;
}

/**
 * Combines signals and, with `timeoutMs`, a timer into one signal. Must be disposed, since the combined signals may
 * live longer.
 */
export function combineSignals(
  clock: Clock,
  signals: readonly (AbortSignal | undefined)[],
  timeoutMs?: number,
): CombinedSignal {
  const controller = new AbortController();
  let hasTimedOut = false;
  const unlinkers = signals.flatMap((signal) =>
    signal === undefined ? [] : [linkSignal(signal, controller)],
  );
  const timer =
    timeoutMs === undefined
      ? undefined
      : clock.schedule(timeoutMs, () => {
          hasTimedOut = !controller.signal.aborted;
          controller.abort();
        });
  return {
    signal: controller.signal,
    get hasTimedOut() {
      return hasTimedOut;
    },
    dispose() {
      timer?.dispose();
      for (const unlink of unlinkers) {
        unlink();
      }
    },
  };
}

function linkSignal(signal: AbortSignal, controller: AbortController): () => void {
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) {
    abort();
    return () => undefined;
  }
  signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}

/** Runs a task and rejects with the signal's reason as soon as it aborts, even if the task ignores its signal. */
export async function raceAbort<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const abortPromise = Promise.withResolvers<never>();
  const onAbort = (): void => abortPromise.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([task(), abortPromise.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Reads something, and retries once if the session was replaced meanwhile: a change of settings or a refresh closes the
 * client, which interrupts the reads of other callers.
 * @param read obtains the current client whenever it is called
 */
export async function retryOnSessionReplaced<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    // Compared by name, so that callers do not load the error classes.
    if (error instanceof Error && error.name === 'ConnectionClosedError') {
      return read();
    }
    throw error;
  }
}
