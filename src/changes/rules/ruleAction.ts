import type { Write, WriteEndpointId } from '../model/operation.ts';
import type { WriteAction } from '../model/writeKind.ts';

type RuleEndpointId = Extract<WriteEndpointId, `${'extractRules' | 'liveRules'}.${string}`>;

/** The action of each rule endpoint. */
const actions: Readonly<Record<RuleEndpointId, WriteAction>> = {
  'extractRules.create': 'create',
  'extractRules.update': 'update',
  'extractRules.delete': 'delete',
  'extractRules.deleteByColumn': 'delete-many',
  'liveRules.create': 'create',
  'liveRules.delete': 'delete',
  'liveRules.deleteByColumn': 'delete-many',
};

/** Returns the action of a write on rules; `undefined` for other writes. */
export const getRuleAction = ({ endpoint }: Pick<Write, 'endpoint'>): WriteAction | undefined =>
  Object.hasOwn(actions, endpoint) ? actions[endpoint as RuleEndpointId] : undefined;

/** Returns whether a write creates, changes or deletes rules. */
export const isRuleWrite = (write: Pick<Write, 'endpoint'>): boolean => getRuleAction(write) !== undefined;

/**
 * Returns whether a write belongs to a group of rule writes (`RuleWriteGroup`), whose requests are sent in a computed,
 * safe order. Not if it deletes all rules of a column: that is a single request.
 */
export function isGroupedRuleWrite(write: Pick<Write, 'endpoint'>): boolean {
  const action = getRuleAction(write);
  return action !== undefined && action !== 'delete-many';
}
