import type { PartyType } from '../../contract/terms.ts';

/** A column, and the parties of a rule on it. */
export interface RuleScope {
  readonly table: string;
  readonly column: string;
  /** A party has a name if the server's rules contain one. */
  readonly parties: readonly {
    readonly type: PartyType;
    readonly id?: string | undefined;
    readonly name?: string | undefined;
  }[];
}

/** How a request ended. */
export interface RequestResult {
  /** `unknown`: the response was lost. `not-sent`: it failed before it reached the network. */
  readonly state: 'done' | 'failed' | 'unknown' | 'not-sent';
  readonly status?: number | undefined;
  readonly ms: number;
  /** The reason why it failed, for the user: see `WriteResult`. */
  readonly problem?: string | undefined;
}

/**
 * A request of a rule change. The order of such requests is computed while they are sent, and temporary deny rules need
 * requests of their own, so they don't correspond to the writes of the operation.
 */
export interface SentRequest {
  /** The index of the first write of the rule change. */
  readonly writeIndex: number;
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  /** The scopes of rules without values that it adds. */
  readonly addedDenials: readonly RuleScope[];
  /** The scopes of rules without values that it deletes or replaces. */
  readonly removedDenials: readonly RuleScope[];
  /** Absent as long as there is no response, and permanently if the process was killed before. */
  readonly result?: RequestResult | undefined;
}

/**
 * Returns whether a request may have had an effect that its response doesn't show, or may still have one. It isn't
 * documented that a server that answers 429 has done nothing (platform-facts.md, 2.7).
 */
export const isRequestInDoubt = ({ result }: SentRequest): boolean =>
  result === undefined || result.state === 'unknown' || result.status === 429;

/** A scope whose parties see no values, or might see none if `isCertain` is false. */
export interface DeniedScope extends RuleScope {
  readonly isCertain: boolean;
}

/** Returns the scopes whose parties see no values, or may see none, because of some requests. */
export function getDeniedScopes(requests: readonly SentRequest[]): readonly DeniedScope[] {
  const denied = new Map<string, DeniedScope>();
  for (const request of requests) {
    const { addedDenials, removedDenials, result } = request;
    const isDone = result?.state === 'done';
    const isInDoubt = !isDone && isRequestInDoubt(request);
    for (const scope of removedDenials) {
      const id = getScopeId(scope);
      const deniedScope = denied.get(id);
      if (isDone) {
        denied.delete(id);
      } else if (isInDoubt && deniedScope !== undefined) {
        denied.set(id, { ...deniedScope, isCertain: false });
      }
    }
    for (const scope of isDone || isInDoubt ? addedDenials : []) {
      const id = getScopeId(scope);
      denied.set(id, { ...scope, isCertain: isDone || denied.get(id)?.isCertain === true });
    }
  }
  return [...denied.values()];
}

const getScopeId = ({ table, column, parties }: RuleScope): string =>
  JSON.stringify([table, column, parties.map(({ type, id = '' }) => `${type}:${id}`).sort()]);
