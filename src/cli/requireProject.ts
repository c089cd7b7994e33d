import { readdir } from 'node:fs/promises';
import { projectFolders } from '../project/paths.ts';
import { projectFileName } from '../project/projectFileName.ts';
import { CommandRefusedError } from './exitCodes.ts';

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
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new CommandRefusedError(
      code === 'ENOENT'
        ? 'The folder of the project does not exist.'
        : `Can't read the folder of the project (${code}).`,
    );
  }
  if (!expected.some((name) => names.includes(name))) {
    throw new CommandRefusedError(
      'The folder is not a project. Expected: datamodel-studio.json, or a folder such as datamodels.',
    );
  }
}
