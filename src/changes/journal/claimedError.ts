import { MessageError, createMessage } from '../../base/localize.ts';
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
    super(createMessage('A change to this instance is already in progress. Try again when it has ended.'));
    this.holder = holder;
  }
}
