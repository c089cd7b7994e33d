import type { LegacyErrorBody, ProblemBody } from '../contract/problem.ts';

/** An error response, thrown by a route. The app's `onError` handler creates its body. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: number;
  /** The platform's name for the kind of error, e.g. `ValidationError` (platform-facts.md, 2.7). */
  readonly title: string;
  /** The platform's number for the kind of error; also the `code` of a v0.9/v1 body. */
  readonly sub: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    title: string,
    sub: number,
    detail: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.status = status;
    this.title = title;
    this.sub = sub;
    this.headers = headers;
  }
}

/** An invalid request: 400 `ValidationError` 1002 (platform-facts.md, 2.7). `detail` names the invalid field. */
export const createValidationProblem = (detail: string): HttpProblem =>
  new HttpProblem(400, 'ValidationError', 1002, detail);

/** A resource that does not exist: 404 (platform-facts.md, 2.7). */
export const createNotFoundProblem = (resourceKind: string, id: string): HttpProblem =>
  new HttpProblem(404, 'NotFound', 1004, `${resourceKind} "${id}" doesn't exist`);

/** A title that another datamodel has: 400 `ElasticubeAlreadyExists` 1011 (platform-facts.md, 2.7). */
export const createTitleTakenProblem = (title: string): HttpProblem =>
  new HttpProblem(400, 'ElasticubeAlreadyExists', 1011, `A datamodel named "${title}" already exists`);

/** A missing or unknown token: 401. */
export const createUnauthorizedProblem = (detail: string): HttpProblem =>
  new HttpProblem(401, 'Unauthorized', 5001, detail, { 'www-authenticate': 'Bearer' });

export const createForbiddenProblem = (detail: string): HttpProblem =>
  new HttpProblem(403, 'Forbidden', 5003, detail);

/** Reason phrases of RFC 9110 for the status codes that the sandbox sends. Only the listener imports `node:http`. */
const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

const problemTypeBase = 'https://errors.sandbox.invalid/http';

/** Returns true for paths of v0.9 and v1, whose error bodies have another shape (platform-facts.md, 2.7). */
const isLegacyPath = (path: string): boolean =>
  path.startsWith('/api/') && !path.startsWith('/api/v2/') && path !== '/api/v2';

/** Creates the error body in the format of the path's API version: v0.9 and v1 `{"error": …}`, v2 problem details. */
export function createProblemBody(problem: HttpProblem, path: string): ProblemBody | LegacyErrorBody {
  const { status, title, sub, message } = problem;
  if (isLegacyPath(path)) {
    return { error: { code: sub, message, status, httpMessage: reasonPhrases[status] ?? title } };
  }
  const kind = title === 'ValidationError' ? 'validation-error' : 'general-error';
  return { type: `${problemTypeBase}/${kind}`, title, status, sub, detail: message };
}
