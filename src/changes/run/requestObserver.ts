import type { Clock } from '../../base/clock.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { ApiError, HttpError } from '../../client/errors.ts';
import type { ObservedResult, ObservedRequest, SendObserver } from '../../client/observeSend.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { collectPartyNames } from '../model/planSubjects.ts';
import { getObjects, getText } from '../model/jsonMembers.ts';
import type { RequestResult, RuleScope, SentRequest } from '../model/sentRequest.ts';
import { getWritePath } from '../model/writePath.ts';
import {
  deniesAll,
  getScopeKey,
  type ParsedRuleDocument,
  parseRuleDocuments,
} from '../rules/parsedRuleDocument.ts';
import { describeWriteFailure } from './describeFailure.ts';

/** A request of a rule change, before it is sent. */
export type RecordedRequest = Omit<SentRequest, 'writeIndex' | 'result'>;

interface RequestObserverDeps {
  readonly client: Pick<PlatformClient, 'dialect'>;
  readonly clock: Clock;
  readonly recordRequest: (request: RecordedRequest) => Promise<(result: RequestResult) => void>;
  /** Returns the rules as they were read before the request. */
  readonly getCurrentRules: () => readonly JsonObject[];
}

/** The rules as they were read before a request. */
interface ReadRules {
  readonly rules: readonly JsonObject[];
  /** The rules that show no values. */
  readonly denyRules: readonly ParsedRuleDocument[];
}

/** Returns an observer that records each request of a rule change: what it hides from whom, and its result. */
export function createRequestObserver({
  client,
  clock,
  recordRequest,
  getCurrentRules,
}: RequestObserverDeps): SendObserver {
  // The rules stay the same until they are read again: parsing all of them for each request would take long.
  let lastRead: ReadRules | undefined;
  const getReadRules = (): ReadRules => {
    const rules = getCurrentRules();
    return lastRead?.rules === rules
      ? lastRead
      : (lastRead = { rules, denyRules: parseRuleDocuments(rules).filter(deniesAll) });
  };
  return async (request) => {
    const startedAt = clock.now();
    const recordResult = await recordRequest({
      method: endpoints[request.endpoint].method,
      path: getWritePath(request, client.dialect),
      ...getDenials(request, getReadRules()),
    });
    return (end) => recordResult({ ...getResult(end), ms: clock.now() - startedAt });
  };
}

/** Returns the scopes of rules without values that a request adds, and of those that it deletes or replaces. */
function getDenials(
  { params, body }: ObservedRequest,
  { rules, denyRules }: ReadRules,
): Pick<RecordedRequest, 'addedDenials' | 'removedDenials'> {
  // The payloads of rules are JSON.
  const payload = body as JsonValue | undefined;
  const newRules = parseRuleDocuments(getObjects(Array.isArray(payload) ? payload : [payload ?? null]));
  const newScopes = new Set(newRules.map(getScopeKey));
  const replacedRules = denyRules.filter(
    (rule) => rule.id === params['ruleId'] || newScopes.has(getScopeKey(rule)),
  );
  const deniedRules = newRules.filter(deniesAll);
  if (deniedRules.length + replacedRules.length === 0) {
    return { addedDenials: [], removedDenials: [] };
  }
  const names = collectPartyNames(rules);
  const toScope = ({ document, parties }: ParsedRuleDocument): RuleScope => ({
    table: getText(document['table']),
    column: getText(document['column']),
    parties: parties.map((party) => {
      const name = names.get(`${party.type}:${party.id ?? ''}`);
      return { ...party, ...(name === undefined ? {} : { name }) };
    }),
  });
  return { addedDenials: deniedRules.map(toScope), removedDenials: replacedRules.map(toScope) };
}

function getResult(end: ObservedResult): Omit<RequestResult, 'ms'> {
  if ('response' in end) {
    return { state: 'done', status: end.response.status };
  }
  const { error } = end;
  const problem = describeWriteFailure(error);
  if (error instanceof HttpError) {
    return { state: error.mayHaveTakenEffect ? 'unknown' : 'failed', status: error.status, problem };
  }
  const mayHaveTakenEffect = !(error instanceof ApiError) || error.mayHaveTakenEffect;
  return { state: mayHaveTakenEffect ? 'unknown' : 'not-sent', problem };
}
