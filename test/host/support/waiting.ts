const defaultTimeoutMs = 20_000;
const pollMs = 10;

/**
 * Waits until `find` returns a value other than `undefined`, `null` and `false`. It polls, since the editor has no event
 * for most of what it shows.
 * @param describeFailure returns the message of the error: what did not appear, and what there is instead
 * @throws Error after the timeout, or the last error of `find`
 */
export async function waitFor<T>(
  find: () => T | Promise<T>,
  describeFailure: () => string,
  timeoutMs: number = defaultTimeoutMs,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    let failure: unknown;
    try {
      const found = await find();
      if (found !== undefined && found !== null && found !== false) {
        return found;
      }
    } catch (error) {
      failure = error;
    }
    if (performance.now() > deadline) {
      throw failure ?? new Error(`${describeFailure()} (waited ${timeoutMs} ms)`);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, pollMs);
    });
  }
}
