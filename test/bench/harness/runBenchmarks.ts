import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { canMatchFile } from './arguments.ts';
import { type Announcement, BenchFailedError, BenchProcess } from './benchProcess.ts';
import { type Figure, createExactFigure, createFigure } from './figures.ts';
import type { Comparison } from './comparison.ts';
import type { QuietMachine } from './quietMachine.ts';
import { type Times, measureInTurns } from './turns.ts';

const suffix = '.bench.ts';

/** What a run measures, and how. */
export interface RunOptions {
  /** The folder of this version of the product, which is built. */
  readonly root: string;
  /** The folder of another version to compare with, which is built. */
  readonly otherRoot: string | undefined;
  readonly filter: string;
  readonly machine: Pick<QuietMachine, 'waitUntilQuiet'>;
  readonly signal: AbortSignal;
  readonly print: (message: string) => void;
  readonly onFigure: (figure: Figure) => void;
}

/**
 * Runs the benchmarks that match a filter.
 * @returns the files whose comparisons couldn't all be measured
 */
export async function runBenchmarks(options: RunOptions): Promise<readonly string[]> {
  const files = readdirSync(join(options.root, 'test', 'bench'))
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length))
    .filter((file) => canMatchFile(options.filter, file))
    .toSorted();
  const failed: string[] = [];
  for (const file of files) {
    try {
      if (!(await new FileRun(file, options).run())) {
        failed.push(file);
      }
    } catch (error) {
      if (!(error instanceof BenchFailedError)) {
        throw error;
      }
      failed.push(file);
    }
  }
  return failed;
}

/** Runs one file with benchmarks, in a process for each version. */
class FileRun {
  readonly #file: string;
  readonly #options: RunOptions;
  /** The process of the other version; undefined without one, or after it couldn't run a comparison. */
  #other: BenchProcess | undefined;

  constructor(file: string, options: RunOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** Returns whether all comparisons were measured in this version. */
  async run(): Promise<boolean> {
    const { root, otherRoot, signal } = this.#options;
    await using stack = new AsyncDisposableStack();
    const start = (folder: string): BenchProcess =>
      stack.use(new BenchProcess(folder, `${this.#file}${suffix}`, signal));
    const ours = start(root);
    this.#other = otherRoot === undefined ? undefined : start(otherRoot);
    for (;;) {
      const [announcement, other] = await Promise.all([ours.nextComparison(), this.#other?.nextComparison()]);
      if (this.#other !== undefined && other?.comparison.name !== announcement?.comparison.name) {
        this.#dropOther(announcement?.comparison);
      }
      if (announcement === undefined) {
        return ours.hasSucceeded();
      }
      const name = `${this.#file}.${announcement.comparison.name}`;
      if (name.startsWith(this.#options.filter)) {
        this.#options.onFigure(await this.#measure(name, announcement, { ours, other }));
      }
      ours.endComparison();
      this.#other?.endComparison();
    }
  }

  async #measure(
    name: string,
    announcement: Announcement,
    { ours, other }: { readonly ours: BenchProcess; readonly other: Announcement | undefined },
  ): Promise<Figure> {
    const { comparison } = announcement;
    if (announcement.type === 'value') {
      const otherValue = this.#other !== undefined && other?.type === 'value' ? other.value : undefined;
      return createExactFigure(name, comparison, announcement.value, otherValue);
    }
    const wasQuiet = await this.#options.machine.waitUntilQuiet();
    return createFigure(name, comparison, { times: await this.#measureTimes(ours, comparison), wasQuiet });
  }

  /** Measures the comparison again on this version alone if the other one fails. */
  async #measureTimes(ours: BenchProcess, comparison: Comparison): Promise<readonly Times[]> {
    const other = this.#other;
    try {
      return await measureInTurns(other === undefined ? [ours] : [ours, other], comparison);
    } catch (error) {
      if (other === undefined || !(error instanceof BenchFailedError) || error.process !== other) {
        throw error;
      }
      this.#dropOther(comparison);
      return measureInTurns([ours], comparison);
    }
  }

  #dropOther(comparison: Comparison | undefined): void {
    const stopPoint = comparison === undefined ? 'the end' : `${this.#file}.${comparison.name}`;
    this.#options.print(`The other version can't run ${this.#file} further than to ${stopPoint}.`);
    this.#other = undefined;
  }
}
