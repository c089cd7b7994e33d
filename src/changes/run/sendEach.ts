import { type WriteRetryPolicy, getWaitMs, waitUnlessCanceled } from './writeRetryPolicy.ts';
import { ApiError } from '../../client/errors.ts';
import type { Clock } from '../../base/clock.ts';

/** The maximum number of concurrent requests; the connection may limit them further. */
const maxConcurrent = 4;

export interface SendEachDeps {
  readonly clock: Clock;
  readonly retryPolicy: WriteRetryPolicy;
  readonly signal?: AbortSignal | undefined;
  /** Called with the index of an item when its request is sent, and when it has succeeded. */
  readonly observer: {
    readonly onSent: (index: number) => void;
    readonly onAnswered: (index: number) => void;
  };
}

/**
 * Sends a request for each item, a few at a time. Retries while the server is busy. After any other failure, sends no
 * further requests, but completes those in progress.
 * @throws ApiError, or the signal's reason if it was canceled
 */
export async function sendEach<Item>(
  items: readonly Item[],
  send: (item: Item) => Promise<void>,
  deps: SendEachDeps,
): Promise<void> {
  const queue = items.entries();
  const sender = new ItemSender(send, deps);
  await Promise.all(
    Array.from({ length: Math.min(maxConcurrent, items.length) }, () => sender.sendFrom(queue)),
  );
  sender.throwIfStopped(items.length);
}

/** Sends the requests of concurrent workers. */
class ItemSender<Item> {
  readonly #send: (item: Item) => Promise<void>;
  readonly #deps: SendEachDeps;
  #doneCount = 0;
  /** The number of failures since the last successful request. */
  #failureCount = 0;
  #failure: unknown;
  /** The wait until the next attempt, which all workers share. */
  #waiting: Promise<void> | undefined;

  constructor(send: (item: Item) => Promise<void>, deps: SendEachDeps) {
    this.#send = send;
    this.#deps = deps;
  }

  /** Processes items from a queue that all workers share. */
  async sendFrom(queue: Iterator<readonly [index: number, item: Item]>): Promise<void> {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      while (!(await this.#trySend(...next.value))) {
        await this.#waiting;
      }
      if (this.#isStopped) {
        return;
      }
    }
  }

  /** @throws the error that stopped the workers, or the signal's reason */
  throwIfStopped(total: number): void {
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    if (this.#doneCount < total) {
      this.#deps.signal?.throwIfAborted();
    }
  }

  get #isStopped(): boolean {
    return this.#failure !== undefined || this.#deps.signal?.aborted === true;
  }

  /** @returns false if the request should be sent again */
  async #trySend(index: number, item: Item): Promise<boolean> {
    await this.#waiting;
    if (this.#isStopped) {
      return true;
    }
    try {
      this.#deps.observer.onSent(index);
      await this.#send(item);
      this.#failureCount = 0;
      this.#doneCount += 1;
      this.#deps.observer.onAnswered(index);
      return true;
    } catch (error) {
      return this.#handleFailure(error);
    }
  }

  /** @returns false if the request should be sent again */
  #handleFailure(failure: unknown): boolean {
    const { retryPolicy } = this.#deps;
    const error = failure instanceof ApiError ? failure : undefined;
    const pause = error && getWaitMs(error, this.#failureCount, retryPolicy);
    if (error === undefined || pause === undefined) {
      this.#failure ??= failure;
      return true;
    }
    if (this.#waiting === undefined) {
      this.#failureCount += 1;
      this.#waiting = waitUnlessCanceled(pause, error, this.#deps).finally(() => {
        this.#waiting = undefined;
      });
    }
    return false;
  }
}
