import type { ErrorCode, Remedy } from './errorCodes.ts';
import { ApiError, CancelledError } from './errors.ts';
import type { Operation } from './operation.ts';

/** Why the client itself ends what is under way: its connection was closed, changed, or is made anew. */
export class ClientClosed extends Error {
  override readonly name = 'ClientClosed';
}

/** The connection was closed or changed while the operation was under way; nobody had asked for that to end. */
export class ConnectionClosedError extends ApiError {
  override readonly name = 'ConnectionClosedError';
  readonly code: ErrorCode = 'connection-closed';
  readonly remedy: Remedy;

  constructor(operation: Operation, facts: { sent: boolean; cause?: unknown }) {
    super(operation, 'broke off: the connection was closed', {
      cause: facts.cause,
      mayHaveHappened: facts.sent,
    });
    this.remedy = this.mayHaveHappened ? 'look-before-repeating' : 'repeat';
  }
}

/** What an operation ends with whose signal has aborted, by who aborted it. */
export const brokenOff = (
  operation: Operation,
  facts: { sent: boolean; cause?: unknown },
): CancelledError | ConnectionClosedError =>
  facts.cause instanceof ClientClosed
    ? new ConnectionClosedError(operation, facts)
    : new CancelledError(operation, facts);
