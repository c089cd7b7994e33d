import type { WriteKinds } from '../model/writeKind.ts';
import { columnRulesDeleted, ruleDeleted, rulesCreated } from './rules.ts';
import { listBody, pathNames } from './sending.ts';

/** The writes of rules of live datamodels; none changes a rule where it is (spec, "Data security, live datamodels"). */
export const liveRuleKinds: WriteKinds<'liveRules'> = {
  'liveRules.create': rulesCreated({
    send: (client, write, signal) =>
      client.liveRules.create(pathNames<'liveRules.create'>(write), listBody(write), signal),
  }),
  'liveRules.delete': ruleDeleted({
    send: (client, write, signal) => client.liveRules.delete(pathNames<'liveRules.delete'>(write), signal),
  }),
  'liveRules.deleteByColumn': columnRulesDeleted({
    send: (client, write, signal) =>
      client.liveRules.deleteByColumn(pathNames<'liveRules.deleteByColumn'>(write), signal),
  }),
};
