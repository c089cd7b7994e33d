import { english, formatMessage } from '../../base/localize.ts';
import { getDatamodelFolder } from '../files/fileKinds.ts';
import type { Project, ProjectProblem, ProjectProblemCode } from '../files/project.ts';
import { projectFolders } from '../paths.ts';
import type { ProjectPlan } from './loadProjectPlan.ts';

/** A plan, and the name patterns that limit it. */
type LimitedPlan = Pick<ProjectPlan, 'project' | 'reading'> & {
  readonly options: {
    readonly limits: { readonly datamodel?: string | undefined; readonly viewpoint?: string | undefined };
  };
};

/** The codes of problems with misplaced files, whose folder doesn't show what they contain. */
const misplacedCodes: ReadonlySet<ProjectProblemCode> = new Set([
  'misnamed-file',
  'misnamed-folder',
  'misplaced-file',
]);

/** Separates the files of a project that can't be read by whether their items may be within the limits of a plan. */
export function splitUnreadFiles(plan: LimitedPlan): {
  /** Their items may be within the limits. */
  readonly inside: readonly UnreadFile[];
  /** Their items are outside the limits in any case, so the plan doesn't compare them. */
  readonly outside: readonly UnreadFile[];
} {
  return {
    inside: findUnreadProblems(plan).map(toUnreadFile),
    outside: getErrors(plan)
      .filter((problem) => isOutsideLimits(problem, plan))
      .map(toUnreadFile),
  };
}

/** Finds why files can't be read whose items may be within the limits of a plan. */
export const findUnreadProblems = (plan: LimitedPlan): readonly ProjectProblem[] =>
  getErrors(plan).filter((problem) => !isOutsideLimits(problem, plan));

const getErrors = ({ project }: LimitedPlan): readonly ProjectProblem[] =>
  project.problems.filter(({ severity }) => severity === 'error');

interface UnreadFile {
  /** The path, the line, and the column. */
  readonly location: string;
  readonly problem: string;
}

const toUnreadFile = ({ path, line, column, message }: ProjectProblem): UnreadFile => ({
  location: `${path}:${line}:${column}`,
  problem: formatMessage(english, message),
});

function isOutsideLimits(
  { path, code }: ProjectProblem,
  { project, reading, options: { limits } }: LimitedPlan,
): boolean {
  if ((limits.datamodel === undefined && limits.viewpoint === undefined) || misplacedCodes.has(code)) {
    return false;
  }
  const { datamodels, viewpoints, cubeSets, customData } = projectFolders;
  const [root = ''] = path.split('/');
  switch (root) {
    case cubeSets:
    case customData:
      return true;
    case viewpoints:
      return limits.viewpoint === undefined;
    case datamodels: {
      const datamodel = findDatamodel(project, path);
      return (
        limits.datamodel === undefined ||
        (datamodel !== undefined && !reading.isSelected({ kind: 'datamodel', datamodel }))
      );
    }
    default:
      return false;
  }
}

/** Returns the title of the datamodel whose folder contains a path; `undefined` if it's unknown. */
export function findDatamodel({ items }: Pick<Project, 'items'>, path: string): string | undefined {
  const folder = getDatamodelFolder(path);
  return items.flatMap(({ key, path: itemPath }) =>
    key.kind === 'datamodel' && getDatamodelFolder(itemPath) === folder ? [key.datamodel] : [],
  )[0];
}
