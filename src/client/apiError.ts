import type { ErrorCode, Remedy } from './errorCodes.ts';
import { type Operation, isWrite, operationLine } from './operation.ts';

const withCause = (cause: unknown): ErrorOptions | undefined => (cause === undefined ? undefined : { cause });

/**
 * The base of all that a method of the client rejects with. The message is for logs: it names the operation and
 * carries no token, query value or body. A person reads what the shell makes of `code`, `remedy` and the fields
 * (see `describeError`).
 */
export abstract class ApiError extends Error {
  readonly operation: Operation;
  abstract readonly code: ErrorCode;
  /** What may help, as a code. */
  abstract readonly remedy: Remedy;
  /** True when a write may have taken effect although it failed here: look before you repeat it. */
  readonly mayHaveHappened: boolean;

  constructor(
    operation: Operation,
    what: string,
    facts: { cause?: unknown; mayHaveHappened?: boolean } = {},
  ) {
    super(`${operationLine(operation)} ${what}`, withCause(facts.cause));
    this.operation = operation;
    this.mayHaveHappened = isWrite(operation) && facts.mayHaveHappened === true;
  }
}
