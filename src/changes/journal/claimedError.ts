import { MessageError, createMessage } from '../../base/localize.ts';
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
    super(createMessage("A change to this instance is already in progress. Try again when it's finished."));
    this.holder = holder;
  }
}
