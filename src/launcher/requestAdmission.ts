import { createHash, timingSafeEqual } from 'node:crypto';
import type { AllowedAddresses } from './allowedAddresses.ts';

/** The cookie in which VS Code stores the connection token. */
export const tokenCookie = 'vscode-tkn';
/** The query parameter with the connection token. */
export const tokenParameter = 'tkn';

/** The properties of a request that determine whether it is admitted. */
export interface AdmissionRequest {
  /** The request target: path and query. */
  readonly target: string;
  /** Every `Host` header. */
  readonly hosts: readonly string[];
  /** Every `Origin` header. */
  readonly origins: readonly string[];
  readonly cookie: string | undefined;
}

/** The reason why a request is not forwarded. */
export interface AdmissionRefusal {
  readonly status: 400 | 403 | 404;
  /** One sentence with the problem and what to do. */
  readonly message: string;
}

export interface AdmissionRules {
  readonly addresses: AllowedAddresses;
  readonly token: string;
  /** The prefix of every path; it ends with a slash. */
  readonly basePath: string;
}

/**
 * Returns why a request is refused, since it does not come from the page that this launcher has opened; `undefined` if
 * the request is admitted.
 */
export function getAdmissionRefusal(
  request: AdmissionRequest,
  rules: AdmissionRules,
): AdmissionRefusal | undefined {
  const { addresses, basePath } = rules;
  const [host, ...otherHosts] = request.hosts;
  if (host === undefined || otherHosts.length > 0 || !addresses.allowsHost(host)) {
    return {
      status: 403,
      message:
        "This address isn't allowed. Open the address that npm start printed, or allow this one with npm start -- --allow-host NAME.",
    };
  }
  if (!request.origins.every((origin) => addresses.allowsOrigin(origin))) {
    return {
      status: 403,
      message:
        "Requests from other web pages aren't allowed. Open the address that npm start printed, or allow this one with npm start -- --allow-host NAME.",
    };
  }
  if (!request.target.startsWith('/')) {
    return { status: 400, message: 'The request has no path. Open the address that npm start printed.' };
  }
  if (!hasToken(request, rules.token)) {
    return {
      status: 403,
      message: 'The connection token is missing or invalid. Open the address that npm start printed.',
    };
  }
  return request.target.startsWith(basePath)
    ? undefined
    : { status: 404, message: 'Not found. Open the address that npm start printed.' };
}

function hasToken({ target, cookie }: AdmissionRequest, token: string): boolean {
  const query = target.includes('?') ? target.slice(target.indexOf('?') + 1) : '';
  const queryTokens = new URLSearchParams(query).getAll(tokenParameter);
  return [...queryTokens, ...getCookies(tokenCookie, cookie)].some((candidate) =>
    isEqualConstantTime(candidate, token),
  );
}

function getCookies(name: string, header = ''): readonly string[] {
  return header.split(';').flatMap((pair) => {
    const separatorIndex = pair.indexOf('=');
    return pair.slice(0, separatorIndex).trim() === name ? [pair.slice(separatorIndex + 1).trim()] : [];
  });
}

/** Compares in constant time, so that timing does not reveal how much of a token is right. */
function isEqualConstantTime(candidate: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(candidate), digest(token));
}
