/** The linter of viewpoints. Other projects call it too, so it must stay stable (decisions.md, "Stable interfaces"). */
export { lintViewpoint } from './lint/lint.ts';
export type { ProblemSeverity, ViewpointCode, ViewpointProblem } from './lint/problem.ts';
export type { Catalog } from '../sql/catalog.ts';
