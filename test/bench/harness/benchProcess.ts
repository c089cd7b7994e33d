import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import type { FromBench, Side, ToBench } from './comparison.ts';

/** How long a process may take to clean up before it is killed. */
const stopTimeoutMs = 10_000;

/** A comparison as a process announces it: to be measured, or with its value. */
export type Announcement = Exclude<FromBench, { type: 'measured' }>;

/** A benchmark ended before a measurement was done. Its process has printed why. */
export class BenchFailedError extends Error {
  override readonly name = 'BenchFailedError';
  readonly process: BenchProcess;

  constructor(process: BenchProcess) {
    super('A benchmark failed');
    this.process = process;
  }
}

/** The process of a benchmark in one version of the product. */
export class BenchProcess implements AsyncDisposable {
  readonly #child: ReturnType<typeof fork>;
  readonly #messages: AsyncIterator<unknown[], undefined>;
  readonly #exited: Promise<number | null>;

  /** @param root the folder of the version, with `test/bench` */
  constructor(root: string, file: string, signal: AbortSignal) {
    this.#child = fork(join(root, 'test', 'bench', file), {
      cwd: root,
      execArgv: ['--expose-gc'],
      // Results are printed by the harness only.
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    // The channel is closed after the last message was received, and that can be after the exit.
    this.#messages = on(this.#child, 'message', { close: ['disconnect'], signal });
    this.#exited = once(this.#child, 'exit').then(([code]) => code as number | null);
  }

  /** Returns the next comparison; `undefined` after the last one, or if the benchmark failed. */
  async nextComparison(): Promise<Announcement | undefined> {
    const message = await this.#receive();
    if (message?.type === 'measured') {
      throw new BenchFailedError(this);
    }
    return message;
  }

  /** @throws BenchFailedError */
  async measure(side: Side, pair: number): Promise<number> {
    this.#send({ type: 'measure', side, pair });
    const message = await this.#receive();
    if (message?.type !== 'measured') {
      throw new BenchFailedError(this);
    }
    return message.ms;
  }

  endComparison(): void {
    this.#send({ type: 'end' });
  }

  /** Returns whether the process ended as it should. */
  async hasSucceeded(): Promise<boolean> {
    return (await this.#exited) === 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.connected) {
      this.#child.disconnect();
    }
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), stopTimeoutMs);
    await this.#exited;
    clearTimeout(timer);
  }

  async #receive(): Promise<FromBench | undefined> {
    const result = await this.#messages.next();
    return result.done === true ? undefined : (result.value[0] as FromBench);
  }

  #send(message: ToBench): void {
    // If the process has ended, sending fails. That is reported when no response arrives.
    this.#child.send(message, () => undefined);
  }
}
