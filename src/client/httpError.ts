import { getErrorChain } from '../base/errorChain.ts';
import type { GuardedConnection } from './guard.ts';
import { ApiError, type ErrorCode, type Remedy, type ApiRequestInfo, getEndpoint } from './apiError.ts';

/** The requirements of a feature (rest-api.md, "Versioning"). */
export interface VersionHint {
  readonly feature: 'viewpoints' | 'schemaOrigin' | 'apiV2';
  /** The first release that has it. */
  readonly since: 'L2023.11' | 'L2021.3' | 'L8.1';
  /** The licensed feature that it also needs. */
  readonly license?: 'assistant-apps';
}

/**
 * The server responded with a status other than success. Since the message of an error is logged, it contains no text
 * of the server, which may contain data; `serverMessage` is for the user.
 */
export class HttpError extends ApiError {
  override readonly name: string = 'HttpError';
  readonly status: number;
  /** The server's message for the user, at most 300 characters. It may contain data, so it is never logged. */
  readonly serverMessage: string | undefined;
  /** The platform's problem number, such as 30003 (platform-facts.md, 6.2). */
  readonly platformCode: number | undefined;
  /** References for finding the problem: its kind (`sub`), and its entry in the instance's log (`logref`). */
  readonly sub: string | undefined;
  readonly logref: string | undefined;
  /**
   * True if the platform itself described the problem; otherwise the responding server may not know the path at all.
   */
  readonly hasProblemBody: boolean;
  /** The pause that the server requested, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Set if the version or license of the instance is a likely reason. */
  readonly versionHint: VersionHint | undefined;
  /** The connection to sign in to if the token was rejected, if it is a saved one. */
  readonly connection: GuardedConnection | undefined;
  readonly code: ErrorCode;
  readonly remedy: Remedy;

  constructor(
    requestInfo: ApiRequestInfo,
    details: {
      readonly status: number;
      readonly serverMessage?: string | undefined;
      /** The client's own description of the problem, for the message of this error. */
      readonly description?: string;
      readonly hasProblemBody?: boolean;
      readonly platformCode?: number | undefined;
      readonly sub?: string | undefined;
      readonly logref?: string | undefined;
      readonly retryAfterMs?: number | undefined;
      readonly versionHint?: VersionHint | undefined;
      readonly connection?: GuardedConnection | undefined;
      readonly cause?: unknown;
    },
  ) {
    const {
      status,
      serverMessage,
      description,
      hasProblemBody = false,
      retryAfterMs,
      versionHint,
      cause,
    } = details;
    super(
      requestInfo,
      `answered ${status}${description === undefined ? '' : `: ${description}`}${formatReferences(details)}`,
      {
        cause,
        mayHaveBeenCarriedOut: status >= 500 || status === 408,
      },
    );
    this.status = status;
    this.serverMessage = serverMessage;
    this.platformCode = details.platformCode;
    this.sub = details.sub;
    this.logref = details.logref;
    this.hasProblemBody = hasProblemBody;
    this.retryAfterMs = retryAfterMs;
    this.versionHint = versionHint;
    this.connection = details.connection;
    const [code, remedy] = isUnsupported(requestInfo, { status, hasProblemBody })
      ? (['not-offered', 'check-version'] as const)
      : classifyStatus(requestInfo, status, versionHint);
    this.code = code;
    this.remedy = this.mayHaveTakenEffect ? 'look-before-repeating' : remedy;
  }

  /**
   * True if a rule was refused because its datamodel was never built or published: drafts return messages such as
   * "[object Object]" or "Elasticube has not been found" (recorded on L2025).
   */
  get needsBuild(): boolean {
    return (
      /^(extract|live)Rules\./.test(this.requestInfo.endpoint) &&
      draftMessagePattern.test(this.serverMessage ?? '')
    );
  }

  get isUnauthorized(): boolean {
    return this.status === 401;
  }

  get isForbidden(): boolean {
    return this.status === 403;
  }

  /**
   * True if the item does not exist, or its path. False if the server lacks the endpoint that deletes one extract rule.
   */
  get isNotFound(): boolean {
    return this.code === 'not-found' || (this.status === 404 && this.code !== 'not-offered');
  }

  get isConflict(): boolean {
    return this.status === 409;
  }

