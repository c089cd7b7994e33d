import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';

/** A scalar function of the dialect. */
export interface DialectFunction {
  /** How many arguments it takes. */
  readonly arity: readonly [least: number, most: number];
  /** False when it gets to see nulls; else one null argument makes null. */
  readonly strict?: false;
  /** True when it may answer differently for the same arguments. */
  readonly volatile?: true;
  readonly apply: (args: readonly SQLOutputValue[]) => SQLInputValue;
}

export type DialectFunctions = Readonly<Record<string, DialectFunction>>;

/** A function of strings and numbers that is null where an argument is. */
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

/** The number that a value is or reads as. @throws Error for a text that is no number. */
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

/** True as SQL conditions see it. */
export function isTruthy(value: SQLOutputValue | undefined): boolean {
  return value !== null && value !== undefined && Number(value) !== 0 && !Number.isNaN(Number(value));
}
