import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';

/** A scalar function of the platform's SQL dialect. */
export interface DialectFunction {
  /** Minimum and maximum number of arguments. */
  readonly arity: readonly [minimum: number, maximum: number];
  /** False if it handles null arguments itself; otherwise the result is null if any argument is null. */
  readonly strict?: false;
  /** True if it may return different results for the same arguments. */
  readonly volatile?: true;
  readonly apply: (args: readonly SQLOutputValue[]) => SQLInputValue;
}

export type DialectFunctions = Readonly<Record<string, DialectFunction>>;

/** Creates a function that returns null if any argument is null. */
export function createStrictFunction(
  arity: number | readonly [number, number],
  apply: (args: readonly SQLOutputValue[]) => SQLInputValue,
): DialectFunction {
  return { arity: typeof arity === 'number' ? [arity, arity] : arity, apply };
}

/** Converts a value to text as SQLite does: whole REAL numbers have a decimal point. */
export function toSqlText(value: SQLOutputValue | undefined): string {
  if (typeof value === 'number' && Number.isInteger(value)) {
    return Math.abs(value) < 1e15 ? value.toFixed(1) : String(value);
  }
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value);
}

/** Converts a value to a number. @throws Error for text that is not a number. */
export function toSqlNumber(value: SQLOutputValue | undefined): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isNaN(number)) {
    throw new Error(`"${toSqlText(value)}" isn't a number`);
  }
  return number;
}

const maxInteger = 2n ** 63n - 1n;

/** Returns an integer that SQLite can store; one beyond 64 bits becomes a double, as in SQLite's own arithmetic. */
export function toSqlInteger(value: bigint): bigint | number {
  return value > maxInteger || value < -maxInteger - 1n ? Number(value) : value;
}

/** Returns true if SQL conditions treat the value as true. */
export function isTruthy(value: SQLOutputValue | undefined): boolean {
  return value !== null && value !== undefined && Number(value) !== 0 && !Number.isNaN(Number(value));
}
