import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import type { RunRequest, RunResult } from './testRunner.ts';

/** Runs tests in a separate process, which is killed and replaced if the tests exceed the time limit. */
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

  /** Returns `undefined` if the tests took longer than the time limit. */
  async run(request: RunRequest, timeLimitMs: number): Promise<RunResult | undefined> {
    this.#child ??= this.#start();
    const child = await this.#child;
    const timeout = AbortSignal.timeout(timeLimitMs);
    child.send(request);
    try {
      const [result] = await once(child, 'message', { signal: timeout });
      return result as RunResult;
    } catch (error) {
      if (!timeout.aborted) {
        throw error;
      }
      await this[Symbol.asyncDispose]();
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = await this.#child;
    this.#child = undefined;
    if (child !== undefined) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
}
