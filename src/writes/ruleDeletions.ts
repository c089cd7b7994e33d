import { type Patience, pauseFor, waitFor } from '../api/bulk/patience.ts';
import { ApiError, HttpError } from '../api/errors.ts';
import type { PlatformClient } from '../api/platformClient.ts';
import type { Clock } from '../base/clock.ts';
import type { RuleSubject } from '../catalog/ruleSubject.ts';

/** Requests that are under way at a time; the connection bounds them further. */
const atOnce = 4;

interface DeletionDeps {
  readonly client: PlatformClient;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/**
 * Deletes rules one by one, a few at a time. One that is gone already is as it should be. What is busy is waited for;
 * at any other failure no further request begins, and those under way come to their end.
 * @throws ApiError, and the signal's reason when it was cancelled between two requests
 */
export async function deleteRules(
  subject: RuleSubject,
  ids: readonly string[],
  deps: DeletionDeps,
): Promise<void> {
  const queue = ids.values();
  const run = new Deletions(subject, deps);
  await Promise.all(Array.from({ length: atOnce }, () => run.work(queue)));
  run.finish(ids.length);
}

class Deletions {
  readonly #subject: RuleSubject;
  readonly #deps: DeletionDeps;
  #done = 0;
  /** Failures since the last rule that went. */
  #failures = 0;
  #failure: unknown;
  /** What all wait for that have to wait. */
  #waiting: Promise<void> | undefined;

  constructor(subject: RuleSubject, deps: DeletionDeps) {
    this.#subject = subject;
    this.#deps = deps;
  }

  /** Takes ids from a queue that others take from, too. */
  async work(queue: Iterator<string>): Promise<void> {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      while (!(await this.#tried(next.value))) {
        await this.#waiting;
      }
      if (this.#isOver) {
        return;
      }
    }
  }

  /** @throws what kept it from going on */
  finish(total: number): void {
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    if (this.#done < total) {
      this.#deps.signal?.throwIfAborted();
    }
  }

  get #isOver(): boolean {
    return this.#failure !== undefined || this.#deps.signal?.aborted === true;
  }

  /** @returns false when it is to be tried again */
  async #tried(ruleId: string): Promise<boolean> {
    await this.#waiting;
    if (this.#isOver) {
      return true;
    }
    try {
      await this.#delete(ruleId);
      this.#failures = 0;
      this.#done += 1;
      this.#deps.onProgress?.(this.#done);
      return true;
    } catch (error) {
      return this.#bear(error);
    }
  }

  async #delete(ruleId: string): Promise<void> {
    const { client } = this.#deps;
    try {
      await (this.#subject.kind === 'live'
        ? client.liveRules.delete({ ruleId })
        : client.extractRules.delete({ ruleId }));
    } catch (error) {
      if (!(error instanceof HttpError && error.status === 404)) {
        throw error;
      }
    }
  }

  /** @returns whether it is over */
  #bear(reason: unknown): boolean {
    const { patience, clock, signal } = this.#deps;
    const pause = reason instanceof ApiError ? pauseFor(reason, this.#failures, patience) : undefined;
    if (pause === undefined) {
      this.#failure ??= reason;
      return true;
    }
    if (this.#waiting === undefined) {
      this.#failures += 1;
      this.#waiting = waitFor(pause, { clock, signal, patience }).finally(() => {
        this.#waiting = undefined;
      });
    }
    return false;
  }
}
