import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import { findFiles, readIfExists } from '../editor/support/findFiles.ts';
import { RunnerProcess } from './runnerProcess.ts';
import type { TestFileReach, TestSelection } from './testRunner.ts';

/** The number of test files that are analyzed at once, and then saved. */
const batchSize = 15;
const batchTimeLimitMs = 600_000;
const cacheFile = join(projectRoot, 'test', '.artifacts', 'mutation.json');
const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)/g;

/** The names of the mutants that the tests of a file reach, and the hash of all files that it imports. */
type CacheEntry = Omit<TestFileReach, 'reached' | 'tests'> & {
  readonly hash: string;
  readonly reached: readonly string[];
  readonly tests: readonly {
    readonly id: string;
    readonly milliseconds: number;
    readonly reached: readonly string[];
  }[];
};

/** The tests that reach a mutant; the tests that are most likely to notice it come first. */
export interface ReachingTests {
  readonly tests: readonly TestSelection[];
  readonly milliseconds: number;
  /** The largest number of steps of any of the test files. */
  readonly steps: number;
}

/** Finds out which tests reach which mutants. Caches the results of each test file until a file that it imports changes. */
export class TestReachAnalysis {
  readonly #sourceFiles: readonly string[];
  readonly #mutantNames: readonly string[];
  readonly #texts = new Map<string, string>();
  #entries: readonly CacheEntry[] = [];

  /**
   * @param sourceFiles all files that have mutants
   * @param mutantNames the name of each mutant by its ID: its file, and its index among the mutants of the file
   */
  constructor(sourceFiles: readonly string[], mutantNames: readonly string[]) {
    this.#sourceFiles = sourceFiles;
    this.#mutantNames = mutantNames;
  }

  /**
   * Runs the tests that import one of these files, unless their results are cached.
   * @param testPath the folder or file of the tests
   */
  async run(files: ReadonlySet<string>, testPath: string, workerCount: number): Promise<void> {
    const cached = await readIfExists(cacheFile);
    const cachedEntries: CacheEntry[] = cached === undefined ? [] : JSON.parse(cached.toString());
    const mutantFinderSource = this.#read('test/mutation/mutants.ts');
    const testFiles = findFiles(projectRoot, 'test/unit/**/*.test.ts').filter((file) =>
      file.startsWith(testPath),
    );
    const needed = testFiles.flatMap((file) => {
      const importedFiles = this.#findImports(file);
      const hash = createHash('sha256').update(mutantFinderSource);
      importedFiles.forEach((path) => hash.update(this.#read(path)));
      return importedFiles.some((path) => files.has(path)) ? [{ file, hash: hash.digest('hex') }] : [];
    });
    const hashes = new Map(needed.map(({ file, hash }) => [file, hash]));
    const otherEntries = cachedEntries.filter(({ file }) => !hashes.has(file));
    const validEntries = cachedEntries.filter(({ file, hash }) => hashes.get(file) === hash);
    const validFiles = new Set(validEntries.map(({ file }) => file));
    const missing = needed.filter(({ file }) => !validFiles.has(file)).map(({ file }) => file);
    process.stdout.write(`${missing.length} of ${needed.length} test files are analyzed\n`);
    this.#entries = validEntries;
    mkdirSync(dirname(cacheFile), { recursive: true });
    const analyzeBatches = async (): Promise<void> => {
      await using runner = new RunnerProcess('reach', this.#sourceFiles);
      for (let batch = missing.splice(0, batchSize); batch.length > 0; batch = missing.splice(0, batchSize)) {
        const reaches = await analyze(batch, runner);
        const entries = reaches.map(
          (reach): CacheEntry => ({ ...this.#replaceIdsByNames(reach), hash: hashes.get(reach.file) ?? '' }),
        );
        this.#entries = [...this.#entries, ...entries];
        writeFileSync(cacheFile, JSON.stringify([...otherEntries, ...this.#entries]));
      }
    };
    const runnerCount = Math.min(workerCount, Math.ceil(missing.length / batchSize));
    await Promise.all(Array.from({ length: runnerCount }, analyzeBatches));
  }

  #replaceIdsByNames({ reached, tests, ...reach }: TestFileReach): Omit<CacheEntry, 'hash'> {
    const getNames = (ids: readonly number[]): readonly string[] =>
      ids.map((id) => this.#mutantNames[id] ?? '');
    return {
      ...reach,
      reached: getNames(reached),
      tests: tests.map((test) => ({ ...test, reached: getNames(test.reached) })),
    };
  }

  /** @param id the ID of a mutant in one of the files that `run` was called with */
  findTests(id: number): ReachingTests {
    const name = this.#mutantNames[id] ?? '';
    const [file = ''] = name.split('#');
    const folder = dirname(file).replace(/^src/, 'test/unit');
    const getDistance = (path: string): number => {
      if (path.startsWith(`${folder}/`)) {
        return basename(path, '.test.ts') === basename(file, '.ts') ? 0 : 1;
      }
      return 2;
    };
    const selections = this.#entries
      .flatMap((entry) => {
        const tests = entry.tests.filter(({ reached }) => reached.includes(name));
        const isReachedOutsideTests = entry.reached.includes(name);
        const selectedTests = isReachedOutsideTests ? entry.tests : tests;
        const milliseconds = selectedTests.reduce((sum, test) => sum + test.milliseconds, 0);
        const selection: TestSelection = isReachedOutsideTests
          ? { file: entry.file }
          : { file: entry.file, testIds: tests.map((test) => test.id) };
        return selectedTests.length === 0 ? [] : [{ selection, milliseconds, steps: entry.steps }];
      })
      .toSorted(
        (a, b) =>
          getDistance(a.selection.file) - getDistance(b.selection.file) || a.milliseconds - b.milliseconds,
      );
    return {
      tests: selections.map(({ selection }) => selection),
      milliseconds: selections.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
      steps: Math.max(0, ...selections.map(({ steps }) => steps)),
    };
  }

  /** Returns a file and all files of the project that it imports at run time, directly or indirectly. */
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

async function analyze(files: readonly string[], runner: RunnerProcess): Promise<readonly TestFileReach[]> {
  const request = { mutant: undefined, maxSteps: Infinity, tests: files.map((file) => ({ file })) };
  const result = await runner.run(request, batchTimeLimitMs);
  const failed = result?.files.filter(({ didPass }) => !didPass).map(({ file }) => file);
  if (result === undefined || failed === undefined || failed.length > 0) {
    throw new Error(
      `Tests fail without a change: ${failed?.join(', ') ?? `time limit, ${files.join(', ')}`}`,
    );
  }
  return result.files;
}
