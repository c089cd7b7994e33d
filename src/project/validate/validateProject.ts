import { english, formatMessage } from '../../base/localize.ts';
import type { FileItem, Project, ProjectProblem } from '../files/project.ts';
import { readProject } from '../files/readProject.ts';
import type { Selection } from '../source/selection.ts';
import { createAffectedCheck } from './affectedFindings.ts';
import { findUnknownConnections } from './checkConnections.ts';
import { checkContents } from './checkContents.ts';
import { checkCustomDataFilter } from './checkCustomDataFilter.ts';
import { checkDatasetType } from './checkDatasetType.ts';
import { checkTwiceRenamedItems } from './checkTwiceRenamedItems.ts';
import { checkExcluded, findUnmatchedPatterns } from './checkManage.ts';
import { checkMembers } from './checkMembers.ts';
import { checkReferences } from './checkReferences.ts';
import { type CheckedSettings, checkSettings } from './checkSettings.ts';
import { type Finding, describeMisspelled, sortFindings } from './finding.ts';
import { findItemSecrets } from './plainSecrets.ts';
import { type ItemNames, ProjectNames } from './projectNames.ts';

export interface ValidateOptions {
  /** The paths of changed, new, and deleted files. If given, only findings that may be due to these are returned. */
  readonly changedPaths?: readonly string[];
}

/**
 * Finds problems in the files of a project, without an instance. Problems that are only due to a file that could not be
 * read are not reported. A folder without project files has no findings.
 */
export async function validateProject(
  folder: string,
  { changedPaths }: ValidateOptions = {},
): Promise<readonly Finding[]> {
  const [settings, project] = await Promise.all([checkSettings(folder), readProject(folder)]);
  const names = new ProjectNames(project, settings.selection);
  const findings = [...findSettingsProblems(project, names, settings), ...checkItems(project, names)];
  return sortFindings(
    changedPaths === undefined ? findings : findings.filter(createAffectedCheck(project, changedPaths)),
  );
}

/**
 * Finds problems in the items of a project that was read, but not those of its settings.
 * @param selection what the project manages; `undefined` if its settings can't be read
 */
export const checkProject = (project: Project, selection: Selection | undefined): readonly Finding[] =>
  checkItems(project, new ProjectNames(project, selection));

const checkItems = (project: Project, names: ItemNames): readonly Finding[] =>
  sortFindings([
    ...project.problems.map(toFinding),
    ...project.items.flatMap((item) => checkItem(item, names)),
  ]);

/**
 * Finds the problems in the settings and environments, including those that depend on the items of the project, and
 * those in items that depend on environments.
 */
export const findSettingsProblems = (
  project: Project,
  names: ItemNames,
  settings: CheckedSettings,
): readonly Finding[] => [
  ...settings.findings,
  ...findUnmatchedPatterns(project, settings),
  ...findUnknownConnections(names, settings.connectionNames),
  ...checkTwiceRenamedItems(project, settings.locks),
];

/** Finds the problems in one file of a project that was read, as {@link checkProject} does. */
export function findFileProblems(project: Project, names: ProjectNames, path: string): readonly Finding[] {
  return sortFindings([
    ...project.problems.filter((problem) => problem.path === path).map(toFinding),
    ...project.items.filter((item) => item.path === path).flatMap((item) => checkItem(item, names)),
  ]);
}

/** Returns the finding of a problem that was found when a project was read. */
export const toFinding = (problem: ProjectProblem): Finding => ({
  ...problem,
  ...describeMisspelled(problem.message, problem.misspelled),
  code: `project/${problem.code}`,
  subject: formatMessage(english, problem.message),
});

/** Finds the problems in an item that could be read. */
export const checkItem = (item: FileItem, names: ItemNames): readonly Finding[] => [
  ...checkExcluded(item, names.countExcludedFiles(item.path)),
  ...checkMembers(item),
  ...checkDatasetType(item, names),
  ...checkCustomDataFilter(item, names),
  ...findItemSecrets(item),
  ...checkReferences(item, names),
  ...checkContents(item, names),
];
