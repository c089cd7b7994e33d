import { isRequestInDoubt, type SentRequest } from '../model/sentRequest.ts';
import { type ParsedRuleDocument, getRecordedScopeKey, getScopeKey } from '../rules/parsedRuleDocument.ts';
import type { RuleTarget } from '../rules/ruleTarget.ts';

/** Returns whether a request may have deleted rules, or replaced them. */
export const mayHaveRemovedRules = (request: SentRequest): boolean =>
  request.result?.state === 'done' || (request.method === 'DELETE' && isRequestInDoubt(request));

/**
 * Creates a function that checks whether a stopped change may have removed a rule that no longer exists: it has sent a
 * DELETE or a PUT of it, or a POST for the same parties. Otherwise, others have deleted the rule, and it isn't
 * restored.
 * @param requests its requests; `undefined` if they weren't recorded
 */
export function createRemovalCheck(
  { kind, wantedRules }: RuleTarget,
  requests: readonly SentRequest[] | undefined,
): (rule: ParsedRuleDocument) => boolean {
  if (requests === undefined) {
    return () => true;
  }
  const effective = requests.filter(
    (request) => request.result?.state === 'done' || isRequestInDoubt(request),
  );
  const posts = effective.filter(({ method }) => method === 'POST');
  const ids = new Set(
    effective.filter((request) => !posts.includes(request)).map(({ path }) => getLastSegment(path)),
  );
  const scopes = new Set(
    posts
      .flatMap(({ addedDenials, removedDenials }) => [...addedDenials, ...removedDenials])
      .map(getRecordedScopeKey),
  );
  // A live rule is replaced with a POST, whose parties are recorded only if it denies access or ends that.
  if (kind === 'live' && posts.length > 0) {
    wantedRules.filter(({ isEdited }) => isEdited).forEach(({ parsed }) => scopes.add(getScopeKey(parsed)));
  }
  return (rule) => ids.has(rule.id) || scopes.has(getScopeKey(rule));
}

const getLastSegment = (path: string): string => decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
