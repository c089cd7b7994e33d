/** Bounds how many requests of one connection are under way at a time; the others wait in order. */
export class Limiter {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param limit at least 1 */
  constructor(limit: number) {
    this.#limit = Math.max(1, Math.floor(limit));
  }

  /**
   * Runs the task when its turn comes. A task whose signal aborts while it waits is not run.
   * @throws the signal's reason when it aborts before the turn, else whatever the task throws
   */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    await this.#turn(signal);
    try {
      return await task();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        this.#running += 1;
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal.reason);
      };
      if (this.#running < this.#limit) {
        start();
        return;
      }
      this.#waiting.push(start);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
