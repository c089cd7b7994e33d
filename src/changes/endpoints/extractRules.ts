import { extractRuleChangePayload } from '../../client/payloads/rulePayload.ts';
import { asObject } from '../model/read.ts';
import type { Write } from '../model/operation.ts';
import { ruleFields, sameParties } from '../rules/ruleSaying.ts';
import type { Versions, WriteKinds } from '../model/writeKind.ts';
import { columnRulesDeleted, ruleDeleted, rulesCreated, ruleUpdated } from './rules.ts';
import { agrees } from './sayings.ts';
import { listBody, objectBody, pathNames } from './sending.ts';
import { unknown } from './settling.ts';

/** The writes of rules of extract datamodels and cube sets (spec, "Data security"). */
export const extractRuleKinds: WriteKinds<'extractRules'> = {
  'extractRules.createMany': rulesCreated({
    send: (client, write, signal) => client.extractRules.createMany(listBody(write), signal),
    // Rules of several cubes have no list in common.
    settle: async () => unknown,
    findMade: async () => undefined,
    created: () => [],
  }),
  'extractRules.create': rulesCreated({
    send: (client, write, signal) =>
      client.extractRules.create(pathNames<'extractRules.create'>(write), listBody(write), signal),
  }),
  'extractRules.update': ruleUpdated({
    send: (client, write, signal) =>
      client.extractRules.update(pathNames<'extractRules.update'>(write), objectBody(write), signal),
    says: saysRule,
  }),
  'extractRules.delete': ruleDeleted({
    send: (client, write, signal) =>
      client.extractRules.delete(pathNames<'extractRules.delete'>(write), signal),
  }),
  'extractRules.deleteByColumn': columnRulesDeleted({
    send: (client, write, signal) => {
      const { table = '', column = '' } = write.params;
      const names = pathNames<'extractRules.deleteByColumn'>(write);
      return client.extractRules.deleteByColumn(names, { table, column }, signal);
    },
  }),
};

function saysRule({ body, params }: Write, { now, old }: Versions): boolean {
  const rule = extractRuleChangePayload(asObject(body), params['ruleId'] ?? '');
  return agrees(ruleFields(rule), ruleFields(now), ruleFields(old)) && sameParties(rule, now);
}
