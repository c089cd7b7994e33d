import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const temporarySuffix = '.building';

/** The oid as a file name; opaque strings may hold anything (spec, introduction). */
const toFileName = (oid: string): string => encodeURIComponent(oid).replaceAll('*', '%2A');

/** Where the data of a built model lies: `<folder>/cubes/<oid>.sqlite`. */
export function getCubeFile(folder: string, oid: string): string {
  return join(folder, 'cubes', `${toFileName(oid)}.sqlite`);
}

/** Where the CSV files of a data folder lie. */
export const getSourceFolder = (folder: string): string => join(folder, 'files');

/** A new file of this process beside the cube; `run` tells builds of one process apart. */
export function getTemporaryCubeFile(folder: string, oid: string, run: number): string {
  return join(folder, 'cubes', `${toFileName(oid)}.${process.pid}-${run}${temporarySuffix}`);
}

/** Removes what builds of a killed process left behind: one sandbox owns a data folder, so other pids are dead. */
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

/** Brings the bytes of a finished file to the disk, so that a rename never shows half of it after a crash. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Puts a finished file in the place of the former one, in one step. */
export function replaceFile(temporary: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  renameSync(temporary, target);
}

export function removeFile(file: string): void {
  rmSync(file, { force: true });
}
