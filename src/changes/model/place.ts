import type { Operation, OperationCause, Write } from './operation.ts';

/** Where something is done: the connection, and what leads to it there, from the outside in. */
export interface Place {
  readonly connectionId: string;
  readonly within: readonly string[];
}

/** Something that is done to the resource of that name, in one or several requests. */
export const operationAt = (
  { connectionId, within }: Place,
  cause: OperationCause,
  name: string,
  writes: readonly Write[],
): Operation => ({ connectionId, cause, subject: { name, within }, writes });
