import type { Operation, OperationCause, Write } from './operation.ts';

/** Where something is done: the connection, and what leads to it there, from the outside in. */
export interface OperationLocation {
  readonly connectionId: string;
  readonly within: readonly string[];
}

/** Something that is done to the resource of that name, in one or several requests. */
export const createOperation = (
  { connectionId, within }: OperationLocation,
  cause: OperationCause,
  name: string,
  writes: readonly Write[],
): Operation => ({ connectionId, cause, subject: { name, within }, writes });
