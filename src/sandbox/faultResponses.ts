import { assertNever } from '../base/assertNever.ts';
import { stringify } from '../base/json.ts';
import type { SelectedFaults } from './faults.ts';
import { HttpProblem } from './problem.ts';
import type { Profile } from './profiles/profile.ts';

type ErrorBodyFactory = Profile['createErrorBody'];
type NonDelayFault = NonNullable<SelectedFaults['fault']>;

/** A fault that only the listener can apply, since the app has no access to the connection. */
type ConnectionFault = Extract<NonDelayFault, { kind: 'drop' | 'hang' | 'truncate' | 'endless' }>;

/** A response that the listener replaces by breaking the connection in the way of the fault. */
export class BrokenResponse extends Response {
  readonly fault: ConnectionFault;

  /** @param original the response of the route, for a fault that needs it */
  constructor(fault: ConnectionFault, original?: Response) {
    super(original?.body, original);
    this.fault = fault;
  }
}

const htmlPage = `<!doctype html>
<html><head><title>Sign in</title></head><body><h1>Sign in</h1><p>Your session has ended.</p></body></html>
`;

/**
 * Creates the response that replaces a route's response.
 * @param original that response, if the route was run
 */
export function createFaultResponse(
  fault: NonDelayFault,
  path: string,
  createErrorBody: ErrorBodyFactory,
  original?: Response,
): Response {
  const createProblemResponse = (
    status: number,
    title: string,
    headers: Readonly<Record<string, string>> = {},
  ): Response =>
    new Response(
      stringify(
        createErrorBody(new HttpProblem(status, title, 1099, 'A fault switch of the sandbox is on'), path),
      ),
      { status, headers: { 'content-type': 'application/json', ...headers } },
    );
  switch (fault.kind) {
    case 'status':
      return createProblemResponse(fault.status, 'SandboxFault');
    case 'tooManyRequests':
      return createProblemResponse(429, 'TooManyRequests', { 'retry-after': String(fault.retryAfter) });
    case 'bodyLimit':
      return createProblemResponse(413, 'PayloadTooLarge');
    case 'html':
      return new Response(htmlPage, {
        status: fault.status ?? 200,
        headers: { 'content-type': 'text/html; charset=utf-8' },
      });
    case 'emptyBody':
      return new Response(null, {
        status: fault.status ?? 200,
        headers: { 'content-type': 'application/json' },
      });
    case 'redirect':
      return new Response(null, {
        status: fault.status ?? 302,
        headers: { location: fault.location ?? '/api/auth/isauth' },
      });
    case 'drop':
    case 'hang':
    case 'truncate':
    case 'endless':
      return new BrokenResponse(fault, original);
    default:
      return assertNever(fault);
  }
}
