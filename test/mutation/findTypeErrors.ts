import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import type { Mutant } from './mutants.ts';

const folder = join(projectRoot, 'test', '.artifacts', 'mutants');

/** The settings of the project, except those that only reject useless code, such as `if (false)`. */
const settings = {
  extends: relative(folder, join(projectRoot, 'tsconfig.json')),
  compilerOptions: {
    // A copy resolves its imports beside the original file.
    rootDirs: [relative(folder, projectRoot), '.'],
    allowUnreachableCode: true,
    noUnusedLocals: false,
    noUnusedParameters: false,
  },
  include: ['src'],
};

/**
 * Returns the IDs of the mutants that don't compile, such as a missing check for `undefined`: no such change can get into
 * the product, so tests need not notice it. All are checked at once, each in a copy of its file.
 * @throws Error if the type check can't be run
 */
export function findTypeErrors(mutants: readonly (Mutant & { readonly id: number })[]): ReadonlySet<number> {
  rmSync(folder, { recursive: true, force: true });
  for (const { id, file, start, end, replacement } of mutants) {
    const source = readFileSync(join(projectRoot, file), 'utf8');
    const copy = join(folder, file.replace(/\.ts$/, `.mutant${id}.ts`));
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, source.slice(0, start) + replacement + source.slice(end));
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const compiler = join(projectRoot, 'node_modules', '.bin', 'tsc');
  const { stdout, stderr, status, error } = spawnSync(compiler, ['--pretty', 'false', '-p', folder], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  });
  rmSync(folder, { recursive: true, force: true });
  const ids = [...stdout.matchAll(/^.*\.mutant(\d+)\.ts\(\d+,\d+\): error TS/gm)].map(([, id]) => Number(id));
  if (error !== undefined || (status !== 0 && ids.length === 0)) {
    throw new Error(`The type check failed: ${error?.message ?? (stderr || stdout)}`);
  }
  return new Set(ids);
}
