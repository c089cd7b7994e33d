import type { JsonObject } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { ruleActionOf } from './ruleAction.ts';
import { type RuleChange, ruleWrites } from './ruleWrites.ts';
import type { Write } from '../model/operation.ts';
import type { InverseWrites } from '../model/inverseWrites.ts';
import { itemsOf, textOf } from '../model/read.ts';

/** What makes the rules of a subject those of before. */
export interface RulesBack {
  /** Rules that come back, under new ids (spec, "Data security rule"). */
  readonly adds: readonly JsonObject[];
  /** Rules that go, as they are now. */
  readonly deletes: readonly JsonObject[];
  readonly updates: NonNullable<RuleChange['updates']>;
}

/** Adds the writes that bring rules back, split as bulk writes are. */
export function addRuleWrites(
  subject: RuleSubject,
  { adds, deletes, updates }: RulesBack,
  inverse: InverseWrites,
): void {
  const writes = ruleWrites(subject, {
    adds,
    deletes: deletes.map((rule, index) => ({ rule, index })),
    updates,
  });
  const waiting = adds.values();
  for (const [index, write] of inverse.addAll(isSingle(writes) ? writes.map(plain) : writes)) {
    if (ruleActionOf(write) === 'create') {
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
  writes.length === 1 && (writes[0]?.batch?.ids?.length ?? itemsOf(writes[0]?.body).length) <= 1;

/** A write of one rule as a person would have sent it: it stands for no more than one request. */
function plain({ batch, ...write }: Write): Write {
  const [ruleId] = batch?.ids ?? [];
  return ruleId === undefined || write.target?.kind !== 'rules'
    ? write
    : { ...write, params: { ruleId }, target: { kind: 'rule', subject: write.target.subject, ruleId } };
}
