import type { Write, WriteEndpointId } from '../model/operation.ts';
import type { WriteAction } from '../model/writeKind.ts';

type RuleEndpointId = Extract<WriteEndpointId, `${'extractRules' | 'liveRules'}.${string}`>;

/** What each write of rules does to them. */
const actions: Readonly<Record<RuleEndpointId, WriteAction>> = {
  'extractRules.createMany': 'create',
  'extractRules.create': 'create',
  'extractRules.update': 'update',
  'extractRules.delete': 'delete',
  'extractRules.deleteByColumn': 'delete-many',
  'liveRules.create': 'create',
  'liveRules.delete': 'delete',
  'liveRules.deleteByColumn': 'delete-many',
};

/** What a write does to rules; `undefined` for one that is about something else. */
export const getRuleAction = ({ endpoint }: Pick<Write, 'endpoint'>): WriteAction | undefined =>
  Object.hasOwn(actions, endpoint) ? actions[endpoint as RuleEndpointId] : undefined;

export const isRuleWrite = (write: Pick<Write, 'endpoint'>): boolean => getRuleAction(write) !== undefined;

/**
 * Whether a write changes rules of one datamodel in a way that has an order. All rules of a column go by one request, and
 * rules for several cubes come by one.
 */
export function isRuleChangeWrite(write: Write): boolean {
  const { endpoint, target } = write;
  const action = getRuleAction(write);
  return (
    action !== undefined &&
    action !== 'delete-many' &&
    endpoint !== 'extractRules.createMany' &&
    target !== undefined &&
    'subject' in target
  );
}
