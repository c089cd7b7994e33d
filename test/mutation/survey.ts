import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import { findFiles, readIfExists } from '../editor/support/findFiles.ts';
import { RunnerProcess } from './runnerProcess.ts';
import type { TestFileReach, TestSelection } from './testRunner.ts';

const surveyTimeLimitMs = 1_200_000;
const cacheFile = join(projectRoot, 'test', '.artifacts', 'mutation.json');
const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)/g;

/** What the tests of a file reach, and the hash of all that it depends on. */
type CacheEntry = Omit<TestFileReach, 'reached' | 'tests'> & {
  readonly hash: string;
  readonly reached: readonly string[];
  readonly tests: readonly {
    readonly id: string;
    readonly milliseconds: number;
    readonly reached: readonly string[];
  }[];
};

/** The tests that reach a change, those most likely to notice it first. */
export interface ReachingTests {
  readonly tests: readonly TestSelection[];
  readonly milliseconds: number;
  /** The most steps of a file among them. */
  readonly steps: number;
}

/** Finds out which tests reach which changes. What it finds is kept for as long as the files are the same. */
export class Survey {
  readonly #sourceFiles: readonly string[];
  readonly #names: readonly string[];
  readonly #texts = new Map<string, string>();
  #entries: readonly CacheEntry[] = [];

  /**
   * @param sourceFiles all files with changes
   * @param names the file and the index within the file of each change, by identifier
   */
  constructor(sourceFiles: readonly string[], names: readonly string[]) {
    this.#sourceFiles = sourceFiles;
    this.#names = names;
  }

  /**
   * Runs the tests that import one of these files, unless it is known what they reach.
   * @param testPath the folder or file of the tests
   */
  async run(files: ReadonlySet<string>, testPath: string): Promise<void> {
    const cached = await readIfExists(cacheFile);
    const known: CacheEntry[] = cached === undefined ? [] : JSON.parse(cached.toString());
    const tool = this.#read('test/mutation/mutants.ts');
    const testFiles = findFiles(projectRoot, 'test/unit/**/*.test.ts').filter((file) =>
      file.startsWith(testPath),
    );
    const needed = testFiles.flatMap((file) => {
      const closure = this.#findImports(file);
      const hash = createHash('sha256').update(tool);
      closure.forEach((path) => hash.update(this.#read(path)));
      return closure.some((path) => files.has(path)) ? [{ file, hash: hash.digest('hex') }] : [];
    });
    const hashes = new Map(needed.map(({ file, hash }) => [file, hash]));
    const valid = known.filter(({ file, hash }) => hashes.get(file) === hash);
    const validFiles = new Set(valid.map(({ file }) => file));
    const missing = needed.filter(({ file }) => !validFiles.has(file));
    process.stdout.write(`${missing.length} of ${needed.length} test files are surveyed\n`);
    const found = await this.#survey(missing.map(({ file }) => file));
    const isReplaced = new Set(needed.map(({ file }) => file));
    this.#entries = [
      ...valid,
      ...found.map((reach): CacheEntry => ({ ...this.#name(reach), hash: hashes.get(reach.file) ?? '' })),
    ];
    mkdirSync(dirname(cacheFile), { recursive: true });
    writeFileSync(
      cacheFile,
      JSON.stringify([...known.filter(({ file }) => !isReplaced.has(file)), ...this.#entries]),
    );
  }

  async #survey(files: readonly string[]): Promise<readonly TestFileReach[]> {
    if (files.length === 0) {
      return [];
    }
    await using runner = new RunnerProcess('survey', this.#sourceFiles);
    const request = { mutant: undefined, maxSteps: Infinity, tests: files.map((file) => ({ file })) };
    const result = await runner.run(request, surveyTimeLimitMs);
    const failed = result?.files.filter(({ didPass }) => !didPass).map(({ file }) => file);
    if (result === undefined || failed === undefined || failed.length > 0) {
      throw new Error(`Tests fail without a change: ${failed?.join(', ') ?? 'time limit'}`);
    }
    return result.files;
  }

  #name({ reached, tests, ...reach }: TestFileReach): Omit<CacheEntry, 'hash'> {
    const name = (ids: readonly number[]): readonly string[] => ids.map((id) => this.#names[id] ?? '');
    return {
      ...reach,
      reached: name(reached),
      tests: tests.map((test) => ({ ...test, reached: name(test.reached) })),
    };
  }

  /** @param id the identifier of a change of one of the files of the survey */
  findTests(id: number): ReachingTests {
    const name = this.#names[id] ?? '';
    const [file = ''] = name.split('#');
    const folder = dirname(file).replace(/^src/, 'test/unit');
    const distance = (path: string): number => {
      if (path.startsWith(`${folder}/`)) {
        return basename(path, '.test.ts') === basename(file, '.ts') ? 0 : 1;
      }
      return 2;
    };
    const selections = this.#entries
      .flatMap((entry) => {
        const tests = entry.tests.filter(({ reached }) => reached.includes(name));
        const isWhole = entry.reached.includes(name);
        const run = isWhole ? entry.tests : tests;
        const milliseconds = run.reduce((sum, test) => sum + test.milliseconds, 0);
        const selection: TestSelection = isWhole
          ? { file: entry.file }
          : { file: entry.file, testIds: tests.map((test) => test.id) };
        return run.length === 0 ? [] : [{ selection, milliseconds, steps: entry.steps }];
      })
      .toSorted(
        (a, b) => distance(a.selection.file) - distance(b.selection.file) || a.milliseconds - b.milliseconds,
      );
    return {
      tests: selections.map(({ selection }) => selection),
      milliseconds: selections.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
      steps: Math.max(0, ...selections.map(({ steps }) => steps)),
    };
  }

  /** Returns a file and all of ours that it imports when it runs. */
  #findImports(file: string): readonly string[] {
    const visited = new Set<string>();
    const queue = [file];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (!visited.has(path)) {
        visited.add(path);
        const folder = dirname(path);
        const imports = this.#read(path).matchAll(importPattern);
        queue.push(...[...imports].map(([, target, dynamic = '']) => join(folder, target ?? dynamic)));
      }
    }
    return [...visited].toSorted();
  }

  #read(path: string): string {
    const known = this.#texts.get(path);
    if (known !== undefined) {
      return known;
    }
    const file = join(projectRoot, path);
    const text = /\.(tsx?|json|sql|md)$/.test(path) ? readFileSync(file, 'utf8') : '';
    this.#texts.set(path, text);
    return text;
  }
}
