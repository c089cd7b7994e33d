import type { JsonObject } from '../../base/json.ts';
import { joinAsArray, parseDocument, getTextMember } from '../documents.ts';
import {
  type EndpointResponse,
  type AreaHandlers,
  createOkResponse,
  createOkTextResponse,
} from '../endpointCall.ts';
import { checkLiveRule, readRuleInputs, type ReceivedRule } from '../models/ruleChecks.ts';
import { storeRules } from '../models/storeRules.ts';
import { createNotFoundProblem } from '../problem.ts';
import type { RouteServices } from '../routeServices.ts';
import { getSubjectOfRule } from '../store/ruleStore.ts';

/** Creates the handlers of live rules, which have no PUT (rest-api.md, "Data security, live datamodels"). */
export function createLiveRuleHandlers(services: RouteServices): AreaHandlers<'liveRules'> {
  const { store, profile } = services;
  const createRules = (inputs: readonly ReceivedRule[], title: string): EndpointResponse => {
    inputs.forEach((rule) => checkLiveRule(rule, title, profile.rules));
    const documents = inputs.map(({ rule }) => rule);
    return createOkResponse(storeRules(services, 'live', documents));
  };
  /** Returns the other rules of a rule's column. */
  const getOtherRules = (rule: JsonObject): readonly JsonObject[] =>
    store.rules
      .getTexts(getSubjectOfRule('live', rule), {
        table: getTextMember(rule, 'table'),
        column: getTextMember(rule, 'column'),
      })
      .map(parseDocument)
      .filter((other) => other['_id'] !== rule['_id']);
  return {
    'liveRules.list': ({ params: { title } }) =>
      createOkTextResponse(joinAsArray(store.rules.getTexts({ kind: 'live', title }))),

    'liveRules.create': ({ body, params: { title } }) =>
      createRules(readRuleInputs(body, 'array or object'), title),
    'liveRules.createMany': ({ body, params: { title } }) =>
      createRules(readRuleInputs(body, 'array'), title),

    'liveRules.delete'({ params: { ruleId } }) {
      const rule = store.rules.getDocument('live', ruleId);
      if (rule === undefined) {
        throw createNotFoundProblem('The rule', ruleId);
      }
      profile.rules.checkLiveDelete?.(rule, getOtherRules(rule));
      store.rules.delete('live', ruleId);
      return createOkResponse({ _id: ruleId });
    },

    'liveRules.deleteByColumn': ({ params: { title, table, column } }) =>
      createOkResponse({ deleted: store.rules.deleteAll({ kind: 'live', title }, { table, column }) }),
  };
}
