import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { getErrorCode } from '../../base/fileErrors.ts';
import { createMessage } from '../../base/localize.ts';
import { projectFileName } from '../projectFileName.ts';
import { ProjectWriteError } from './writeProjectFiles.ts';

/**
 * Requires that a folder is still a project: someone may have deleted or moved it while an instance was read.
 * @throws ProjectWriteError
 */
export async function requireExistingProject(folder: string): Promise<void> {
  try {
    await access(join(folder, projectFileName));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(getErrorCode(error))) {
      throw new ProjectWriteError(
        'changed',
        projectFileName,
        createMessage('{0} no longer exists, so nothing was written.', projectFileName),
      );
    }
    throw error;
  }
}
