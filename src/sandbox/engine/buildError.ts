import { getLimitMessage } from './resourceLimits.ts';

/** What makes a build fail: the model or its data, never the machinery. Carries the words that a person reads. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
  /** Name of the table to blame, where there is one. */
  readonly table: string | undefined;

  constructor(message: string, table?: string, options?: ErrorOptions) {
    super(message, options);
    this.table = table;
  }
}

/** The words of anything thrown, as a person would read them. */
export function getErrorMessage(error: unknown): string {
  return getLimitMessage(error) ?? (error instanceof Error ? error.message : String(error));
}

/** Runs a step of one table; what SQLite or the reader throws is blamed on that table, in its own words. */
export function withTableBlamed<T>(table: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof BuildError) {
      throw error.table === undefined ? new BuildError(error.message, table, { cause: error }) : error;
    }
    throw new BuildError(getErrorMessage(error), table, { cause: error });
  }
}
