const waitMs = 20_000;
const pollMs = 10;

/**
 * Waits until `find` returns something, as a person looks until it is there. What the editor does has no event for
 * each of its effects, so this asks again and again.
 * @param what returns the message of the error: what did not appear, and what there is instead
 * @throws Error when the time is over, or the last error of `find`
 */
export async function waitFor<T>(
  find: () => T | Promise<T>,
  what: () => string,
  timeoutMs: number = waitMs,
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
      throw failure ?? new Error(`${what()} (waited ${timeoutMs} ms)`);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, pollMs);
    });
  }
}
