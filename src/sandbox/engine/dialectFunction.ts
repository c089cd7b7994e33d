import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';

/** A scalar function of the dialect. */
export interface DialectFunction {
  /** Minimum and maximum number of arguments. */
  readonly arity: readonly [least: number, most: number];
  /** False if it handles nulls itself; otherwise one null argument makes the result null. */
  readonly strict?: false;
  /** True if it may return different results for the same arguments. */
  readonly volatile?: true;
  readonly apply: (args: readonly SQLOutputValue[]) => SQLInputValue;
}

export type DialectFunctions = Readonly<Record<string, DialectFunction>>;

/** Creates a function of strings and numbers that returns null if an argument is null. */
export function createStrictFunction(
  arity: number | readonly [number, number],
  apply: (args: readonly SQLOutputValue[]) => SQLInputValue,
): DialectFunction {
  return { arity: typeof arity === 'number' ? [arity, arity] : arity, apply };
}

/** The text of a value as SQLite prints it. */
export function toSqlText(value: SQLOutputValue | undefined): string {
  if (typeof value === 'number' && Number.isInteger(value)) {
    return Math.abs(value) < 1e15 ? value.toFixed(1) : String(value);
  }
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value);
}

/** The number that a value is or can be read as. @throws Error for a text that is not a number. */
export function toSqlNumber(value: SQLOutputValue | undefined): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isNaN(number)) {
    throw new Error(`"${toSqlText(value)}" is not a number`);
  }
  return number;
}

const maxInteger = 2n ** 63n - 1n;

/** A whole number for SQLite; one beyond 64 bits becomes a double, as SQLite's own arithmetic does. */
export function toSqlInteger(value: bigint): bigint | number {
  return value > maxInteger || value < -maxInteger - 1n ? Number(value) : value;
}

/** True if SQL conditions treat the value as true. */
export function isTruthy(value: SQLOutputValue | undefined): boolean {
  return value !== null && value !== undefined && Number(value) !== 0 && !Number.isNaN(Number(value));
}
