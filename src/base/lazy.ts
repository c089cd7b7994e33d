/** Creates a value on first use and caches it. Failures are not cached, so the next use tries again. */
export function lazy<T>(create: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined;
  return () => {
    cached ??= create().catch((error: unknown) => {
      cached = undefined;
      throw error;
    });
    return cached;
  };
}
