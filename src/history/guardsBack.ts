import type { Write } from '../writes/operation.ts';
import { guardEnd } from '../writes/ruleSetWrites.ts';
import type { HistoryEntry } from './entry.ts';
import type { InverseWrites } from './inverseWrites.ts';
import { itemsOf, textOf } from './read.ts';

/**
 * A change of rules behind guards, as part of a larger one, goes back behind the same guards: those that it left behind
 * stay until the end, and those that are gone come back for as long as it takes.
 */
export class GuardsBack {
  readonly #entry: HistoryEntry;
  readonly #inverse: InverseWrites;
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
      const left = this.#left(index, write);
      const guards = itemsOf(write.body);
      this.#ends.push(...left);
      if (isBehind && left.length < guards.length) {
        const made = this.#inverse.add(write);
        const { subject } = write.target;
        this.#ends.push(
          ...guards.map((_guard, place) => guardEnd(subject, { write: made, from: [place, '_id'] })),
        );
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

  /** The deletions of guards that are still there, by the ids that the server answered. */
  #left(index: number, { target: { subject } }: Guard): readonly Write[] {
    const state = this.#entry.writes[index];
    const answered = state?.state === 'done' ? itemsOf(state.answer) : [];
    return answered.flatMap((guard) => {
      const ruleId = textOf(guard['_id']);
      const { made: _made, ...end } = guardEnd(subject, { write: index, from: [] });
      return this.#inverse.rules(subject).has(ruleId) ? [{ ...end, params: { ruleId } }] : [];
    });
  }
}

type Guard = Write & { readonly target: Extract<NonNullable<Write['target']>, { kind: 'rules' }> };

const isGuard = (write: Write): write is Guard =>
  write.step === 'guard' && write.endpoint.endsWith('.create') && write.target?.kind === 'rules';
