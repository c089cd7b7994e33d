import type { JsonObject } from '../base/json.ts';
import type { RuleSubject } from '../catalog/ruleSubject.ts';
import { guardedRuleWrites, type RuleChange } from '../writes/guardedRuleWrites.ts';
import type { Write } from '../writes/operation.ts';
import type { InverseWrites } from './inverseWrites.ts';
import { itemsOf, textOf } from './read.ts';

/** What makes the rules of a subject those of before. */
export interface RulesBack {
  /** Rules that come back, under new ids (spec, "Data security rule"). */
  readonly adds: readonly JsonObject[];
  /** Rules that go, as they are now. */
  readonly deletes: readonly JsonObject[];
  readonly updates: NonNullable<RuleChange['updates']>;
  /** Guards that the operation left behind. */
  readonly leftGuards: readonly JsonObject[];
}

/**
 * Adds the writes that bring rules back: a single request as it is, all else behind guards, so that nobody sees on the
 * way what neither the rules of now nor those of before show, and split as bulk writes are (design.md, section 4).
 */
export function addRuleWrites(
  subject: RuleSubject,
  { adds, deletes, updates, leftGuards }: RulesBack,
  inverse: InverseWrites,
): void {
  const writes = guardedRuleWrites(subject, {
    adds,
    deletes: deletes.map((rule, index) => ({ rule, index })),
    updates,
    leftGuards: leftGuards.map(idOf),
  });
  const waiting = adds.values();
  for (const [index, write] of inverse.addAll(isSingle(writes) ? writes.map(plain) : writes)) {
    if (write.step === undefined && write.endpoint.endsWith('.create')) {
      for (const place of itemsOf(write.body).keys()) {
        inverse.move(idOf(waiting.next().value ?? {}), { write: index, from: [place, '_id'] });
      }
    }
  }
  for (const { table, column } of adds) {
    inverse.lose({ code: 'new-id', name: `${textOf(table)}.${textOf(column)}` });
  }
}

export const idOf = ({ _id: id }: JsonObject): string => textOf(id);

/** Whether a change is a single request for a single rule. */
const isSingle = (writes: readonly Write[]): boolean =>
  writes.length === 1 &&
  writes[0]?.step === undefined &&
  (writes[0]?.batch?.ids?.length ?? itemsOf(writes[0]?.body).length) <= 1;

/** A write of one rule as a person would have sent it: it stands for no more than one request. */
function plain({ batch, ...write }: Write): Write {
  const [ruleId] = batch?.ids ?? [];
  return ruleId === undefined || write.target?.kind !== 'rules'
    ? write
    : { ...write, params: { ruleId }, target: { kind: 'rule', subject: write.target.subject, ruleId } };
}
