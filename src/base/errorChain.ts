/** Maximum number of errors in a chain: an error may be its own cause. */
const maxLength = 5;

/** Returns the error, its cause, the cause of that, and so on; of an `AggregateError`, only the first error counts. */
export function getErrorChain(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  let current = error;
  while (current instanceof Error && chain.length < maxLength) {
    chain.push(current);
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return chain;
}
