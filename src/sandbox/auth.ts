import { randomBytes, timingSafeEqual } from 'node:crypto';
import { builtInUsers } from './seeds/seed.ts';
import type { Caller } from './endpointCall.ts';
import { HttpProblem, createUnauthorizedProblem } from './problem.ts';

/** The two bearer tokens of a sandbox (decisions.md, "Sandbox"). */
export interface Tokens {
  readonly adminToken: string;
  readonly userToken: string;
}

/** New random tokens, 32 hex digits each. */
export function createTokens(): Tokens {
  const createToken = (): string => randomBytes(16).toString('hex');
  return { adminToken: createToken(), userToken: createToken() };
}

/** The caller of endpoints that need no authorization (rest-api.md, "Authentication" 5). */
export const anonymousCaller: Caller = { userId: '', isAdministrator: false };

/** Returns the caller for an Authorization header; {@link anonymousCaller} if the header identifies no one. */
export function getCallerOrAnonymous(authenticate: Authenticate, header: string | undefined): Caller {
  try {
    return authenticate(header);
  } catch (error) {
    if (error instanceof HttpProblem) {
      return anonymousCaller;
    }
    throw error;
  }
}

/** Returns the caller for an `Authorization` header, or throws an HttpProblem 401. */
export type Authenticate = (header: string | undefined) => Caller;

/**
 * Creates the authentication of a sandbox, which accepts `Bearer <token>` (rest-api.md, "Authentication" 1). The
 * returned function throws an HttpProblem 401 without a header, with another scheme and with an unknown token.
 */
export function createAuthenticator(tokens: Tokens): Authenticate {
  const callers = [
    {
      token: Buffer.from(tokens.adminToken),
      caller: { userId: builtInUsers.administrator._id, isAdministrator: true },
    },
    {
      token: Buffer.from(tokens.userToken),
      caller: { userId: builtInUsers.user._id, isAdministrator: false },
    },
  ];
  return (header) => {
    const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
    if (token === undefined) {
      throw createUnauthorizedProblem('The request has no bearer token');
    }
    const bytes = Buffer.from(token);
    // The time shows at most whether the length is right, which is no secret.
    const match = callers.find(
      (entry) => entry.token.byteLength === bytes.byteLength && timingSafeEqual(entry.token, bytes),
    );
    if (match === undefined) {
      throw createUnauthorizedProblem('Invalid token');
    }
    return match.caller;
  };
}
