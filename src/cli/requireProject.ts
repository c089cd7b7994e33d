import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { getErrorCode } from '../base/fileErrors.ts';
import { projectFolders } from '../project/paths.ts';
import { projectFileName } from '../project/projectFileName.ts';
import { quoteWord } from './commandHint.ts';
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
        ? "The --project folder doesn't exist."
        : `Can't read the project folder. ${formatFileError(error)}`,
    );
  }
  if (!expected.some((name) => names.includes(name))) {
    throw new CommandRefusedError(
      `The folder isn't a project. ${suggestProject(folder) ?? 'Expected: datamodel-studio.json, or a folder such as datamodels.'}`,
    );
  }
}

/**
 * Returns a suggestion to use the project that contains a folder, since commands need the folder of the project itself;
 * `undefined` if no project contains it.
 */
export function suggestProject(folder: string): string | undefined {
  const start = resolve(folder);
  for (let parent = dirname(start); parent !== dirname(parent); parent = dirname(parent)) {
    if (existsSync(join(parent, projectFileName))) {
      // A path such as `..` must not be followed by a period.
      return `It's inside a project: run the command with --project ${quoteWord(relative(process.cwd(), parent) || '.')} instead.`;
    }
  }
  return undefined;
}
