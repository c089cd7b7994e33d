import { isJsonObject, type JsonObject, type JsonValue, stringify } from '../base/json.ts';
import type { RuleSubject } from '../catalog/ruleSubject.ts';
import type { Write } from './operation.ts';

type LiveSubject = Extract<RuleSubject, { kind: 'live' }>;

/**
 * A live rule has no update (spec, "Data security, live datamodels"), so a new one takes the place of the old in four
 * steps: a guard that lets the parties of both see *Nothing*, the new rule, the old one's end, the guard's end.
 * *Nothing* wins over every other rule in every published combination (platform-facts 3.3) and several columns narrow
 * each other, so between the first step and the last the parties see no value at all; before it they see what the old
 * rule shows and after it what the new one does. Whoever carries the writes out stops at the first that fails, and
 * goes on or takes back what was done: the guard only ever hides.
 * @param old the rule as the server has it, with its `_id`
 * @param next what a person wrote; ids and what the server makes are stripped when it is sent
 */
export function replaceLiveRule(subject: LiveSubject, old: JsonObject, next: JsonObject): readonly Write[] {
  const { title } = subject;
  const ruleId = typeof old['_id'] === 'string' ? old['_id'] : '';
  const list = { kind: 'rules', subject } as const;
  return [
    {
      endpoint: 'liveRules.create',
      params: { title },
      body: [guardOf(old, next)],
      target: list,
      step: 'guard',
    },
    { endpoint: 'liveRules.create', params: { title }, body: [next], target: list, step: 'replaced' },
    {
      endpoint: 'liveRules.delete',
      params: { ruleId },
      target: { kind: 'rule', subject, ruleId },
      step: 'replaced',
    },
    {
      endpoint: 'liveRules.delete',
      params: {},
      target: list,
      made: [{ into: ['params', 'ruleId'], write: 0, from: [0, '_id'] }],
      step: 'guard',
    },
  ];
}

/** *Nothing* on the column of the old rule, for the parties of both rules (platform-facts 3.2). */
function guardOf(old: JsonObject, next: JsonObject): JsonObject {
  const { table = null, column = null, datatype = null } = old;
  const shares = new Map([...sharesOf(old), ...sharesOf(next)].map((share) => [stringify(share), share]));
  return {
    table,
    column,
    datatype: datatype ?? 'text',
    members: [],
    allMembers: false,
    shares: [...shares.values()],
  };
}

/** Each party in one spelling, without what the server makes of it. */
const sharesOf = ({ shares }: JsonObject): readonly JsonObject[] =>
  (Array.isArray(shares) ? (shares as readonly JsonValue[]) : []).filter(isJsonObject).map((share) => {
    const { type = null } = share;
    const party = share['partyId'] ?? share['party'];
    return type === 'default' || party === undefined ? { type } : { partyId: party, type };
  });

/** Whether an operation replaces a live rule. */
export const isLiveReplacement = (writes: readonly Write[]): boolean =>
  writes.length === 4 &&
  writes[0]?.endpoint === 'liveRules.create' &&
  writes[0].step === 'guard' &&
  writes[0].batch === undefined;
