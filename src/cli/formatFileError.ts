import { describeFileError, getErrorCode } from '../base/fileErrors.ts';
import { english, formatMessage } from '../base/localize.ts';

/** Says in a sentence why the system couldn't read or write a file, and what to do. */
export const formatFileError = (error: unknown): string =>
  formatMessage(english, describeFileError(getErrorCode(error)));

/** Returns the path of a file or folder that the system refused to use; `undefined` for any other error. */
export const getRefusedPath = (error: unknown): string | undefined =>
  error instanceof Error &&
  'syscall' in error &&
  !String(error.syscall).startsWith('spawn') &&
  'path' in error &&
  typeof error.path === 'string'
    ? error.path
    : undefined;
