import { getDatamodelFolder, getPossibleKinds } from '../files/fileKinds.ts';
import type { Project, ProjectProblem, ProjectProblemCode } from '../files/project.ts';
import { projectFolders } from '../paths.ts';
import { affectsAccess } from '../item.ts';
import type { ProjectPlan } from './loadProjectPlan.ts';

/** A plan, and the part of the project that it is limited to. */
export type LimitedPlan = Pick<ProjectPlan, 'project' | 'reading' | 'limits'>;

/** The codes of problems with misplaced files, whose folder doesn't show what they contain. */
const misplacedCodes: ReadonlySet<ProjectProblemCode> = new Set([
  'misnamed-file',
  'misnamed-folder',
  'misplaced-file',
]);

/** Separates the files of a project that can't be read by whether their items may be within the limits of a plan. */
export function splitUnreadFiles(plan: LimitedPlan): {
  /** The problems of those whose items may be within the limits. */
  readonly withinLimits: readonly ProjectProblem[];
  /** The problems of those whose items are outside the limits in any case, so the plan doesn't compare them. */
  readonly outsideLimits: readonly ProjectProblem[];
} {
  const errors = plan.project.problems.filter(({ severity }) => severity === 'error');
  const [outsideLimits = [], withinLimits = []] = [true, false].map((isOutside) =>
    errors.filter((problem) => isOutsideLimits(problem, plan) === isOutside),
  );
  return { withinLimits, outsideLimits };
}

function isOutsideLimits({ path, code }: ProjectProblem, { project, reading, limits }: LimitedPlan): boolean {
  if ((limits.datamodels === undefined && limits.viewpoints === undefined) || misplacedCodes.has(code)) {
    return false;
  }
  const { datamodels, viewpoints, cubeSets, customData } = projectFolders;
  const [root = ''] = path.split('/');
  switch (root) {
    case cubeSets:
    case customData:
      return true;
    case viewpoints:
      return limits.viewpoints === undefined;
    case datamodels: {
      const datamodel = findDatamodel(project, path);
      return (
        limits.datamodels === undefined ||
        (datamodel !== undefined && !reading.isSelected({ kind: 'datamodel', datamodel }))
      );
    }
    default:
      return false;
  }
}

/**
 * Returns whether a file that can't be read may say who sees what, within the limits of a plan: rules, viewpoints, or
 * what these are about. Neither the lock file nor the instance needs to have its item, since the file may be new.
 */
export const mayHaveUnreadAccess = (plan: LimitedPlan): boolean =>
  splitUnreadFiles(plan).withinLimits.some(({ path }) => getPossibleKinds(path).some(affectsAccess));

/**
 * Returns a function that checks whether a file that can't be read may have rules on the tables of a datamodel that is
 * within the limits of a plan.
 */
export function createUnreadRulesCheck(plan: LimitedPlan): (datamodel: string) => boolean {
  const files = splitUnreadFiles(plan).withinLimits.filter(({ path }) =>
    getPossibleKinds(path).includes('rules'),
  );
  const isAnywhere = files.some(({ code }) => misplacedCodes.has(code));
  const titles = new Set(files.map(({ path }) => findDatamodel(plan.project, path)));
  return (datamodel) => isAnywhere || titles.has(datamodel);
}

/** Returns the title of the datamodel whose folder contains a path; `undefined` if it's unknown. */
export function findDatamodel({ items }: Pick<Project, 'items'>, path: string): string | undefined {
  const folder = getDatamodelFolder(path);
  return items.flatMap(({ key, path: itemPath }) =>
    key.kind === 'datamodel' && getDatamodelFolder(itemPath) === folder ? [key.datamodel] : [],
  )[0];
}
