import { describeFileError, getErrorCode } from '../base/fileErrors.ts';
import { english, formatMessage } from '../base/localize.ts';

/** Formats a sentence with the reason why a file couldn't be read or written, and what to do. */
export const formatFileError = (error: unknown): string =>
  formatMessage(english, describeFileError(getErrorCode(error)));

/**
 * Returns the path of the file or folder that an error of the file system is about; `undefined` for any other error.
 */
export const getFileErrorPath = (error: unknown): string | undefined =>
  error instanceof Error &&
  'syscall' in error &&
  !String(error.syscall).startsWith('spawn') &&
  'path' in error &&
  typeof error.path === 'string'
    ? error.path
    : undefined;
