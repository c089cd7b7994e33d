/**
 * Returns a value that a test needs.
 * @throws Error when it is missing
 */
export function defined<T>(value: T | null | undefined, what = 'It'): T {
  if (value === undefined || value === null) {
    throw new Error(`${what} is not there`);
  }
  return value;
}

/**
 * Returns a value as an instance of a class, such as an error that a call should reject with.
 * @throws Error when it is anything else, with the value as its cause
 */
export function expectInstance<T extends object>(
  value: unknown,
  expected: abstract new (...args: never[]) => T,
): T {
  if (!(value instanceof expected)) {
    throw new Error(`Expected a ${expected.name}, but got ${String(value)}`, { cause: value });
  }
  return value;
}
