import { type Message, MessageError, createMessage } from '../../base/localize.ts';
import type { ProcessState, RecordedProcess } from './processIdentity.ts';

/** Options for taking over an operation from the process that has begun it. */
export interface TakeOverOptions {
  /** Set if the user confirms that the process has ended, when this computer can't check that. */
  readonly takesOver?: boolean | undefined;
}

/** The process that works on an operation, or has reserved a connection. */
export interface ClaimHolder {
  readonly state: ProcessState;
  /** `undefined` if the claim can't be read. */
  readonly owner?: RecordedProcess;
  /** The file of the claim. Absent if the process is known to be running, or is only recorded in a journal. */
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
    return createMessage('A change to this instance is already in progress. Try again when it has finished.');
  }
  if (owner === undefined) {
    return createMessage(
      'A change to this instance might be in progress. If there is none, delete {0}.',
      path,
    );
  }
  return state === 'id-in-use'
    ? createMessage(
        'Process {0} might be making a change to this instance. Try again when it has finished. If that process belongs to another program, delete {1}.',
        owner.pid,
        path,
      )
    : createMessage(
        'Process {0} on {1} might still be making a change to this instance. If it is no longer running, delete {2}.',
        owner.pid,
        owner.host ?? '',
        path,
      );
}
