import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import type { RunRequest, RunResult } from './testRunner.ts';

/** Runs tests in a separate process, which is replaced after it was killed at the time limit or has crashed. */
export class RunnerProcess implements AsyncDisposable {
  readonly #args: readonly string[];
  #child: Promise<ChildProcess> | undefined;

  /**
   * @param mode `reach` finds out which mutants each test reaches; `mutants` runs tests with one mutant at a time
   * @param sourceFiles all files that have mutants, relative to the project
   */
  constructor(mode: 'reach' | 'mutants', sourceFiles: readonly string[]) {
    this.#args = [mode, ...sourceFiles];
  }

  async #start(): Promise<ChildProcess> {
    const script = fileURLToPath(new URL('testRunner.ts', import.meta.url));
    const child = fork(script, this.#args, {
      cwd: projectRoot,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    await once(child, 'message');
    return child;
  }

  /** Returns `undefined` if the tests took longer than the time limit, or ended the process by using up its memory. */
  async run(request: RunRequest, timeLimitMs: number): Promise<RunResult | undefined> {
    this.#child ??= this.#start();
    const child = await this.#child;
    const timeout = AbortSignal.timeout(timeLimitMs);
    const stopWaiting = new AbortController();
    const signal = AbortSignal.any([timeout, stopWaiting.signal]);
    child.send(request);
    try {
      return await Promise.race([
        once(child, 'message', { signal }).then(([result]) => result as RunResult),
        once(child, 'exit', { signal }).then(() => undefined),
      ]);
    } catch (error) {
      if (!timeout.aborted) {
        throw error;
      }
      return undefined;
    } finally {
      stopWaiting.abort();
      if (timeout.aborted || hasEnded(child)) {
        await this[Symbol.asyncDispose]();
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = await this.#child;
    this.#child = undefined;
    if (child !== undefined && !hasEnded(child)) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;
