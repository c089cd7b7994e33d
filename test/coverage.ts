/**
 * `npm run coverage`: the lines of `src` that unit tests, integration tests, tests of pages and tests in the extension
 * host run; journeys do not count. Prints a table by room (architecture.md, "The rooms"), and fails below the minimum
 * coverage.
 */
import { spawn } from 'node:child_process';
import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { convert } from 'ast-v8-to-istanbul';
import { projectRoot } from '../src/launcher/projectRoot.ts';

/** The minimum coverage, in percent of the lines of `src` that have a statement. */
const minCoverage = 85;
const folder = join(projectRoot, 'test', '.artifacts', 'coverage');
const rawFolder = join(folder, 'raw');

/** The number of times that each line of a file has run, by line number; only lines that have a statement. */
type LineHits = Map<number, number>;

interface IstanbulFile {
  readonly path: string;
  readonly statementMap: Readonly<Record<string, { readonly start: { readonly line: number } }>>;
  /** The number of times that each statement has run. */
  readonly s: Readonly<Record<string, number>>;
}

function run(command: string, args: readonly string[]): Promise<boolean> {
  const env = { ...process.env, DATAMODEL_STUDIO_COVERAGE: rawFolder };
  const child = spawn(command, args, { cwd: projectRoot, stdio: 'inherit', env });
  return new Promise((resolve) => {
    child.once('close', (code) => resolve(code === 0));
  });
}

/** Runs the tests of Vitest with its own report, which lists all files of `src`, even those that no test loads. */
const runVitest = (): Promise<boolean> =>
  run('vitest', [
    'run',
    '--project=unit',
    '--project=integration',
    '--project=pages',
    '--coverage.enabled',
    '--coverage.provider=v8',
    '--coverage.include=src/**/*.{ts,tsx}',
    '--coverage.reporter=json',
    `--coverage.reportsDirectory=${join(folder, 'vitest')}`,
  ]);

/** The part of a coverage report of V8 that is used. */
interface ProcessCoverage {
  readonly result: readonly Parameters<typeof convert>[0]['coverage'][];
}

/** Reads the coverage that V8 wrote for bundles with source maps: the pages and the extension host. */
async function* readBundles(): AsyncGenerator<Readonly<Record<string, IstanbulFile>>> {
  const readBundle = memoize(async (path: string) => {
    const code = await readFile(path, 'utf8');
    const sourceMap = JSON.parse(await readFile(`${path}.map`, 'utf8'));
    const sources = sourceMap.sources.map((source: string) => join(dirname(path), source));
    const ast = parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
    return { code, ast, sourceMap: { ...sourceMap, sources } };
  });
  for (const name of (await readdir(rawFolder)).filter((fileName) => fileName.endsWith('.json'))) {
    const { result }: ProcessCoverage = JSON.parse(await readFile(join(rawFolder, name), 'utf8'));
    for (const script of result.filter(
      ({ url }) => url.startsWith('file:') && url.includes('/.artifacts/'),
    )) {
      const bundle = await readBundle(fileURLToPath(script.url));
      yield await convert({ ...bundle, wrapperLength: 0, coverage: script });
    }
  }
}

function memoize<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const cache = new Map<string, Promise<T>>();
  return (key) => {
    const value = cache.get(key) ?? read(key);
    cache.set(key, value);
    return value;
  };
}

/** Adds the hits of a report to the lines of the files that are known already. */
function addHits(files: ReadonlyMap<string, LineHits>, report: Readonly<Record<string, IstanbulFile>>): void {
  for (const { path, statementMap, s } of Object.values(report)) {
    const lines = files.get(relative(projectRoot, path));
    for (const [id, { start }] of Object.entries(statementMap)) {
      const hits = lines?.get(start.line);
      if (hits !== undefined) {
        lines?.set(start.line, hits + (s[id] ?? 0));
      }
    }
  }
}

function printTable(files: ReadonlyMap<string, LineHits>): number {
  const rooms = new Map<string, { covered: number; all: number }>();
  const total = { covered: 0, all: 0 };
  for (const [path, lines] of files) {
    const [, room = '', part = ''] = path.split('/');
    const name = room === 'features' || room === 'webviews' ? `${room}/${part}` : room;
    const sum = rooms.get(name) ?? { covered: 0, all: 0 };
    rooms.set(name, sum);
    for (const counts of [sum, total]) {
      counts.all += lines.size;
      counts.covered += [...lines.values()].filter((hits) => hits > 0).length;
    }
  }
  const getPercent = ({ covered, all }: { covered: number; all: number }): number =>
    (100 * covered) / Math.max(1, all);
  for (const [name, sum] of [...rooms].toSorted(([, a], [, b]) => getPercent(a) - getPercent(b))) {
    process.stdout.write(
      `${getPercent(sum).toFixed(1).padStart(6)} %  ${String(sum.all).padStart(6)}  ${name}\n`,
    );
  }
  process.stdout.write(
    `${getPercent(total).toFixed(1).padStart(6)} %  ${String(total.all).padStart(6)}  src\n`,
  );
  return getPercent(total);
}

await rm(folder, { recursive: true, force: true });
await mkdir(rawFolder, { recursive: true });
const didPass = [await runVitest(), await run(process.execPath, ['test/editor/run.ts', 'host'])].every(
  Boolean,
);
const files = new Map<string, LineHits>();
const report: Readonly<Record<string, IstanbulFile>> = JSON.parse(
  await readFile(join(folder, 'vitest', 'coverage-final.json'), 'utf8'),
);
for (const { path, statementMap } of Object.values(report)) {
  const lines: LineHits = new Map(Object.values(statementMap).map(({ start }) => [start.line, 0]));
  files.set(relative(projectRoot, path), lines);
}
addHits(files, report);
for await (const bundle of readBundles()) {
  addHits(files, bundle);
}
process.exitCode = printTable(files) >= minCoverage && didPass ? 0 : 1;
