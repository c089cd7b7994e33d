import type { Clock } from '../../base/clock.ts';
import type { JsonValue } from '../../base/json.ts';
import { ApiError } from '../../client/errors.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { hasUncertainEffect } from '../../client/uncertainEffect.ts';
import { isInDoubt, toSending, type WriteResult, type WriteState } from '../journal/entry.ts';
import type { RunningEntry } from '../journal/runningEntry.ts';
import type { Operation, Write } from '../model/operation.ts';
import type { RuleOutcome } from './ruleExecution.ts';
import { type DoneDetails, createDoneResult, createUnsuccessfulResult } from './writeResult.ts';

interface ResultRecorderDeps {
  readonly operation: Operation;
  /** The states of the writes, if the operation is continued. */
  readonly states?: readonly WriteState[] | undefined;
  readonly entry: RunningEntry;
  readonly client: Pick<PlatformClient, 'dialect'>;
  readonly clock: Clock;
}

/** The details of a write that failed, or whose outcome is unknown. */
interface UnsuccessfulDetails extends Pick<WriteResult, 'denied' | 'partly' | 'refused'> {
  readonly state: 'failed' | 'unknown';
  readonly startedAt: number;
  readonly error: unknown;
}

/** The details of the writes of a change of rules that are not done. */
interface RemainingDetails {
  readonly outcome: Pick<RuleOutcome, 'denyState' | 'hasChanged'>;
  readonly isUnknown: boolean;
  readonly startedAt: number;
  readonly error?: unknown;
}

/** Holds the states of the writes of an operation, and records them in its journal. */
export class ResultRecorder {
  readonly #deps: ResultRecorderDeps;
  readonly #states: WriteState[];
  /** The writes of which a request may have had an effect, or may still have one, by index. */
  readonly #inDoubt: Set<number>;
  /** The writes of which an earlier run has made a part, by index. */
  readonly #partlyDone: ReadonlySet<number>;

  constructor(deps: ResultRecorderDeps) {
    this.#deps = deps;
    this.#states = deps.operation.writes.map((_write, index) => deps.states?.[index] ?? { state: 'waiting' });
    this.#inDoubt = new Set(this.#states.flatMap((state, index) => (isInDoubt(state) ? [index] : [])));
    this.#partlyDone = new Set(
      this.#states.flatMap((state, index) => (state.partly === true ? [index] : [])),
    );
  }

  get states(): readonly WriteState[] {
    return this.#states;
  }

  /** The responses to the writes that are done, by index. */
  get responses(): readonly (JsonValue | undefined)[] {
    return this.#states.map((state) => (state.state === 'done' ? state.answer : undefined));
  }

  /** Returns the state of the write with this index. */
  getState(index: number): WriteState['state'] {
    return this.#states[index]?.state ?? 'waiting';
  }

  /** Returns whether a write isn't done, and may have had an effect, or may still have one. */
  isInDoubt(index: number): boolean {
    return isInDoubt(this.#states[index]);
  }

  /** Returns whether a write failed, and certainly had no effect. */
  isRefused(index: number): boolean {
    return isRefused(this.#states[index]);
  }

  /** Records that a write is about to be sent. */
  async recordSending(index: number): Promise<void> {
    await this.#deps.entry.recordSending(index);
    this.#states[index] = toSending(this.#states[index]);
  }

  /** Remembers that a request of a write may take effect later, whatever its further requests do. */
  markInDoubt(index: number): void {
    this.#inDoubt.add(index);
  }

  /** Records that a write is done. */
  recordDone(index: number, write: Write, details: DoneDetails): Promise<void> {
    return this.#record(index, createDoneResult(write, this.#deps.client, details));
  }

  /**
   * Records that a write failed, and whether that is certain: an earlier request without an answer may still take
   * effect.
   * @param error the error of its last request, or why none was sent; `undefined` if it is unknown
   */
  recordFailed(
    index: number,
    write: Write,
    { startedAt, error }: { readonly startedAt: number; readonly error: unknown },
  ): Promise<void> {
    if (error === undefined || (error instanceof ApiError && hasUncertainEffect(error))) {
      this.markInDoubt(index);
    }
    const refused = this.#inDoubt.has(index) ? {} : { refused: true as const };
    return this.recordUnsuccessful(index, write, { state: 'failed', startedAt, error, ...refused });
  }

  /** Records that a write failed, or that its outcome is unknown. */
  recordUnsuccessful(
    index: number,
    write: Write,
    { state, startedAt, error, ...details }: UnsuccessfulDetails,
  ): Promise<void> {
    const { client, clock } = this.#deps;
    const ms = clock.now() - startedAt;
    return this.#record(index, {
      ...createUnsuccessfulResult(write, client, { state, ms, error }),
      ...details,
    });
  }

  /** Records how far a change of rules got for those of its writes that are not done. */
  async recordRemaining(indices: readonly number[], details: RemainingDetails): Promise<void> {
    const { outcome, isUnknown, startedAt, error } = details;
    await Promise.all(
      indices.map(async (index) => {
        const write = this.#deps.operation.writes[index];
        if (write !== undefined) {
          await this.recordUnsuccessful(index, write, {
            state: isUnknown ? 'unknown' : 'failed',
            startedAt,
            error,
            ...(outcome.denyState === undefined ? {} : { denied: outcome.denyState }),
            ...(outcome.hasChanged || this.#partlyDone.has(index) ? { partly: true as const } : {}),
          });
        }
      }),
    );
  }

  async #record(index: number, result: WriteResult): Promise<void> {
    this.#states[index] = result;
    await this.#deps.entry.recordResult(index, result);
  }
}

/** Returns whether a write failed, and certainly had no effect. */
export const isRefused = (state: WriteState | undefined): boolean =>
  state?.state === 'failed' && state.refused === true;
