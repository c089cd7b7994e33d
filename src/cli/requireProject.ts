import { readdir } from 'node:fs/promises';
import { getErrorCode } from '../base/fileErrors.ts';
import { projectFolders } from '../project/paths.ts';
import { projectFileName } from '../project/projectFileName.ts';
import { CommandRefusedError } from './exitCodes.ts';
import { formatFileError } from './formatFileError.ts';

/**
 * Checks that a folder is a project.
 * @throws CommandRefusedError
 */
export async function requireProject(folder: string): Promise<void> {
  const { datamodels, viewpoints, cubeSets, customData } = projectFolders;
  const expected = [projectFileName, datamodels, viewpoints, cubeSets, customData];
  let names: readonly string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    throw new CommandRefusedError(
      getErrorCode(error) === 'ENOENT'
        ? 'The folder of the project does not exist.'
        : `Can't read the folder of the project. ${formatFileError(error)}`,
    );
  }
  if (!expected.some((name) => names.includes(name))) {
    throw new CommandRefusedError(
      'The folder is not a project. Expected: datamodel-studio.json, or a folder such as datamodels.',
    );
  }
}
