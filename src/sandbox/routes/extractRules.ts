import { arrayText } from '../documents.ts';
import { type Answer, type HandlersOf, objectBody, ok, okText } from '../call.ts';
import { checkExtractRule, sentRules, type SentRule } from '../models/ruleChecks.ts';
import { changedRule } from '../models/ruleDocument.ts';
import { writeRules } from '../models/ruleWrites.ts';
import { invalid, notFound } from '../problem.ts';
import { timestamp } from '../context.ts';
import type { Services } from '../services.ts';
import type { RuleScope } from '../store/ruleStore.ts';

interface Cube {
  readonly server: string;
  readonly elasticube: string;
}

const cubeOf = ({ server, elasticube }: Cube): RuleScope => ({ kind: 'extract', server, elasticube });

/**
 * Data security of extract datamodels and cube sets (spec, "API version 0.9"). Who calls was checked before: only
 * administrators write.
 */
export function extractRuleRoutes(services: Services): HandlersOf<'extractRules'> {
  const { store, clock } = services;
  const create = (rules: readonly SentRule[]): Answer => {
    rules.forEach(({ rule, at }) => checkExtractRule(rule, at));
    const sent = rules.map(({ rule }) => rule);
    return ok(writeRules(services, 'extract', sent));
  };
  return {
    'extractRules.list': ({ params }) => okText(arrayText(store.rules.texts(cubeOf(params)))),
    'extractRules.listByColumn': ({ params }) => okText(arrayText(store.rules.texts(cubeOf(params), params))),

    /** The rules that name the user, or a group that the user is in. */
    'extractRules.listByUser'({ params }) {
      const parties = [params.user, ...store.people.groupIdsOf(params.user)];
      return okText(arrayText(store.rules.textsOfParties(cubeOf(params), parties)));
    },

    'extractRules.createMany': ({ body }) => create(sentRules(body, 'array')),

    /** The server and the cube come from the path (spec). */
    'extractRules.create': ({ body, params: { server, elasticube } }) =>
      create(sentRules(body, 'array').map(({ rule, at }) => ({ rule: { ...rule, server, elasticube }, at }))),

    /** The body is a rule including `_id`; a server and cube that are not sent stay as they are. */
    'extractRules.update'(call) {
      const { ruleId } = call.params;
      const stored = store.rules.document('extract', ruleId);
      if (stored === undefined) {
        throw notFound('The rule', ruleId);
      }
      const sent = objectBody(call);
      if (sent['_id'] !== ruleId) {
        throw invalid(`_id: required, and "${ruleId}" as in the path`);
      }
      const rule = { server: stored['server'] ?? null, elasticube: stored['elasticube'] ?? null, ...sent };
      checkExtractRule(rule, []);
      const changed = changedRule(rule, stored, timestamp(clock), store.people);
      store.rules.update('extract', changed);
      return ok(changed);
    },

    /** The dimension is named in the query: `?table=&column=` (platform-facts 3.1; design.md, section 5). */
    'extractRules.deleteByColumn'({ params, query }) {
      const table = query('table') ?? '';
      const column = query('column') ?? '';
      if (table === '' || column === '') {
        throw invalid(`${table === '' ? 'table' : 'column'}: required in the query, to name the dimension`);
      }
      return ok({ deleted: store.rules.deleteAll(cubeOf(params), { table, column }) });
    },

    'extractRules.delete'({ params: { ruleId } }) {
      if (!store.rules.delete('extract', ruleId)) {
        throw notFound('The rule', ruleId);
      }
      return ok({ _id: ruleId });
    },
  };
}
