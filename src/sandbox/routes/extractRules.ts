import { joinAsArray } from '../documents.ts';
import {
  type EndpointResponse,
  type AreaHandlers,
  requireObjectBody,
  createOkResponse,
  createOkTextResponse,
} from '../endpointCall.ts';
import { checkExtractRule, readRuleInputs, type ReceivedRule } from '../models/ruleChecks.ts';
import { updateRuleDocument } from '../models/ruleDocument.ts';
import { storeRules } from '../models/storeRules.ts';
import { createValidationProblem, createNotFoundProblem } from '../problem.ts';
import { getTimestamp } from '../editContext.ts';
import type { RouteServices } from '../routeServices.ts';
import type { StoredRuleSubject } from '../store/ruleStore.ts';

interface CubeAddress {
  readonly server: string;
  readonly elasticube: string;
}

const toCubeSubject = ({ server, elasticube }: CubeAddress): StoredRuleSubject => ({
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
  const createRules = (inputs: readonly ReceivedRule[]): EndpointResponse => {
    inputs.forEach(({ rule, path }) => checkExtractRule(rule, path));
    const documents = inputs.map(({ rule }) => rule);
    return createOkResponse(storeRules(services, 'extract', documents));
  };
  return {
    'extractRules.list': ({ params }) =>
      createOkTextResponse(joinAsArray(store.rules.getTexts(toCubeSubject(params)))),
    'extractRules.listByColumn': ({ params }) =>
      createOkTextResponse(joinAsArray(store.rules.getTexts(toCubeSubject(params), params))),

    /** Lists the rules with a share for the user or for a group of the user. */
    'extractRules.listByUser'({ params }) {
      const parties = [params.user, ...store.people.getGroupIds(params.user)];
      return createOkTextResponse(joinAsArray(store.rules.getTextsByParties(toCubeSubject(params), parties)));
    },

    'extractRules.createMany': ({ body }) => createRules(readRuleInputs(body, 'array')),

    /** Takes the server and the cube from the path (rest-api.md, "Data security, extract datamodels"). */
    'extractRules.create': ({ body, params: { server, elasticube } }) =>
      createRules(
        readRuleInputs(body, 'array').map(({ rule, path }) => ({
          rule: { ...rule, server, elasticube },
          path,
        })),
      ),

    /** Replaces a rule. The body must include its `_id`; the server and cube are kept if they are not sent. */
    'extractRules.update'(call) {
      const { ruleId } = call.params;
      const storedRule = store.rules.getDocument('extract', ruleId);
      if (storedRule === undefined) {
        throw createNotFoundProblem('The rule', ruleId);
      }
      const body = requireObjectBody(call);
      if (body['_id'] !== ruleId) {
        throw createValidationProblem(`_id: expected "${ruleId}", as in the path`);
      }
      const rule = {
        server: storedRule['server'] ?? null,
        elasticube: storedRule['elasticube'] ?? null,
        ...body,
      };
      checkExtractRule(rule, []);
      const updatedRule = updateRuleDocument(rule, storedRule, getTimestamp(clock), store.people);
      store.rules.update('extract', updatedRule);
      return createOkResponse(updatedRule);
    },

    /** Requires the query `?table=&column=` (platform-facts.md, 3.1; decisions.md, "Sandbox"). */
    'extractRules.deleteByColumn'({ params, query }) {
      const table = query('table') ?? '';
      const column = query('column') ?? '';
      if (table === '' || column === '') {
        throw createValidationProblem(
          `${table === '' ? 'table' : 'column'}: required in the query string, to name the dimension`,
        );
      }
      return createOkResponse({ deleted: store.rules.deleteAll(toCubeSubject(params), { table, column }) });
    },

    'extractRules.delete'({ params: { ruleId } }) {
      if (!store.rules.delete('extract', ruleId)) {
        throw createNotFoundProblem('The rule', ruleId);
      }
      return createOkResponse({ _id: ruleId });
    },
  };
}
