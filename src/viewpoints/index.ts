/** The requirements of a viewpoint; also called from outside (decisions.md, "Stable interfaces"). */
export { lintViewpoint } from './lint/lint.ts';
export type { ProblemSeverity, ViewpointCode, ViewpointProblem } from './lint/problem.ts';
export type { Catalog } from '../sql/catalog.ts';
