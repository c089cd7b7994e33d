import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Flags that turn off optimizations, since the engine counts optimized code and rarely run code differently. */
const deterministicEngineFlags = [
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
  '--no-lazy-feedback-allocation',
];

/**
 * Counts the steps of a function at several sizes, in its own process: the blocks of code that run, as counted by the
 * engine for coverage, and the elements that built-in functions visit. The result is the same on every machine,
 * whatever its load.
 */
export class StepCounter {
  readonly #child: ChildProcess;

  /** @param cases the module whose `cases` are counted, each a function from a size to the work to count */
  constructor(cases: URL) {
    const script = fileURLToPath(new URL('stepsProcess.ts', import.meta.url));
    this.#child = fork(script, [cases.href], { execArgv: deterministicEngineFlags });
  }

  /**
   * Returns the steps of a case at each of the sizes.
   * @throws Error if the case throws; the counter can't be used afterwards
   */
  count(name: string, sizes: readonly number[]): Promise<readonly number[]> {
    return new Promise((resolve, reject) => {
      const child = this.#child;
      const onExit = (): void => reject(new Error(`The steps of "${name}" could not be counted`));
      child.once('exit', onExit);
      child.once('message', (steps) => {
        child.off('exit', onExit);
        resolve(steps as readonly number[]);
      });
      child.send({ name, sizes });
    });
  }

  dispose(): void {
    this.#child.disconnect();
  }
}
