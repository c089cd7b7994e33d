import { readdir } from 'node:fs/promises';
import { readProject } from '../files/readProject.ts';
import { getErrorCode } from '../files/readTextFile.ts';
import { projectFolders } from '../paths.ts';
import { projectFileName } from '../settings/projectSettings.ts';
import { checkContents } from './checkContents.ts';
import { checkReferences } from './checkReferences.ts';
import { checkSettings } from './checkSettings.ts';
import { type Finding, sortFindings } from './finding.ts';
import { ProjectNames } from './projectNames.ts';

/** The folder of a project can't be listed. */
export class UnreadableFolderError extends Error {
  override readonly name = 'UnreadableFolderError';

  constructor(code: string) {
    super(`Can't read the folder of the project (${code}).`);
  }
}

/**
 * Finds what is wrong with the files of a project, without an instance. What follows from a file that could not be read
 * is not reported.
 * @returns `undefined` if the folder is no project
 * @throws UnreadableFolderError
 */
export async function validateProject(folder: string): Promise<readonly Finding[] | undefined> {
  if (!(await isProject(folder))) {
    return undefined;
  }
  const [settings, project] = await Promise.all([checkSettings(folder), readProject(folder)]);
  const names = new ProjectNames(project, settings.selection);
  return sortFindings([
    ...settings.findings,
    ...project.problems.map(
      (problem): Finding => ({ ...problem, code: `project/${problem.code}`, subject: problem.message }),
    ),
    ...project.items.flatMap((item) => [...checkReferences(item, names), ...checkContents(item, names)]),
  ]);
}

/** @throws UnreadableFolderError */
async function isProject(folder: string): Promise<boolean> {
  const { datamodels, viewpoints, cubeSets, customData } = projectFolders;
  const expected = [projectFileName, datamodels, viewpoints, cubeSets, customData];
  try {
    const names = await readdir(folder);
    return expected.some((name) => names.includes(name));
  } catch (error) {
    const code = getErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return false;
    }
    throw new UnreadableFolderError(code);
  }
}
