/**
 * `npm run mutation`: mutation testing of the core. A mutant is a change of one operator or condition; it is noticed if
 * a unit test fails with it. Changes that don't compile are left out. Prints the mutants that no test noticed, and
 * fails if too few were noticed. Options, with their defaults: `--count N` (300), `--seed N` (1), `--only PATH` for one
 * file or folder of `src`, `--tests PATH` for the tests of one folder (all unit tests), `--workers N` (the number of
 * processors), `--quick` to leave out slow tests.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../src/launcher/projectRoot.ts';
import { SeededRandom } from '../src/sandbox/seeds/seededRandom.ts';
import { findFiles } from './editor/support/findFiles.ts';
import { findTypeErrors } from './mutation/findTypeErrors.ts';
import { type Mutant, findMutants } from './mutation/mutants.ts';
import { MutationRun } from './mutation/mutationRun.ts';
import { TestReachAnalysis } from './mutation/testReachAnalysis.ts';

/** The minimum share of noticed mutants, in percent. */
const minNoticedPercent = 92;
const rooms = ['changes', 'security', 'sql', 'builds'];

function shuffle<Item>(items: readonly Item[], random: SeededRandom): readonly Item[] {
  const remaining = [...items];
  return items.flatMap(() => remaining.splice(random.nextInteger(0, remaining.length - 1), 1));
}

/** Returns the first mutants that compile. Checks them in batches, since most mutants compile. */
function takeCompilable<M extends Mutant & { readonly id: number }>(
  candidates: readonly M[],
  count: number,
): readonly M[] {
  const compilable: M[] = [];
  let checkedCount = 0;
  while (compilable.length < count && checkedCount < candidates.length) {
    const batch = candidates.slice(checkedCount, checkedCount + 2 * (count - compilable.length));
    const invalidIds = findTypeErrors(batch);
    compilable.push(...batch.filter(({ id }) => !invalidIds.has(id)));
    checkedCount += batch.length;
    process.stdout.write(`${invalidIds.size} of ${batch.length} changes don't compile\n`);
  }
  return compilable.slice(0, count);
}

const readSource = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');

function describeMutant({ file, start, end, replacement }: Mutant): string {
  const source = readSource(file);
  const line = source.slice(0, start).split('\n').length;
  const text = source.split('\n')[line - 1]?.trim() ?? '';
  return `${file}:${line}: ${source.slice(start, end)} -> ${replacement === '' ? '(nothing)' : replacement}   in ${text}`;
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: 'src/' },
    tests: { type: 'string', default: 'test/unit/' },
    quick: { type: 'boolean', default: false },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
});
const files = rooms.flatMap((room) =>
  findFiles(join(projectRoot, 'src', room), '**/*.ts').map((file) => join('src', room, file)),
);
const mutantsByFile = files.map((file) => findMutants(file, readSource(file)));
const mutantsWithIds = mutantsByFile.flat().map((mutant, id) => ({ ...mutant, id }));
const mutantNames = mutantsByFile.flatMap((mutants) => mutants.map(({ file }, index) => `${file}#${index}`));
const candidates = mutantsWithIds.filter(({ file }) => file.startsWith(values.only));
const mutants = takeCompilable(
  shuffle(candidates, new SeededRandom(Number(values.seed))),
  Number(values.count),
);
process.stdout.write(`${mutants.length} of ${candidates.length} changes, seed ${values.seed}\n`);

const analysis = new TestReachAnalysis(mutantNames, new Set(mutants.map(({ file }) => file)), values.tests);
process.stdout.write(`${analysis.unknownFiles.length} test files are run completely\n`);
const run = new MutationRun(
  analysis,
  files,
  mutants.map(({ id }) => id),
  Number(values.workers),
);
const survivors = await run.run(values.quick, (count) => process.stdout.write(`${count} not noticed yet\n`));
for (const id of survivors) {
  const mutant = mutantsWithIds[id];
  if (mutant !== undefined) {
    const reason = analysis.findTests(id).tests.length === 0 ? 'not reached' : 'not noticed';
    process.stdout.write(`${reason}: ${describeMutant(mutant)}\n`);
  }
}
const noticedPercent = (100 * (mutants.length - survivors.length)) / Math.max(1, mutants.length);
process.stdout.write(`${noticedPercent.toFixed(1)} % of ${mutants.length} changes were noticed\n`);
process.exitCode = noticedPercent >= minNoticedPercent ? 0 : 1;
