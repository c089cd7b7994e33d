import { type ApiError, HttpError, platformCode } from './errors.ts';

/** Why the platform refuses a request about data security rules, where it says so in a way that is known. */
export type RuleRefusal =
  | 'invalid-default-rule'
  | 'duplicate-party'
  | 'unknown-party'
  | 'default-rule-first'
  | 'needs-build';

/** The codes of the contract (v1.0: POST of a live rule, and DELETE of one). */
const byCode: ReadonlyMap<number, RuleRefusal> = new Map([
  [30001, 'invalid-default-rule'],
  [30003, 'duplicate-party'],
  [30004, 'unknown-party'],
  [30006, 'default-rule-first'],
]);

/**
 * What kept rules from being read, added or deleted, as the platform's codes tell (contract v1.0), or its words for a
 * datamodel that was never built or published; `undefined` for any other failure and for other requests.
 */
export function ruleRefusal(error: ApiError): RuleRefusal | undefined {
  if (!/^(extract|live)Rules\./.test(error.operation.endpoint)) {
    return undefined;
  }
  const refusal = error instanceof HttpError ? error : error.cause;
  if (refusal instanceof HttpError && refusal.needsBuild) {
    return 'needs-build';
  }
  const code = platformCode(error);
  return code === undefined ? undefined : byCode.get(code);
}
