import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeFileError, getErrorCode } from '../../base/fileErrors.ts';
import { createMessage } from '../../base/localize.ts';
import { formatJsonFile } from '../files/jsonFile.ts';
import { projectFileName } from '../projectFileName.ts';
import {
  type Environment,
  type ProjectSettings,
  formatProjectSettings,
  getEnvironmentPath,
} from '../settings/projectSettings.ts';
import { ProjectWriteError } from './writeProjectFiles.ts';

/**
 * Writes the settings of a new project, unless the file already exists.
 * @throws ProjectWriteError
 */
export const writeNewSettings = (folder: string, settings: ProjectSettings): Promise<void> =>
  writeNewFile(folder, projectFileName, formatProjectSettings(settings));

/**
 * Writes a new environment, unless its file already exists.
 * @throws ProjectWriteError
 */
export function writeNewEnvironment(folder: string, { name, url, role, tenant }: Environment): Promise<void> {
  const content = { url, role, ...(tenant === undefined ? {} : { tenant }) };
  return writeNewFile(folder, getEnvironmentPath(name), formatJsonFile(content));
}

/** Writes a file of a project, whose folder must exist, unless the file already exists. */
async function writeNewFile(folder: string, path: string, text: string): Promise<void> {
  try {
    await ignoreExisting(path.includes('/') ? mkdir(join(folder, dirname(path))) : Promise.resolve());
    await ignoreExisting(writeFile(join(folder, path), text, { flag: 'wx' }));
  } catch (error) {
    throw new ProjectWriteError(
      'failed',
      path,
      createMessage("Can't write {0}. {1}", path, describeFileError(getErrorCode(error))),
    );
  }
}

async function ignoreExisting(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (getErrorCode(error) !== 'EEXIST') {
      throw error;
    }
  }
}
