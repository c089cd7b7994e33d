import { createForbiddenProblem } from './problem.ts';

/** The headers that show where a request comes from: `Host`, `Origin` and `Sec-Fetch-Site`. */
export interface RequestOrigin {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
}

/**
 * Rejects requests that a web page could send (decisions.md, "Sandbox"). The Host must be this machine with the port of
 * the sandbox, which rules out DNS rebinding. An Origin must be that of the sandbox. `Sec-Fetch-Site` must not indicate
 * another site.
 * @throws HttpProblem 403.
 */
export function requireLocalRequest({ host, origin, fetchSite }: RequestOrigin, port: number): void {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === undefined || !hosts.includes(host.toLowerCase())) {
    throw createForbiddenProblem('The Host header names another server');
  }
  if (origin !== undefined && !hosts.some((localHost) => origin.toLowerCase() === `http://${localHost}`)) {
    throw createForbiddenProblem("Requests from other web pages aren't allowed");
  }
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') {
    throw createForbiddenProblem("Requests from other web pages aren't allowed");
  }
}
