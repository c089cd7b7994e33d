import { describeFileError, getErrorCode } from '../../base/fileErrors.ts';
import { type Message, createMessage } from '../../base/localize.ts';
import { findStrayFile } from './fileKinds.ts';

/** A file or folder that could not be read, or is not part of the project. */
export interface ReadFault {
  readonly path: string;
  readonly code:
    | 'ignored-file'
    | 'invalid-encoding'
    | 'misnamed-file'
    | 'misnamed-folder'
    | 'symbolic-link'
    | 'unreadable';
  readonly message: Message;
}

/**
 * Returns a fault if a file isn't part of the project although it has the extension of JSON or SQL: it was probably
 * meant to be part of it, or it is ignored. Returns an empty list for files of the project and for unrelated files.
 */
export function findNameFaults(path: string): readonly ReadFault[] {
  const stray = findStrayFile(path);
  if (stray === undefined) {
    return [];
  }
  const { isMisnamed, suffix } = stray;
  return [
    isMisnamed
      ? {
          path,
          code: 'misnamed-file',
          message:
            suffix === undefined
              ? createMessage(
                  "This file name doesn't have the extension of a project file. Rename it, or move it out of the folder.",
                )
              : createMessage(
                  'This file name doesn\'t have the extension of a project file. Did you mean "{0}"?',
                  suffix,
                ),
        }
      : createIgnoredFileFault(path),
  ];
}

export const createIgnoredFileFault = (path: string): ReadFault => ({
  path,
  code: 'ignored-file',
  message: createMessage("This file isn't part of the project and is ignored."),
});

export const createFolderNameFault = (path: string, intended: string): ReadFault => ({
  path,
  code: 'misnamed-folder',
  message: createMessage(
    'This folder contains project files, but doesn\'t have the name of a project folder. Did you mean "{0}"?',
    intended,
  ),
});

export const createLinkFault = (path: string): ReadFault => ({
  path,
  code: 'symbolic-link',
  message: createMessage("Symbolic links aren't followed. Expected: a file or a folder."),
});

export const createReadFault = (path: string, error: unknown): ReadFault => ({
  path,
  code: 'unreadable',
  message: createMessage("Can't read this file or folder. {0}", describeFileError(getErrorCode(error))),
});
