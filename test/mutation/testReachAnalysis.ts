import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import { findFiles } from '../editor/support/findFiles.ts';
import type { TestFileReach, TestSelection } from './testRunner.ts';

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

/** Knows which tests reach which mutants. Caches the results for a test file until a file that it imports changes. */
export class TestReachAnalysis {
  readonly #mutantNames: readonly string[];
  readonly #texts = new Map<string, string>();
  readonly #hashes: ReadonlyMap<string, string>;
  readonly #otherEntries: readonly CacheEntry[];
  #entries: readonly CacheEntry[];

  /**
   * @param mutantNames the name of each mutant by its ID: its file, and its index among the mutants of the file
   * @param files the files with the mutants to find tests for
   * @param testPath the folder or file of the tests
   */
  constructor(mutantNames: readonly string[], files: ReadonlySet<string>, testPath: string) {
    this.#mutantNames = mutantNames;
    const mutantFinderSource = this.#read('test/mutation/mutants.ts');
    const testFiles = findFiles(projectRoot, 'test/unit/**/*.test.ts').filter((file) =>
      file.startsWith(testPath),
    );
    this.#hashes = new Map(
      testFiles.flatMap((file) => {
        const importedFiles = this.#findImports(file);
        const hash = createHash('sha256').update(mutantFinderSource);
        importedFiles.forEach((path) => hash.update(this.#read(path)));
        return importedFiles.some((path) => files.has(path)) ? [[file, hash.digest('hex')] as const] : [];
      }),
    );
    const cachedEntries: readonly CacheEntry[] = existsSync(cacheFile)
      ? JSON.parse(readFileSync(cacheFile, 'utf8'))
      : [];
    this.#otherEntries = cachedEntries.filter(({ file }) => !this.#hashes.has(file));
    this.#entries = cachedEntries.filter(({ file, hash }) => this.#hashes.get(file) === hash);
  }

  /** The test files whose reached mutants are known, the fastest first. */
  get knownFiles(): readonly string[] {
    return this.#entries
      .toSorted((a, b) => getMilliseconds(a.tests) - getMilliseconds(b.tests))
      .map(({ file }) => file);
  }

  /** The test files whose reached mutants are not known. */
  get unknownFiles(): readonly string[] {
    const known = new Set(this.#entries.map(({ file }) => file));
    return [...this.#hashes.keys()].filter((file) => !known.has(file));
  }

  /** Adds the results of a run. */
  add(reaches: readonly TestFileReach[]): void {
    const entries = reaches.map(
      (reach): CacheEntry => ({
        ...this.#replaceIdsByNames(reach),
        hash: this.#hashes.get(reach.file) ?? '',
      }),
    );
    this.#entries = [...this.#entries, ...entries];
    mkdirSync(dirname(cacheFile), { recursive: true });
    writeFileSync(cacheFile, JSON.stringify([...this.#otherEntries, ...this.#entries]));
  }

  /**
   * Returns the tests of a known file that reach one of these mutants, and which of them the rest of the file reaches.
   * @param passedTests the IDs of tests to leave out, by mutant
   */
  findTestsIn(
    file: string,
    ids: ReadonlySet<number>,
    passedTests: ReadonlyMap<number, ReadonlySet<string>>,
  ): { readonly testIds: readonly string[]; readonly reachedOutside: readonly number[] } {
    const entry = this.#entries.find((candidate) => candidate.file === file);
    const namesReachedOutside = new Set(entry?.reached);
    const reachedOutside = [...ids].filter((id) => namesReachedOutside.has(this.#mutantNames[id] ?? ''));
    const idsByName = new Map(
      [...ids]
        .map((id) => [this.#mutantNames[id] ?? '', id] as const)
        .filter(([name]) => !namesReachedOutside.has(name)),
    );
    const tests = entry?.tests.filter(({ id: test, reached }) =>
      reached.some((name) => {
        const id = idsByName.get(name);
        return id !== undefined && passedTests.get(id)?.has(test) !== true;
      }),
    );
    return { testIds: (tests ?? []).map(({ id }) => id), reachedOutside };
  }

  #replaceIdsByNames({ reached, tests, ...reach }: TestFileReach): Omit<CacheEntry, 'hash'> {
    const getNames = (ids: readonly number[]): readonly string[] =>
      ids.map((id) => this.#mutantNames[id] ?? '');
    return {
      ...reach,
      reached: getNames(reached),
      tests: tests.map(({ id, milliseconds, reached: ids }) => ({
        id,
        milliseconds,
        reached: getNames(ids),
      })),
    };
  }

  /**
   * Returns the tests that reach a mutant.
   * @param excluded the IDs of tests to leave out
   */
  findTests(id: number, excluded: ReadonlySet<string> = new Set()): ReachingTests {
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
        const isReachedOutsideTests = entry.reached.includes(name);
        const tests = entry.tests.filter(
          (test) => isReachedOutsideTests || (test.reached.includes(name) && !excluded.has(test.id)),
        );
        const selection: TestSelection = isReachedOutsideTests
          ? { file: entry.file }
          : { file: entry.file, testIds: tests.map((test) => test.id) };
        return tests.length === 0
          ? []
          : [{ selection, milliseconds: getMilliseconds(tests), steps: entry.steps }];
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

const getMilliseconds = (tests: CacheEntry['tests']): number =>
  tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
