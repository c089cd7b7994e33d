import { getLimitMessage } from './resourceLimits.ts';

/**
 * An error in the datamodel or its data that makes a build fail. Its message is shown to the user.
 */
export class BuildError extends Error {
  override readonly name = 'BuildError';
  /** Name of the table that caused the error, if there is one. */
  readonly table: string | undefined;

  constructor(message: string, table?: string, options?: ErrorOptions) {
    super(message, options);
    this.table = table;
  }
}

/** Returns the message of a thrown value as shown to the user; exceeded limits get their own message. */
export function getErrorMessage(error: unknown): string {
  return getLimitMessage(error) ?? (error instanceof Error ? error.message : String(error));
}

/** Runs a step of a table's build. Rethrows any error as a BuildError that names the table. */
export function attributeErrorsToTable<T>(table: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof BuildError) {
      throw error.table === undefined ? new BuildError(error.message, table, { cause: error }) : error;
    }
    throw new BuildError(getErrorMessage(error), table, { cause: error });
  }
}
