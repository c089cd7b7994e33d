import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Figure } from './figures.ts';

/** The figures of runs, as stored. */
export interface Results {
  /** Whether all comparisons were measured in one run. */
  readonly isComplete: boolean;
  readonly figures: readonly Figure[];
}

/** Reads the stored figures; `undefined` if there are none. */
export async function readResults(path: string): Promise<Results | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Results;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

export async function writeResults(path: string, results: Results): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(results, undefined, 2)}\n`);
}

/** Adds the figures of a run to the stored figures. New figures replace older ones of the same comparisons. */
export function mergeResults(stored: Results | undefined, run: Results): Results {
  if (run.isComplete || stored === undefined) {
    return run;
  }
  const byName = new Map([...stored.figures, ...run.figures].map((figure) => [figure.name, figure]));
  return { ...stored, figures: [...byName.values()] };
}
