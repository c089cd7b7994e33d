import { assertNever } from '../base/assertNever.ts';
import { stringify } from '../base/json.ts';
import type { SelectedFaults } from './faults.ts';
import { HttpProblem } from './problem.ts';
import type { Profile } from './profiles/profile.ts';

type ErrorBodyFactory = Profile['createErrorBody'];
type NonDelayFault = NonNullable<SelectedFaults['fault']>;

/** Response header that names a connection fault. The listener applies the fault and never sends the header. */
export const connectionFaultHeader = 'x-sandbox-fault';

/** Response header with the size of an `endless` body in bytes; absent if the body never ends. */
export const endlessBytesHeader = 'x-sandbox-fault-bytes';

const htmlPage = `<!doctype html>
<html><head><title>Sign in</title></head><body><h1>Sign in</h1><p>Your session has ended.</p></body></html>
`;

/**
 * Creates the response that replaces a route's response. A connection fault is only named in a header, since the app
 * has no access to the connection.
 */
export function createFaultResponse(
  fault: NonDelayFault,
  path: string,
  createErrorBody: ErrorBodyFactory,
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
      return new Response('{"sandbox":"fault"}', { headers: { [connectionFaultHeader]: fault.kind } });
    case 'endless':
      return new Response(null, {
        headers: {
          [connectionFaultHeader]: fault.kind,
          ...(fault.bytes === undefined ? {} : { [endlessBytesHeader]: String(fault.bytes) }),
        },
      });
    default:
      return assertNever(fault);
  }
}
