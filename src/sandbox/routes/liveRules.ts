import type { JsonObject } from '../../base/json.ts';
import { arrayText } from '../documents.ts';
import { type HandlersOf, ok, okText } from '../call.ts';
import { checkLiveRule, sentRules } from '../models/ruleChecks.ts';
import { newRule } from '../models/ruleDocument.ts';
import { notFound } from '../problem.ts';
import { timestamp } from '../context.ts';
import type { Services } from '../services.ts';

/** Data security of live datamodels (spec, "API version 1.0"). Live rules have no PUT. */
export function liveRuleRoutes({ store, clock, ids }: Services): HandlersOf<'liveRules'> {
  return {
    'liveRules.list': ({ params: { title } }) =>
      okText(arrayText(store.rules.texts({ kind: 'live', title }))),

    /** All rules of one POST are stored, or none (design.md, section 5). */
    'liveRules.create'({ body, params: { title } }) {
      const rules = sentRules(body, 'array or object');
      rules.forEach(({ rule, at }) => checkLiveRule(rule, title, at));
      const now = timestamp(clock);
      const stored = store.transaction(() =>
        rules.map(({ rule }): JsonObject => {
          const document = newRule(rule, ids.objectId(), now, store.people);
          store.rules.insert('live', document);
          return document;
        }),
      );
      return ok(stored);
    },

    'liveRules.delete'({ params: { ruleId } }) {
      if (!store.rules.delete('live', ruleId)) {
        throw notFound('The rule', ruleId);
      }
      return ok({ _id: ruleId });
    },

    'liveRules.deleteByColumn': ({ params: { title, table, column } }) =>
      ok({ deleted: store.rules.deleteAll({ kind: 'live', title }, { table, column }) }),
  };
}
