import { sameJson } from '../../base/canonicalJson.ts';
import type { JsonObject } from '../../base/json.ts';
import { type RuleSubject, sameSubject } from '../../catalog/ruleSubject.ts';
import { denies, type HeldRule, holdRules, says, spotOf } from '../rules/heldRule.ts';
import { reverseTarget } from '../rules/reverseTarget.ts';
import { isRuleWrite, ruleActionOf } from '../rules/ruleAction.ts';
import { remainingItems, RulesChangedError, RulesDifferError } from '../rules/ruleItems.ts';
import { type RuleTarget, ruleTarget } from '../rules/ruleTarget.ts';
import { placeRuleFields } from '../../contract/rule.ts';
import { ruleSubjectsOf } from '../model/ruleSubjects.ts';
import { isLiveReplacement, liveRuleReplacement } from '../rules/ruleWrites.ts';
import type { Write } from '../model/operation.ts';
import { ruleEdits } from '../rules/ruleEdits.ts';
import { ruleGroups } from '../rules/ruleGroup.ts';
import type { HistoryEntry } from './entry.ts';
import type { InverseWrites } from '../model/inverseWrites.ts';
import { madeRules, ruleKey } from './madeRules.ts';
import { itemsOf, textOf } from '../model/read.ts';
import { addRuleWrites, idOf, type RulesBack } from '../rules/ruleWritesBack.ts';

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
 * there comes back, what it changed is as it was, and temporary deny rules that it left go. What was done of a write
 * that did not end shows on the server.
 */
export function rulesBack(entry: HistoryEntry, inverse: InverseWrites): void {
  for (const subject of ruleSubjects(entry)) {
    rulesOfSubjectBack(entry, subject, inverse);
  }
}

/** The same for the rules of one datamodel or cube set. */
export function rulesOfSubjectBack(entry: HistoryEntry, subject: RuleSubject, inverse: InverseWrites): void {
  const back =
    entry.end === 'done' || isOfColumn(entry)
      ? backOf(entry, subject, inverse)
      : stoppedBack(entry, subject, inverse);
  if (!replacesLiveRule(entry, { subject, back }, inverse)) {
    addRuleWrites(subject, back, inverse);
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
  const claimed = new Set(made.rules.map(idOf));
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
  };
}

/** All rules of a column went by one request, which was carried out or was not. */
const isOfColumn = ({ operation: { writes } }: HistoryEntry): boolean =>
  writes.some((write) => ruleActionOf(write) === 'delete-many');

/** The way back from a change that came to no end, from nothing but the rules that the server has. */
function stoppedBack(entry: HistoryEntry, subject: RuleSubject, inverse: InverseWrites): RulesBack {
  const { writes } = entry.operation;
  const groups = ruleGroups(writes).filter((group) => sameSubject(group.subject, subject));
  const sent = groups
    .flatMap((group) => group.writes)
    .filter((index) => entry.writes[index]?.state !== 'waiting');
  const former = [...rulesBefore(entry, subject).values()];
  const { edits, denied: ofWrites } = ruleEdits({ subject, writes: sent }, writes, former);
  const target = ruleTarget(subject.kind, former, edits);
  const denied = new Set([...entry.denied, ...ofWrites]);
  const current = holdRules([...inverse.rules(subject).values()]);
  try {
    remainingItems(current, target, { denied, made: new Set(entry.made), sent: new Set(target.wanted) });
  } catch (error) {
    if (error instanceof RulesChangedError) {
      // Somebody else has changed it since, which the check before the first write finds.
      inverse.miss({ kind: 'rule', subject, ruleId: idOf(error.rule) });
    } else if (!(error instanceof RulesDifferError)) {
      throw error;
    }
  }
  const back = reverseTarget(current, target, denied, new Set(entry.made));
  const wanted = back.wanted.filter(({ isEdited }) => isEdited);
  const staying = new Set(back.wanted.flatMap((one) => one.former?.id ?? []));
  const frozen = frozenRules(current, back, denied);
  const changed = [
    ...wanted.flatMap((one) =>
      one.former === undefined || says(one.former, one.held)
        ? []
        : [{ before: one.former.rule, after: one.held.rule }],
    ),
    ...frozen,
  ];
  const isLive = subject.kind === 'live';
  const frozenNow = new Set(frozen.map(({ before }) => before));
  const going = [...back.former.values()]
    .filter(({ id, rule }) => !staying.has(id) && !frozenNow.has(rule))
    .map(({ rule }) => rule);
  return {
    adds: [
      ...wanted.filter((one) => one.former === undefined).map(({ held }) => held.rule),
      ...(isLive ? changed.map(({ after }) => after) : []),
    ],
    deletes: [...going, ...(isLive ? changed.map(({ before }) => before) : [])],
    updates: isLive ? [] : changed,
  };
}

/** Rules that the operation was not about and that it has denied in their places, for as long as it changed others. */
function frozenRules(
  current: readonly HeldRule[],
  { wanted }: RuleTarget,
  denied: ReadonlySet<string>,
): RulesBack['updates'] {
  const bySpot = Map.groupBy(current, spotOf);
  return wanted.flatMap(({ held, isEdited }) => {
    const there = bySpot.get(spotOf(held)) ?? [];
    const now = there.find((rule) => denies(rule) && denied.has(spotOf(rule)));
    return isEdited || now === undefined || there.some((rule) => says(rule, held))
      ? []
      : [{ before: now.rule, after: held.rule }];
  });
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
function touchedBy(write: Write, old: ReadonlyMap<string, JsonObject>) {
  const { params, batch } = write;
  if (ruleActionOf(write) === 'delete-many') {
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
const readFields: readonly string[] = [...placeRuleFields, 'members', 'allMembers', 'exclusionary', 'shares'];

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
    others.length + more.length > 0 ||
    placeOf(next) !== placeOf(old) ||
    !isLiveReplacement(operation.writes)
  ) {
    return false;
  }
  const [created] = inverse.addAll(liveRuleReplacement(subject, next, old));
  if (created !== undefined) {
    inverse.move(idOf(old), { write: created[0], from: [0, '_id'] });
  }
  inverse.lose({ code: 'new-id', name: operation.subject.name });
  return true;
}
