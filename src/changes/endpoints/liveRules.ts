import type { WriteKinds } from '../model/writeKind.ts';
import { createColumnRulesDeletionKind, createRuleDeletionKind, createRuleCreationKind } from './rules.ts';
import { getListBody, getPathParams } from './requestParts.ts';

/**
 * The writes of rules of live datamodels; none changes a rule in place (rest-api.md, "Data security, live datamodels").
 */
export const liveRuleKinds: WriteKinds<'liveRules'> = {
  'liveRules.create': createRuleCreationKind({
    send: (client, write) =>
      client.liveRules.create(getPathParams<'liveRules.create'>(write), getListBody(write)),
  }),
  'liveRules.delete': createRuleDeletionKind({
    send: (client, write) => client.liveRules.delete(getPathParams<'liveRules.delete'>(write)),
  }),
  'liveRules.deleteByColumn': createColumnRulesDeletionKind({
    send: (client, write) =>
      client.liveRules.deleteByColumn(getPathParams<'liveRules.deleteByColumn'>(write)),
  }),
};
