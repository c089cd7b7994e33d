import { joinAsArray } from '../documents.ts';
import {
  type EndpointResponse,
  type AreaHandlers,
  requireObjectBody,
  okResponse,
  okTextResponse,
} from '../endpointCall.ts';
import { checkExtractRule, readSentRules, type SentRule } from '../models/ruleChecks.ts';
import { updateRuleDocument } from '../models/ruleDocument.ts';
import { storeRules } from '../models/ruleWrites.ts';
import { createInvalidProblem, createNotFoundProblem } from '../problem.ts';
import { getTimestamp } from '../context.ts';
import type { RouteServices } from '../routeServices.ts';
import type { RuleScope } from '../store/ruleStore.ts';

interface CubeName {
  readonly server: string;
  readonly elasticube: string;
}

const toCubeScope = ({ server, elasticube }: CubeName): RuleScope => ({
  kind: 'extract',
  server,
  elasticube,
});

/**
 * Creates the handlers of rules of extract datamodels and cube sets
 * (rest-api.md, "Data security, extract datamodels"). Writes were already restricted to administrators.
 */
export function createExtractRuleHandlers(services: RouteServices): AreaHandlers<'extractRules'> {
  const { store, clock } = services;
  const create = (rules: readonly SentRule[]): EndpointResponse => {
    rules.forEach(({ rule, at }) => checkExtractRule(rule, at));
    const sent = rules.map(({ rule }) => rule);
    return okResponse(storeRules(services, 'extract', sent));
  };
  return {
    'extractRules.list': ({ params }) =>
      okTextResponse(joinAsArray(store.rules.getTexts(toCubeScope(params)))),
    'extractRules.listByColumn': ({ params }) =>
      okTextResponse(joinAsArray(store.rules.getTexts(toCubeScope(params), params))),

    /** Lists the rules with a share for the user or for a group of the user. */
    'extractRules.listByUser'({ params }) {
      const parties = [params.user, ...store.people.getGroupIds(params.user)];
      return okTextResponse(joinAsArray(store.rules.getTextsByParties(toCubeScope(params), parties)));
    },

    'extractRules.createMany': ({ body }) => create(readSentRules(body, 'array')),

    /** Takes the server and the cube from the path (rest-api.md, "Data security, extract datamodels"). */
    'extractRules.create': ({ body, params: { server, elasticube } }) =>
      create(
        readSentRules(body, 'array').map(({ rule, at }) => ({ rule: { ...rule, server, elasticube }, at })),
      ),

    /** Replaces a rule. The body must include its `_id`; the server and cube are kept if they are not sent. */
    'extractRules.update'(call) {
      const { ruleId } = call.params;
      const stored = store.rules.getDocument('extract', ruleId);
      if (stored === undefined) {
        throw createNotFoundProblem('The rule', ruleId);
      }
      const sent = requireObjectBody(call);
      if (sent['_id'] !== ruleId) {
        throw createInvalidProblem(`_id: required, and "${ruleId}" as in the path`);
      }
      const rule = { server: stored['server'] ?? null, elasticube: stored['elasticube'] ?? null, ...sent };
      checkExtractRule(rule, []);
      const changed = updateRuleDocument(rule, stored, getTimestamp(clock), store.people);
      store.rules.update('extract', changed);
      return okResponse(changed);
    },

    /** Requires the query `?table=&column=` (platform-facts.md, 3.1; decisions.md, "Sandbox"). */
    'extractRules.deleteByColumn'({ params, query }) {
      const table = query('table') ?? '';
      const column = query('column') ?? '';
      if (table === '' || column === '') {
        throw createInvalidProblem(
          `${table === '' ? 'table' : 'column'}: required in the query, to name the dimension`,
        );
      }
      return okResponse({ deleted: store.rules.deleteAll(toCubeScope(params), { table, column }) });
    },

    'extractRules.delete'({ params: { ruleId } }) {
      if (!store.rules.delete('extract', ruleId)) {
        throw createNotFoundProblem('The rule', ruleId);
      }
      return okResponse({ _id: ruleId });
    },
  };
}
