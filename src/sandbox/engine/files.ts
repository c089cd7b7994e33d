import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const temporarySuffix = '.building';

/** Encodes an oid as a file name, since an oid may contain any characters (rest-api.md, "Identifiers"). */
const toFileName = (oid: string): string => encodeURIComponent(oid).replaceAll('*', '%2A');

/** Returns the path of a datamodel's cube, its built data: `<folder>/cubes/<oid>.sqlite`. */
export function getCubeFile(folder: string, oid: string): string {
  return join(folder, 'cubes', `${toFileName(oid)}.sqlite`);
}

/** Returns the folder inside a data folder that contains the CSV files. */
export const getSourceFolder = (folder: string): string => join(folder, 'files');

/** Returns the path of a build's temporary file; `run` is the number of the build in this process. */
export function getTemporaryCubeFile(folder: string, oid: string, run: number): string {
  return join(folder, 'cubes', `${toFileName(oid)}.${process.pid}-${run}${temporarySuffix}`);
}

/**
 * Removes temporary files of builds of other processes, which are dead: only one sandbox at a time uses a data folder.
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

/** Flushes a finished file to disk, so that it is complete even if the machine crashes after a rename. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Atomically replaces the target with a finished file. */
export function replaceFile(temporary: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  renameSync(temporary, target);
}

export function removeFile(file: string): void {
  rmSync(file, { force: true });
}
