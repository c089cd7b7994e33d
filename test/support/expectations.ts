/**
 * Returns a value without `null` and `undefined` in its type.
 * @throws Error if it is null or undefined
 */
export function expectDefined<T>(value: T | null | undefined, what = 'It'): T {
  if (value === undefined || value === null) {
    throw new Error(`${what} is not there`);
  }
  return value;
}

/**
 * Returns a value as an instance of a class, such as an error that a call should reject with.
 * @throws Error if it is not an instance of the class, with the value as its cause
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
