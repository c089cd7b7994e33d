import { type Message, MessageError, createMessage } from '../../base/localize.ts';
import type { ProcessState, RecordedProcess } from './processIdentity.ts';

/** Whether the user knows that the process of an operation has ended, although that can't be found out here. */
export interface TakeOverOptions {
  readonly takesOver?: boolean | undefined;
}

/** Who works on an operation, or has reserved a connection. */
export interface ClaimHolder {
  readonly state: ProcessState;
  /** `undefined` if the claim can't be read. */
  readonly owner?: RecordedProcess;
  /** The file of the claim, unless its process is known to be running. Absent if only a journal says so. */
  readonly path?: string;
}

/** Thrown if another process is working on the operation, or has reserved the connection. */
export class ClaimedError extends MessageError {
  override readonly name = 'ClaimedError';

  readonly holder: ClaimHolder;

  constructor(holder: ClaimHolder = { state: 'running' }) {
    super(describeHolder(holder));
    this.holder = holder;
  }
}

/** Says what to do. A claim whose process may have been killed is deleted only by the user. */
function describeHolder({ state, owner, path }: ClaimHolder): Message {
  if (state === 'running' || path === undefined) {
    return createMessage('A change to this instance is already in progress. Try again when it has ended.');
  }
  if (owner === undefined) {
    return createMessage('A change to this instance may be in progress. If there is none, delete {0}.', path);
  }
  return state === 'exists'
    ? createMessage(
        'Process {0} may be making a change to this instance. Try again when it has ended. If that process belongs to another program, delete {1}.',
        owner.pid,
        path,
      )
    : createMessage(
        'Process {0} on {1} may still be making a change to this instance. If it is no longer running, delete {2}.',
        owner.pid,
        owner.host ?? '',
        path,
      );
}
