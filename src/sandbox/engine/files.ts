import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const temporarySuffix = '.building';

/** The oid as a file name; opaque strings may contain anything (rest-api.md, "Identifiers"). */
const toFileName = (oid: string): string => encodeURIComponent(oid).replaceAll('*', '%2A');

/** Returns the path of the data of a built model: `<folder>/cubes/<oid>.sqlite`. */
export function getCubeFile(folder: string, oid: string): string {
  return join(folder, 'cubes', `${toFileName(oid)}.sqlite`);
}

/** Returns the folder of the CSV files of a data folder. */
export const getSourceFolder = (folder: string): string => join(folder, 'files');

/** Returns the path of a new file of this process beside the cube; `run` distinguishes the builds of one process. */
export function getTemporaryCubeFile(folder: string, oid: string, run: number): string {
  return join(folder, 'cubes', `${toFileName(oid)}.${process.pid}-${run}${temporarySuffix}`);
}

/**
 * Removes the files left behind by builds of a killed process: one sandbox owns a data folder, so other pids are dead.
 */
export function removeStaleFiles(folder: string): void {
  const cubes = join(folder, 'cubes');
  mkdirSync(cubes, { recursive: true });
  for (const name of readdirSync(cubes)) {
    const pid = /\.(\d+)-\d+\.building$/.exec(name)?.[1];
    if (pid !== undefined && Number(pid) !== process.pid) {
      rmSync(join(cubes, name), { force: true });
    }
  }
}

/** Flushes a finished file to disk, so that a rename never exposes half of it after a crash. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Replaces the previous file with a finished one, in one step. */
export function replaceFile(temporary: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  renameSync(temporary, target);
}

export function removeFile(file: string): void {
  rmSync(file, { force: true });
}
