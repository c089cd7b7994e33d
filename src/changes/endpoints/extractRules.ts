import { createExtractRuleChangePayload } from '../../client/payloads/rulePayload.ts';
import { asObject } from '../model/jsonMembers.ts';
import type { Write } from '../model/operation.ts';
import { getRuleContentWithoutParties, hasSamePartiesAndFlags } from '../rules/ruleContent.ts';
import type { Versions, WriteKinds } from '../model/writeKind.ts';
import {
  createColumnRulesDeletionKind,
  createRuleDeletionKind,
  createRuleCreationKind,
  createRuleUpdateKind,
} from './rules.ts';
import { matchesStored } from './matchesStored.ts';
import { getListBody, getObjectBody, getPathParams } from './requestParts.ts';

/** The writes of rules of extract datamodels and cube sets (rest-api.md, "Data security"). */
export const extractRuleKinds: WriteKinds<'extractRules'> = {
  'extractRules.create': createRuleCreationKind({
    send: (client, write) =>
      client.extractRules.create(getPathParams<'extractRules.create'>(write), getListBody(write)),
  }),
  'extractRules.update': createRuleUpdateKind({
    send: (client, write) =>
      client.extractRules.update(getPathParams<'extractRules.update'>(write), getObjectBody(write)),
    matchesRequest: matchesRule,
  }),
  'extractRules.delete': createRuleDeletionKind({
    send: (client, write) => client.extractRules.delete(getPathParams<'extractRules.delete'>(write)),
  }),
  'extractRules.deleteByColumn': createColumnRulesDeletionKind({
    send: (client, write) => {
      const { table = '', column = '' } = write.params;
      const names = getPathParams<'extractRules.deleteByColumn'>(write);
      return client.extractRules.deleteByColumn(names, { table, column });
    },
  }),
};

function matchesRule({ body, params }: Write, { current, previous }: Versions): boolean {
  const rule = createExtractRuleChangePayload(asObject(body), params['ruleId'] ?? '');
  return (
    matchesStored(
      getRuleContentWithoutParties(rule),
      getRuleContentWithoutParties(current),
      getRuleContentWithoutParties(previous),
    ) && hasSamePartiesAndFlags(rule, current)
  );
}
