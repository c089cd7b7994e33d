import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { RuleSubject } from '../catalog/ruleSubject.ts';
import { guardsOf } from '../security/change/guards.ts';
import type { Write } from './operation.ts';
import { guardEnd } from './ruleSetWrites.ts';

type LiveSubject = Extract<RuleSubject, { kind: 'live' }>;

/**
 * A live rule has no update (spec, "Data security, live datamodels"), so a new one takes the place of the old in
 * steps: guards that let the parties of both see *Nothing*, the new rule, the old one's end, the guards' end.
 * *Nothing* wins over every other rule in every published combination (platform-facts 3.3) and several columns narrow
 * each other, so between the first step and the last the parties see no value at all; before it they see what the old
 * rule shows and after it what the new one does. Whoever carries the writes out stops at the first that fails, and
 * goes on or takes back what was done: a guard only ever hides.
 *
 * One request puts the guards up; the second is always the new rule, the third the old one's end. Where only one of
 * the rules names the default party, whoever has no other rule sees what the one or the other shows without a guard. So
 * one guard does for any two rules that are as the spec wants them: either of the default party alone or of others.
 * @param old the rule as the server has it, with its `_id`
 * @param next what a person wrote; ids and what the server makes are stripped when it is sent
 */
export function replaceLiveRule(subject: LiveSubject, old: JsonObject, next: JsonObject): readonly Write[] {
  const { title } = subject;
  const ruleId = typeof old['_id'] === 'string' ? old['_id'] : '';
  const list = { kind: 'rules', subject } as const;
  const guards = guardsFor(old, next);
  return [
    { endpoint: 'liveRules.create', params: { title }, body: guards, target: list, step: 'guard' },
    { endpoint: 'liveRules.create', params: { title }, body: [next], target: list, step: 'replaced' },
    {
      endpoint: 'liveRules.delete',
      params: { ruleId },
      target: { kind: 'rule', subject, ruleId },
      step: 'replaced',
    },
    ...guards.map((_guard, place) => guardEnd(subject, { write: 0, from: [place, '_id'] })),
  ];
}

/** *Nothing* on the column of the old rule, for the parties of both: several columns narrow each other. */
function guardsFor(old: JsonObject, next: JsonObject): readonly JsonObject[] {
  const [ofOld, ofNext] = [sharesIn(old), sharesIn(next)];
  const isDefaultInBoth = ofOld.some(isDefault) && ofNext.some(isDefault);
  const shares = [...ofOld, ...ofNext].filter((share) => isDefaultInBoth || !isDefault(share));
  const guards = guardsOf([{ ...old, shares }], 'live');
  const { table = null, column = null } = old;
  const ofNobody = { table, column, datatype: 'text', members: [], allMembers: false, shares: [] };
  // What rules hold came out of JSON or is made of texts and lists.
  return (guards.length === 0 ? [ofNobody] : guards) as unknown as readonly JsonObject[];
}

const sharesIn = ({ shares }: JsonObject): readonly JsonObject[] =>
  (Array.isArray(shares) ? (shares as readonly JsonValue[]) : []).filter(isJsonObject);

const isDefault = ({ type }: JsonObject): boolean => type === 'default';

/** Whether an operation replaces a live rule. */
export const isLiveReplacement = (writes: readonly Write[]): boolean => {
  const [guards, created, deleted, ...ends] = writes;
  return (
    guards?.endpoint === 'liveRules.create' &&
    guards.step === 'guard' &&
    guards.batch === undefined &&
    created?.endpoint === 'liveRules.create' &&
    created.step === 'replaced' &&
    deleted?.endpoint === 'liveRules.delete' &&
    deleted.step === 'replaced' &&
    ends.length > 0 &&
    ends.every(({ step, made }) => step === 'guard' && made?.every(({ write }) => write === 0) === true)
  );
};
