import { readdir } from 'node:fs/promises';
import { readProject } from '../files/readProject.ts';
import { projectFolders } from '../paths.ts';
import { projectFileName } from '../settings/projectSettings.ts';
import { checkContents } from './checkContents.ts';
import { checkReferences } from './checkReferences.ts';
import { checkSettings } from './checkSettings.ts';
import { type Finding, sortFindings } from './finding.ts';
import { ProjectNames } from './projectNames.ts';

/**
 * Finds what is wrong with the files of a project, without an instance. What follows from a file that could not be read
 * is not reported.
 * @returns `undefined` if the folder is no project
 */
export async function validateProject(folder: string): Promise<readonly Finding[] | undefined> {
  if (!(await isProject(folder))) {
    return undefined;
  }
  const [settings, project] = await Promise.all([checkSettings(folder), readProject(folder)]);
  const names = new ProjectNames(project, settings.selection);
  return sortFindings([
    ...settings.findings,
    ...project.problems.map((problem): Finding => ({ ...problem, code: `project/${problem.code}` })),
    ...project.items.flatMap((item) => [...checkReferences(item, names), ...checkContents(item, names)]),
  ]);
}

async function isProject(folder: string): Promise<boolean> {
  const { datamodels, viewpoints, cubeSets, customData } = projectFolders;
  const expected = [projectFileName, datamodels, viewpoints, cubeSets, customData];
  try {
    const names = await readdir(folder);
    return expected.some((name) => names.includes(name));
  } catch {
    // A folder that is missing or can't be listed is no project; the command says so.
    return false;
  }
}
