import { sameJson } from '../base/canonicalJson.ts';
import type { JsonObject } from '../base/json.ts';
import { type RuleSubject, sameSubject } from '../catalog/ruleSubject.ts';
import { serverMadeRuleFields } from '../contract/rule.ts';
import { ruleSubjectsOf } from '../writes/affected.ts';
import { isLiveReplacement, replaceLiveRule } from '../writes/liveRuleReplacement.ts';
import type { Write } from '../writes/operation.ts';
import type { HistoryEntry } from './entry.ts';
import type { InverseWrites } from './inverseWrites.ts';
import { madeRules, ruleKey } from './madeRules.ts';
import { itemsOf, textOf } from './read.ts';
import { addRuleWrites, idOf, type RulesBack } from './ruleWritesBack.ts';

export const isRuleWrite = ({ endpoint }: Pick<Write, 'endpoint'>): boolean =>
  endpoint.startsWith('extractRules.') || endpoint.startsWith('liveRules.');

/** Whether an operation changes nothing but rules, which go back as one change. */
export const isRuleChange = ({ operation: { writes } }: HistoryEntry): boolean =>
  writes.length > 0 && writes.every((write) => isRuleWrite(write) && ruleSubjectsOf(write).length > 0);

/** Whose rules an entry is about. */
export function ruleSubjects({ operation, before }: HistoryEntry): readonly RuleSubject[] {
  const subjects = [
    ...operation.writes.filter(isRuleWrite).flatMap(ruleSubjectsOf),
    ...before.flatMap(({ ref }) => ('subject' in ref ? [ref.subject] : [])),
  ];
  return subjects.filter(
    (subject, index) => subjects.findIndex((one) => sameSubject(one, subject)) === index,
  );
}

/**
 * Takes a change of rules back, however far it came: what it added and is still there goes, what it deleted and is not
 * there comes back, what it changed is as it was, and guards that it left behind go last. What was done of a write that
 * did not end shows on the server.
 */
export function rulesBack(entry: HistoryEntry, inverse: InverseWrites): void {
  for (const subject of ruleSubjects(entry)) {
    const back = backOf(entry, subject, inverse);
    if (!replacesLiveRule(entry, { subject, back }, inverse)) {
      addRuleWrites(subject, back, inverse);
    }
  }
}

function backOf(entry: HistoryEntry, subject: RuleSubject, inverse: InverseWrites): RulesBack {
  const old = rulesBefore(entry, subject);
  const now = inverse.rules(subject);
  const made = madeRules(entry, { subject, now, old });
  for (const ruleId of made.missing) {
    inverse.miss({ kind: 'rule', subject, ruleId });
  }
  const touched = new Set(
    entry.operation.writes.flatMap((write, index) =>
      entry.writes[index]?.state === 'waiting' ? [] : touchedBy(write, old),
    ),
  );
  const claimed = new Set([...made.rules, ...made.guards].map(idOf));
  const again = new Again(
    entry,
    [...now.values()].filter((rule) => !old.has(idOf(rule)) && !claimed.has(idOf(rule))),
  );
  const before = [...old.values()].filter((rule) => touched.has(idOf(rule)));
  const missing = before.filter((rule) => !now.has(idOf(rule)) && !again.takes(rule));
  const changed = before.flatMap((rule) => {
    const is = now.get(idOf(rule));
    return is === undefined || saysSame(is, rule) ? [] : [{ before: is, after: rule }];
  });
  // A live rule has no update: what stands for it today goes, and it comes back.
  const isLive = subject.kind === 'live';
  return {
    adds: [...missing, ...(isLive ? changed.map(({ after }) => after) : [])],
    deletes: [...made.rules, ...(isLive ? changed.map((one) => one.before) : [])],
    updates: isLive ? [] : changed,
    leftGuards: made.guards,
  };
}

/** The rules of a subject as far as an entry has kept them, by their ids. */
function rulesBefore({ before }: HistoryEntry, subject: RuleSubject): ReadonlyMap<string, JsonObject> {
  const kept = before.filter(({ ref }) => 'subject' in ref && sameSubject(ref.subject, subject));
  const rules = kept.flatMap(({ ref, document }) =>
    itemsOf(ref.kind === 'rule' && document !== undefined ? [document] : document),
  );
  return new Map(rules.map((rule) => [idOf(rule), rule]));
}

/** The rules of before that a write changes or deletes. */
function touchedBy({ endpoint, params, batch, step }: Write, old: ReadonlyMap<string, JsonObject>) {
  if (step === 'guard') {
    return [];
  }
  if (endpoint.endsWith('.deleteByColumn')) {
    const { table, column } = params;
    return [...old.values()].filter((rule) => rule['table'] === table && rule['column'] === column).map(idOf);
  }
  return batch?.ids ?? [textOf(params['ruleId'])];
}

/** Rules that are there again under an id that nothing tells, as when bringing them back came to no end. */
class Again {
  readonly #places: readonly string[];
  readonly #rules: ReadonlyMap<string, JsonObject[]>;

  /** @param rules those that were not there before and that the operation did not make */
  constructor({ before }: HistoryEntry, rules: readonly JsonObject[]) {
    this.#rules = Map.groupBy(rules, ruleKey);
    // Elsewhere a rule that says the same may have been there all along.
    this.#places = before.flatMap(({ ref }) =>
      ref.kind === 'rules' ? [''] : ref.kind === 'columnRules' ? [placeOf(ref)] : [],
    );
  }

  /** Whether there is one for this rule; each is there for one. */
  takes(rule: JsonObject): boolean {
    const isKnown = this.#places.includes('') || this.#places.includes(placeOf(rule));
    return isKnown && this.#rules.get(ruleKey(rule))?.pop() !== undefined;
  }
}

const placeOf = ({ table, column }: { readonly table?: unknown; readonly column?: unknown }): string =>
  JSON.stringify([table, column]);

/** What is read by its meaning, and what is the server's. */
const readFields: readonly string[] = [
  ...serverMadeRuleFields,
  '_id',
  'server',
  'elasticube',
  'fullname',
  'live',
  'members',
  'allMembers',
  'exclusionary',
  'shares',
];

/** Whether two versions of a rule say the same: one that came back may be spelled otherwise. */
const saysSame = (a: JsonObject, b: JsonObject): boolean =>
  ruleKey(a) === ruleKey(b) && sameJson(a, b, (name) => readFields.includes(name));

/** A replaced live rule goes back the way it came. */
function replacesLiveRule(
  { operation }: HistoryEntry,
  { subject, back }: { readonly subject: RuleSubject; readonly back: RulesBack },
  inverse: InverseWrites,
): boolean {
  const [[next, ...others], [old, ...more]] = [back.deletes, back.adds];
  if (
    subject.kind !== 'live' ||
    next === undefined ||
    old === undefined ||
    others.length + more.length + back.leftGuards.length > 0 ||
    placeOf(next) !== placeOf(old) ||
    !isLiveReplacement(operation.writes)
  ) {
    return false;
  }
  const [, created] = inverse.addAll(replaceLiveRule(subject, next, old));
  if (created !== undefined) {
    inverse.move(idOf(old), { write: created[0], from: [0, '_id'] });
  }
  inverse.lose({ code: 'new-id', name: operation.subject.name });
  return true;
}
