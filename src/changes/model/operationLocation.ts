import type { Operation, OperationCause, Write } from './operation.ts';

/** Where an operation takes place: the connection, and the names of the containers, outermost first. */
export interface OperationLocation {
  readonly connectionId: string;
  readonly within: readonly string[];
}

/** Creates an operation on the resource with this name. */
export const createOperation = (
  { connectionId, within }: OperationLocation,
  cause: OperationCause,
  name: string,
  writes: readonly Write[],
): Operation => ({ connectionId, cause, subject: { name, within }, writes });
