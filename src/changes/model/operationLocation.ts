import type { Operation, OperationCause, Write } from './operation.ts';

/** The place of an action: the connection, and the containers there, outermost first. */
export interface OperationLocation {
  readonly connectionId: string;
  readonly within: readonly string[];
}

/** Creates an operation on the resource with that name, in one or several requests. */
export const createOperation = (
  { connectionId, within }: OperationLocation,
  cause: OperationCause,
  name: string,
  writes: readonly Write[],
): Operation => ({ connectionId, cause, subject: { name, within }, writes });