  get isTooLarge(): boolean {
    return this.status === 413;
  }

  get isTooManyRequests(): boolean {
    return this.status === 429;
  }
}

const draftMessagePattern = /\[object Object\]|elasticube (has|was) not (been )?found|elasticube not found/i;

const formatReferences = ({
  sub,
  logref,
}: {
  sub?: string | undefined;
  logref?: string | undefined;
}): string => {
  const references = [sub === undefined ? '' : `sub ${sub}`, logref === undefined ? '' : `logref ${logref}`];
  const presentReferences = references.filter((text) => text !== '');
  return presentReferences.length === 0 ? '' : ` [${presentReferences.join(', ')}]`;
};

/**
 * The platform's problem number, from `error.code`, `code` or `sub` of the body (platform-facts.md, 6.2 and 6.3),
 * anywhere in the causes of an error; `undefined` if there is none.
 */
export const getPlatformCode = (error: unknown): number | undefined => findHttpError(error)?.platformCode;

/** The server's message for the user, anywhere in the causes of an error; `undefined` if there is none. */
export const getServerMessage = (error: unknown): string | undefined => findHttpError(error)?.serverMessage;

const findHttpError = (error: unknown): HttpError | undefined =>
  getErrorChain(error).find((cause) => cause instanceof HttpError);

/**
 * True if the server seems to lack the endpoint. The vendor's contract has no DELETE of one extract rule
 * (platform-facts.md, 6.1), the guide has one: a 404 with the platform's own message concerns the rule, any other the
 * path.
 */
const isUnsupported = (
  { endpoint }: ApiRequestInfo,
  { status, hasProblemBody }: { readonly status: number; readonly hasProblemBody: boolean },
): boolean => endpoint === 'extractRules.delete' && (status === 405 || (status === 404 && !hasProblemBody));

function classifyStatus(
  requestInfo: ApiRequestInfo,
  status: number,
  versionHint: VersionHint | undefined,
): [ErrorCode, Remedy] {
  if (versionHint !== undefined) {
    return ['needs-version', 'check-version'];
  }
  switch (status) {
    case 401:
      return ['unauthorized', 'sign-in'];
    case 403:
      // Only administrators may change data security rules (rest-api.md, "Authentication" 2).
      return getEndpoint(requestInfo.endpoint).requiresAdministrator === true
        ? ['administrator-required', 'ask-administrator']
        : ['forbidden', 'ask-administrator'];
    case 404:
      return ['not-found', 'reload'];
    case 409:
      return ['conflict', 'reload'];
    case 413:
      return ['request-too-large', 'make-smaller'];
    case 429:
      return ['too-many-requests', 'wait'];
    default:
      break;
  }
  if (status >= 500) {
    return ['server-error', 'wait'];
  }
  if (status >= 400) {
    return ['rejected', 'fix-input'];
  }
  // A success is an `AbsentError`. Any other status, such as 304, says nothing about whether the item exists.
  return status >= 200 && status < 300 ? ['not-found', 'reload'] : ['server-error', 'wait'];
}

/** Why the platform refuses a request about data security rules, if it gives a known reason. */
export type RuleRefusal =
  | 'invalid-default-rule'
  | 'duplicate-party'
  | 'unknown-party'
  | 'default-rule-first'
  | 'needs-build';

/** The codes of the vendor's contract (platform-facts.md, 6.2: POST of a live rule, and DELETE of one). */
const refusalsByCode: ReadonlyMap<number, RuleRefusal> = new Map([
  [30001, 'invalid-default-rule'],
  [30003, 'duplicate-party'],
  [30004, 'unknown-party'],
  [30006, 'default-rule-first'],
]);

/**
 * Why rules could not be read, added or deleted, according to the platform's codes (platform-facts.md, 6.2), or its
 * message for a datamodel that was never built or published; `undefined` for any other failure and for other requests.
 */
export function getRuleRefusal(error: ApiError): RuleRefusal | undefined {
  if (!/^(extract|live)Rules\./.test(error.requestInfo.endpoint)) {
    return undefined;
  }
  const httpError = error instanceof HttpError ? error : error.cause;
  if (httpError instanceof HttpError && httpError.needsBuild) {
    return 'needs-build';
  }
  const code = getPlatformCode(error);
  return code === undefined ? undefined : refusalsByCode.get(code);
}
