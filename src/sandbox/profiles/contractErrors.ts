import { HttpProblem, createProblemBody } from '../problem.ts';
import { isSameOrUnder } from '../paths.ts';

const buildsPath = '/api/v2/builds';

/**
 * Creates the body of an error: v0.9 and v1 as in the guide, v2 with an additional log number
 * (platform-facts.md, "Error"), builds with only a title and a reason (observed right after a POST).
 */
export function createContractErrorBody(problem: HttpProblem, path: string): unknown {
  if (isSameOrUnder(buildsPath, path)) {
    return { title: problem.title, reason: problem.message };
  }
  const body = createProblemBody(problem, path);
  return 'error' in body ? body : { ...body, logref: formatLogNumber(problem.sub) };
}

/** Formats the log number of an error, e.g. `BE#001002`. */
export const formatLogNumber = (sub: number): string => `BE#${String(sub).padStart(6, '0')}`;

/** Missing required fields: 422 (platform-facts.md, 6.2, "Mandatory fields are missing"). */
export const createFieldsMissingProblem = (names: readonly string[], prefix: string): HttpProblem =>
  new HttpProblem(
    422,
    'UnprocessableEntity',
    2003,
    `${prefix}Mandatory fields are missing: ${names.join(', ')}`,
  );

/** Rules of a datamodel that was never built: 404 (observed on releases of 2025). */
export const createCubeNotFoundProblem = (): HttpProblem =>
  new HttpProblem(404, 'NotFound', 1004, 'Elasticube has not been found');
