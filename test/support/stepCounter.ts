import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Code that the engine has optimized counts otherwise, and so does code that it has not met often. */
const plainEngine = ['--no-opt', '--no-maglev', '--no-sparkplug', '--no-lazy-feedback-allocation'];

/**
 * Counts what a function does at several sizes, in a process of its own: the blocks of code that run, as the engine
 * counts them for coverage, and what the built-in functions look through. The same on every machine, however busy.
 */
export class StepCounter {
  readonly #child: ChildProcess;

  /** @param cases the module whose `cases` are counted, each a function from a size to the work to count */
  constructor(cases: URL) {
    const script = fileURLToPath(new URL('stepsProcess.ts', import.meta.url));
    this.#child = fork(script, [cases.href], { execArgv: plainEngine });
  }

  /**
   * The steps of a case at each of the sizes.
   * @throws where the case does; the counter has ended then
   */
  count(name: string, sizes: readonly number[]): Promise<readonly number[]> {
    return new Promise((resolve, reject) => {
      const child = this.#child;
      const onExit = (): void => reject(new Error(`The steps of "${name}" could not be counted`));
      child.once('exit', onExit);
      child.once('message', (counted) => {
        child.off('exit', onExit);
        resolve(counted as readonly number[]);
      });
      child.send({ name, sizes });
    });
  }

  end(): void {
    this.#child.disconnect();
  }
}
