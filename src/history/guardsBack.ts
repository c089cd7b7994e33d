import type { JsonObject } from '../base/json.ts';
import type { Write } from '../writes/operation.ts';
import { guardEnd } from '../writes/ruleSetWrites.ts';
import type { HistoryEntry } from './entry.ts';
import type { InverseWrites } from './inverseWrites.ts';
import { itemsOf, textOf } from './read.ts';

/**
 * A change of rules behind guards goes back behind the same guards: those that it left behind stay until the end, and
 * those that are gone come back for as long as it takes.
 */
export class GuardsBack {
  readonly #entry: HistoryEntry;
  readonly #inverse: InverseWrites;
  /** What the ends of guards that were put up anew refer to. */
  readonly #ends: Write[] = [];

  constructor(entry: HistoryEntry, inverse: InverseWrites) {
    this.#entry = entry;
    this.#inverse = inverse;
  }

  /** To be called before anything else is taken back. */
  begin(): void {
    const { writes } = this.#entry.operation;
    const isBehind = writes.some(({ step }, index) => step !== 'guard' && this.#isDone(index));
    for (const [index, write] of writes.entries()) {
      if (!isGuard(write) || !this.#isDone(index)) {
        continue;
      }
      const left = this.#left(index);
      if (left !== undefined) {
        this.#ends.push(left);
      } else if (isBehind) {
        const made = { write: this.#inverse.add(write), from: [0, '_id'] };
        this.#ends.push(guardEnd(write.target.subject, made));
      }
    }
  }

  /** To be called when all the rest is taken back. */
  end(): void {
    for (const write of this.#ends) {
      this.#inverse.add(write);
    }
  }

  #isDone(index: number): boolean {
    return this.#entry.writes[index]?.state === 'done';
  }

  /** The deletion of a guard that is still there, by the id that the server answered. */
  #left(index: number): Write | undefined {
    const { writes } = this.#entry.operation;
    const end = writes.findIndex(({ made }) => made?.some((value) => value.write === index));
    const state = this.#entry.writes[index];
    const write = writes[index];
    if (this.#isDone(end) || state?.state !== 'done' || write === undefined || !isGuard(write)) {
      return undefined;
    }
    const { subject } = write.target;
    const rule: JsonObject = itemsOf(state.answer)[0] ?? {};
    const ruleId = textOf(rule['_id']);
    const { made: _made, ...rest } = guardEnd(subject, { write: index, from: [] });
    return ruleId === '' ? undefined : { ...rest, params: { ruleId } };
  }
}

type Guard = Write & { readonly target: Extract<NonNullable<Write['target']>, { kind: 'rules' }> };

const isGuard = (write: Write): write is Guard =>
  write.step === 'guard' && write.endpoint.endsWith('.create') && write.target?.kind === 'rules';
