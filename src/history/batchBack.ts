import type { JsonObject } from '../base/json.ts';
import { readRules } from '../security/readRule.ts';
import { guardedRuleWrites } from '../writes/guardedRuleWrites.ts';
import type { Write } from '../writes/operation.ts';
import type { HistoryEntry } from './entry.ts';
import type { InverseWrites } from './inverseWrites.ts';
import { itemsOf, textOf } from './read.ts';

/** Whether an operation is a change of many rules, which goes back as one change. */
export const isBatch = ({ operation: { writes } }: HistoryEntry): boolean =>
  writes.length > 0 && writes.every(({ batch }) => batch !== undefined);

/**
 * Takes a change of many rules back, however far it came: what it deleted and is not there comes back under new ids,
 * what it added goes, guards that it left behind go last. What was done of a write that did not end shows on the
 * server. On the way back nobody sees more than before or after it, either: it is guarded as the change was.
 */
export function batchBack(entry: HistoryEntry, inverse: InverseWrites): void {
  const { writes } = entry.operation;
  const target = writes[0]?.target;
  if (target?.kind !== 'rules') {
    return;
  }
  const old = itemsOf(entry.before.find(({ ref }) => ref.kind === 'rules')?.document);
  const now = itemsOf(inverse.present(target));
  const there = new Set(now.map(idOf));
  const doomed = new Set(
    writes.flatMap(({ batch, step }, index) =>
      step === undefined && isBegun(entry, index) ? (batch?.ids ?? []) : [],
    ),
  );
  const gone = old.filter((rule) => doomed.has(idOf(rule)) && !there.has(idOf(rule)));
  const made = madeRules(entry, now, new Set(old.map(idOf)));
  const back = guardedRuleWrites(target.subject, {
    adds: gone,
    deletes: made.rules.map((rule, index) => ({ rule, index })),
    leftGuards: made.guards.map(idOf),
  });
  const waiting = gone.values();
  for (const write of back) {
    const index = inverse.add(write);
    if (write.step === undefined) {
      for (const place of itemsOf(write.body).keys()) {
        inverse.move(idOf(waiting.next().value ?? {}), { write: index, from: [place, '_id'] });
      }
    }
  }
  for (const { table, column } of gone) {
    inverse.lose({ code: 'new-id', name: `${textOf(table)}.${textOf(column)}` });
  }
}

const idOf = ({ _id: id }: JsonObject): string => textOf(id);

const isBegun = ({ writes }: HistoryEntry, index: number): boolean => writes[index]?.state !== 'waiting';

interface Made {
  readonly rules: readonly JsonObject[];
  readonly guards: readonly JsonObject[];
}

/** What the operation added and is still there. */
function madeRules(entry: HistoryEntry, now: readonly JsonObject[], old: ReadonlySet<string>): Made {
  const fresh = now.filter((rule) => !old.has(idOf(rule)));
  const byId = new Map(fresh.map((rule) => [idOf(rule), rule]));
  const byKey = Map.groupBy(fresh, keyOf);
  const claimed = new Set(answered(entry).map(idOf));
  const unclaimed = (alike: readonly JsonObject[]): readonly JsonObject[] => {
    const one = alike.find((rule) => !claimed.has(idOf(rule)));
    if (one === undefined) {
      return [];
    }
    claimed.add(idOf(one));
    return [one];
  };
  const ofWrite = (write: Write, index: number): readonly JsonObject[] => {
    const state = entry.writes[index];
    const answer = state?.state === 'done' ? state.answer : undefined;
    if (itemsOf(answer).length > 0) {
      return itemsOf(answer)
        .map((rule) => byId.get(idOf(rule)))
        .filter((rule) => rule !== undefined);
    }
    // A restoration leaves what was created where it is, and says so by leaving the answer out; never a guard.
    const isLeft = state?.state === 'waiting' || (state?.state === 'done' && write.step === undefined);
    return isLeft
      ? []
      : itemsOf(write.body).flatMap((rule): readonly JsonObject[] => unclaimed(byKey.get(keyOf(rule)) ?? []));
  };
  const [rules, guards]: [JsonObject[], JsonObject[]] = [[], []];
  for (const [index, write] of entry.operation.writes.entries()) {
    for (const rule of write.endpoint.endsWith('.create') ? ofWrite(write, index) : []) {
      (write.step === 'guard' ? guards : rules).push(rule);
    }
  }
  return { rules, guards };
}

/** What the server said it had made. */
const answered = ({ operation, writes }: HistoryEntry): readonly JsonObject[] =>
  writes.flatMap((state, index) =>
    state.state === 'done' && operation.writes[index]?.endpoint.endsWith('.create') === true
      ? itemsOf(state.answer)
      : [],
  );

/** What a rule says, however it is spelled. */
function keyOf(rule: JsonObject): string {
  const [read] = readRules([rule]);
  if (read === undefined) {
    return '';
  }
  const { table, column, grant, parties } = read;
  const content = grant === 'unclear' ? grant : [grant.kind, ...[...grant.values].sort()];
  return JSON.stringify([table, column, content, parties.map(({ type, id = '' }) => `${type}:${id}`).sort()]);
}
