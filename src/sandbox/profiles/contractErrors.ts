import { HttpProblem, createProblemBody } from '../problem.ts';
import { isUnder } from '../paths.ts';

const builds = '/api/v2/builds';

/**
 * Creates the body of an error: v0.9 and v1 as everywhere, v2 also with its log number (platform-facts.md, "Error"),
 * and builds with only a title and a reason (recorded right after a POST).
 */
export function createContractErrorBody(problem: HttpProblem, path: string): unknown {
  if (isUnder(builds, path)) {
    return { title: problem.title, reason: problem.message };
  }
  const body = createProblemBody(problem, path);
  return 'error' in body ? body : { ...body, logref: formatLogNumber(problem.sub) };
}

/** The number under which an error is logged. */
export const formatLogNumber = (sub: number): string => `BE#${String(sub).padStart(6, '0')}`;

/** Required fields were not sent: 422 (platform-facts.md, 6.2, "Mandatory fields are missing"). */
export const createFieldsMissingProblem = (names: readonly string[], where: string): HttpProblem =>
  new HttpProblem(
    422,
    'UnprocessableEntity',
    2003,
    `${where}Mandatory fields are missing: ${names.join(', ')}`,
  );

/** The error for rules of a model that was never built (observed on releases of 2025). */
export const createCubeNotFoundProblem = (): HttpProblem =>
  new HttpProblem(404, 'NotFound', 1004, 'Elasticube has not been found');
