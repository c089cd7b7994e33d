/** SQLite's result codes: a full disk, a file that can't be written, a failed read or write, and a damaged file. */
const fullCode = 13;
const readOnlyCode = 8;
const inputOutputCode = 10;
const corruptCode = 11;

/**
 * Describes an error of the disk or of the state file to the user; `undefined` for any other error. A request that
 * fails with such an error has changed nothing, because each request is one transaction.
 */
export function describeStorageFailure(error: Error): string | undefined {
  const code: unknown = 'errcode' in error ? error.errcode : 'code' in error ? error.code : undefined;
  // The lowest byte of an extended result code is the primary code.
  switch (typeof code === 'number' ? code & 0xff : code) {
    case fullCode:
    case 'ENOSPC':
    case 'EDQUOT':
      return 'The disk of the sandbox is full. Nothing was changed. Free some space and try again.';
    case readOnlyCode:
    case inputOutputCode:
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'EIO':
      return "The data folder of the sandbox can't be written. Nothing was changed. Check its disk and its permissions.";
    case corruptCode:
      return 'The data of the sandbox is damaged. Stop the sandbox, delete its data folder, and start it again.';
    default:
      return undefined;
  }
}
