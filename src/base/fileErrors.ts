import { createMessage, type Message } from './localize.ts';

/** Returns the code of a system error, such as `EACCES`: the error's own message may contain paths of the machine. */
export const getErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';

/** Says in a sentence why the system couldn't read or write a file, and what to do, with the code to search for. */
export function describeFileError(code: string): Message {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return createMessage(
        "You don't have permission ({0}). Check the owner and the permissions of the file and its folder.",
        code,
      );
    case 'EROFS':
      return createMessage('The file system is read-only ({0}). Use another folder.', code);
    case 'ENOSPC':
    case 'EDQUOT':
      return createMessage('The disk is full ({0}).', code);
    case 'ENOENT':
      return createMessage("The file or its folder doesn't exist ({0}).", code);
    case 'EISDIR':
      return createMessage("It's a folder, not a file ({0}).", code);
    case 'ENOTDIR':
      return createMessage('Part of its path is a file, not a folder ({0}).', code);
    case 'ENAMETOOLONG':
      return createMessage('Its path is too long ({0}).', code);
    case 'EMFILE':
    case 'ENFILE':
      return createMessage('Too many files are open ({0}). Try again.', code);
    case 'EBUSY':
      return createMessage('Another program is using it ({0}). Close that program and try again.', code);
    default:
      return createMessage('The system reports: {0}.', code);
  }
}
