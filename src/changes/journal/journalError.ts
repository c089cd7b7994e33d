import { describeFileError, getErrorCode } from '../../base/fileErrors.ts';
import { MessageError, createMessage } from '../../base/localize.ts';

/** Thrown if a change can't be recorded, for example because the disk is full. Then nothing more must be sent. */
export class JournalError extends MessageError {
  override readonly name = 'JournalError';
  /** The code of the error of the system, such as `ENOSPC`. */
  readonly code: string;

  /** @param folder the folder of the journals */
  constructor(folder: string, cause: unknown) {
    const code = getErrorCode(cause);
    super(createMessage("The change can't be recorded in {0}. {1}", folder, describeFileError(code)));
    this.code = code;
    this.cause = cause;
  }
}
