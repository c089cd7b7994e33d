import type { JsonObject } from '../../base/json.ts';
import { arrayText, parseDocument, textIn } from '../documents.ts';
import { type Answer, type HandlersOf, ok, okText } from '../call.ts';
import { checkLiveRule, sentRules, type SentRule } from '../models/ruleChecks.ts';
import { writeRules } from '../models/ruleWrites.ts';
import { notFound } from '../problem.ts';
import type { Services } from '../services.ts';
import { scopeOf } from '../store/ruleStore.ts';

/** Data security of live datamodels (spec, "API version 1.0"). Live rules have no PUT. */
export function liveRuleRoutes(services: Services): HandlersOf<'liveRules'> {
  const { store, profile } = services;
  const create = (rules: readonly SentRule[], title: string): Answer => {
    rules.forEach((rule) => checkLiveRule(rule, title, profile.rules));
    const sent = rules.map(({ rule }) => rule);
    return ok(writeRules(services, 'live', sent));
  };
  /** The other rules of the column of a rule. */
  const besides = (rule: JsonObject): readonly JsonObject[] =>
    store.rules
      .texts(scopeOf('live', rule), { table: textIn(rule, 'table'), column: textIn(rule, 'column') })
      .map(parseDocument)
      .filter((other) => other['_id'] !== rule['_id']);
  return {
    'liveRules.list': ({ params: { title } }) =>
      okText(arrayText(store.rules.texts({ kind: 'live', title }))),

    'liveRules.create': ({ body, params: { title } }) => create(sentRules(body, 'array or object'), title),
    'liveRules.createMany': ({ body, params: { title } }) => create(sentRules(body, 'array'), title),

    'liveRules.delete'({ params: { ruleId } }) {
      const rule = store.rules.document('live', ruleId);
      if (rule === undefined) {
        throw notFound('The rule', ruleId);
      }
      profile.rules.checkLiveDelete?.(rule, besides(rule));
      store.rules.delete('live', ruleId);
      return ok({ _id: ruleId });
    },

    'liveRules.deleteByColumn': ({ params: { title, table, column } }) =>
      ok({ deleted: store.rules.deleteAll({ kind: 'live', title }, { table, column }) }),
  };
}
