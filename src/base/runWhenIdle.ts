import { type Clock, delay } from './clock.ts';
import type { Disposable } from './disposable.ts';

/** The pause before each task, in which all waiting work runs first. */
const pauseMs = 50;
/** A timer that is later than this was delayed by other work. */
const toleranceMs = 10;
/** After so many late timers in a row, the next task runs although the process is busy. */
const maxLateTimers = 20;

/**
 * Runs tasks one after another, each as soon as the process has nothing else to do, or after a time even if it is busy.
 * A task that fails does not stop the others.
 * @returns a disposable that stops before the next task
 */
export function runWhenIdle(
  tasks: readonly (() => Promise<unknown>)[],
  { clock, onError }: { readonly clock: Clock; readonly onError: (error: unknown) => void },
): Disposable {
  const controller = new AbortController();
  const run = async (): Promise<void> => {
    for (const task of tasks) {
      await waitUntilIdle(clock, controller.signal);
      try {
        await task();
      } catch (error) {
        onError(error);
      }
    }
  };
  run().catch((error: unknown) => {
    if (!controller.signal.aborted) {
      onError(error);
    }
  });
  return { dispose: () => controller.abort() };
}

/** Waits until a timer runs on time, or until {@link maxLateTimers} were late. */
async function waitUntilIdle(clock: Clock, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < maxLateTimers; attempt += 1) {
    const startTime = clock.now();
    await delay(clock, pauseMs, signal);
    if (clock.now() - startTime - pauseMs <= toleranceMs) {
      return;
    }
  }
}
